"""The study file: the one description of a release, in TOML."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import Notice, SettingsError
from sfumato.microdata.roles import Role
from sfumato.microdata.statement_check import check_roles
from sfumato.release.release_request import ReleasedValues
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements
from sfumato.study.file.named_paths import NamedPaths
from sfumato.study.file.problems import Problems
from sfumato.study.file.search_table import SearchSettings
from sfumato.study.file.study_document import StudyDocument, study_document
from sfumato.study.file.toml_syntax import parsed, study_text
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.microdata.roles import Attribute
    from sfumato.study.file.study_document import SuppressedRows


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyFile:
    """A study file that was read: its text as it stands, and what it says."""

    path: Path
    text: str = field(repr=False)
    study: Study
    search: SearchSettings = field(default_factory=SearchSettings)
    suppressed_rows: SuppressedRows = "drop"
    released_values: ReleasedValues = ReleasedValues.GENERALIZED
    escape_formulas: bool = False


def read_study_file(
    path: str | Path,
    *,
    allow_paths: Iterable[str | Path] = (),
    reads_source: bool = True,
) -> StudyFile:
    """Read a study file and the hierarchy files that it names; the data are not read.

    Paths in it are relative to it. Files outside its folder are refused unless they are, or lie
    in, one of ``allow_paths``, or this user's own ``init`` or ``search`` wrote the path of the
    source; so are engines on other hosts. Who will never read the source says so by
    ``reads_source``. An error tells all
    problems: first those of its keys and their types, and if there are none, those of what they
    mean.
    """
    file = Path(path)
    return study_of_text(file, study_text(file), allow_paths=allow_paths, reads_source=reads_source)


def study_of_text(
    file: Path,
    text: str,
    *,
    allow_paths: Iterable[str | Path] = (),
    reads_source: bool = True,
) -> StudyFile:
    """Return what the text of a study file says, as if ``file`` held it."""
    document, notices = parsed(file, text)
    for notice in notices:
        warnings.warn(notice, Notice, stacklevel=3)
    search = document.get("search")
    model = study_document(search if isinstance(search, dict) else ())
    problems = Problems(file, document, model)
    paths = NamedPaths.of(file, allow_paths, reads_source=reads_source)
    return _study_file(file, text, problems.read(), problems, paths)


def _study_file(
    file: Path, text: str, tables: StudyDocument, problems: Problems, paths: NamedPaths
) -> StudyFile:
    """Return what the tables mean, or raise all that they cannot mean."""
    attributes = _attributes(paths, tables, problems)
    statements = _statements(tables, attributes, problems)
    with problems.at("search"):
        objectives = tables.search.measures()
    with problems.at("search"):
        criteria = tables.search.class_criteria()
    with problems.at("search"):
        spaces = tables.search.spaces()
    with problems.at("search"):
        search = tables.search.settings()
    with problems.at("missing"):
        missing = tables.missing.missing()
    with problems.at("suppression"):
        suppression = tables.suppression.suppression()
    with problems.at("release"):
        required = tables.release.required()
    with problems.at("engine"):
        engine = tables.engine.engine(paths)
    with problems.at("source"):
        source = tables.source.source(paths, has_catalog=tables.engine.kind == "spark")
    problems.raise_all()
    with problems.at("columns"):
        study = Study(
            source=source,
            attributes=attributes,
            objectives=objectives,
            suppression=suppression,
            criteria=criteria,
            require=required,
            missing=missing,
            unlisted_insensitive=tables.source.unlisted is not None,
            statements=statements,
            space=spaces,
            engine=engine,
            most_combinations=tables.engine.most_combinations,
            described_in=file,
        )
    problems.raise_all()
    return StudyFile(
        path=file,
        text=text,
        study=study,
        search=search,
        suppressed_rows=tables.release.suppressed,
        released_values=tables.release.values,
        escape_formulas=tables.release.escape_formulas,
    )


def _attributes(
    paths: NamedPaths, tables: StudyDocument, problems: Problems
) -> tuple[Attribute, ...]:
    """Return the columns that the study can have."""
    with problems.at("columns"):
        if not tables.columns:
            raise SettingsError(
                "the study lists no columns",
                code="no-columns",
                remedy="give each a table with its role, like [columns.age] with role = "
                f'"{Role.QUASI_IDENTIFYING}"',
            )
    found = []
    for name, column in tables.columns.items():
        with problems.at("columns", name):
            found.append(column.attribute(name, paths))
    return tuple(found)


def _statements(
    tables: StudyDocument, attributes: Sequence[Attribute], problems: Problems
) -> ConfidentialStatements | None:
    """Return the confidential statements of a study file, None if it has none.

    Columns that the study does not list are looked for in the source, once it is read.
    """
    rules = []
    for number, table in enumerate(tables.statements):
        with problems.at("statements", number):
            rule = table.statement()
            rules.append(rule)
            # Of columns that are wrong themselves nothing more can be said.
            if tables.source.unlisted is None and len(attributes) == len(tables.columns):
                alone = ConfidentialStatement(protect=rule.protect, where=rule.where)
                check_roles(ConfidentialStatements(rules=(alone,)), attributes)
    if not rules or len(rules) < len(tables.statements):
        return None
    with problems.at("statements"):
        return ConfidentialStatements(rules=tuple(rules))
    return None
