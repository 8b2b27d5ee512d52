"""The study file: the one description of a release, in TOML."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from sfumato.classes.suppression import Policy, Suppression, Threshold
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy, MissingValues
from sfumato.release.released_values import ReleasedValues
from sfumato.search.space import Space
from sfumato.study.file.column_settings import attributes_of
from sfumato.study.file.engine_settings import ENGINE_KEYS, engine_of, most_combinations
from sfumato.study.file.search_settings import (
    SEARCH_KEYS,
    SearchSettings,
    homes_of_settings,
    read_search,
    search_keys,
)
from sfumato.study.file.source_settings import SOURCE_KEYS, source_of_table, unlisted_insensitive
from sfumato.study.file.statement_settings import STATEMENT_KEYS, read_statements
from sfumato.study.file.study_keys import StudyTable, nearest
from sfumato.study.study import Study

if TYPE_CHECKING:
    from sfumato.classes.class_criterion import ClassCriterion
    from sfumato.measures.measure import Measure

SuppressedRows = Literal["drop", "star"]

TABLES: dict[str, tuple[str, ...]] = {
    "source": SOURCE_KEYS,
    "columns": (),
    "missing": ("policy", "markers", "label"),
    "suppression": ("policy", "limit", "k", "threshold"),
    "statements": STATEMENT_KEYS,
    "search": SEARCH_KEYS,
    "release": ("suppressed", "values"),
    "engine": ENGINE_KEYS,
}
"""The tables of a study file and their keys; those of columns have a table for each column, that
of the search one for each method that has settings. There can be several statements."""

LARGEST_STUDY = 50_000_000
"""A file of more bytes is taken for data, and not read to see."""
_SPEAKS_TOML = re.compile(r"""^\s*(?:\[|[\w."' -]+=)""", re.MULTILINE)
_DECIMAL_COMMA = re.compile(r"=\s*([+-]?\d+),(\d+)\s*(?:[,}#]|$)")

DEFAULT_OBJECTIVES = ("k", "loss")


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyFile:
    """A study file that was read: its text as it stands, and what it says."""

    path: Path
    text: str = field(repr=False)
    study: Study
    search: SearchSettings = field(default_factory=SearchSettings)
    suppressed_rows: SuppressedRows = "drop"
    released_values: ReleasedValues = ReleasedValues.GENERALIZED


def read_study_file(path: str | Path) -> StudyFile:
    """Read a study file and the hierarchy files that it names; the data are not read.

    Paths in it are relative to it. Every key is checked, and errors name the file and the key.
    """
    file = Path(path)
    text = _text(file)
    tables = _tables(file, text)
    on_spark = tables["engine"].values.get("kind") == "spark"
    if "path" not in tables["source"].values and not (
        on_spark and "table" in tables["source"].values
    ):
        raise SettingsError(
            f'{file}: [source] has no path; write where the rows are, such as path = "patients.csv"'
            + (', or table = "hospital.patients" of the catalog' if on_spark else "")
        )
    attributes = attributes_of(file, tables["columns"].values)
    unlisted = unlisted_insensitive(tables["source"])
    statements = read_statements(
        file,
        parsed(file, text).get("statements"),
        attributes=attributes,
        elsewhere=tables["source"].elsewhere,
        unlisted_insensitive=unlisted,
    )
    objectives = _objectives(tables["search"])
    missing = _missing(tables["missing"])
    suppression = _suppression(tables["suppression"])
    source = source_of_table(tables["source"])
    criteria = _criteria(tables["search"])
    with tables["columns"].naming():
        study = Study(
            source=source,
            attributes=attributes,
            objectives=objectives,
            suppression=suppression,
            criteria=criteria,
            missing=missing,
            unlisted_insensitive=unlisted,
            statements=statements,
            space=_space(tables["search"]),
            engine=engine_of(tables["engine"]),
            most_combinations=most_combinations(tables["engine"]),
            described_in=file,
        )
    suppressed = tables["release"].choice("suppressed", get_args(SuppressedRows))
    values = tables["release"].choice("values", [each.value for each in ReleasedValues])
    return StudyFile(
        path=file,
        text=text,
        study=study,
        search=read_search(tables["search"], file),
        suppressed_rows=cast("SuppressedRows", suppressed or "drop"),
        released_values=ReleasedValues(values or ReleasedValues.GENERALIZED),
    )


def _text(file: Path) -> str:
    try:
        if file.is_file() and file.stat().st_size > LARGEST_STUDY:
            raise _no_study(file)
        # A byte order mark, which some editors write, is no part of the text.
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SettingsError(
            f"there is no study file {file}; 'sfumato init DATA' writes one to start from"
        ) from None
    except IsADirectoryError:
        raise SettingsError(f"{file} is a folder; give the study file in it") from None
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        if file.suffix.lower() != ".toml":
            raise _no_study(file) from None
        raise SettingsError(f"{file} is not utf-8, which TOML must be; save it as UTF-8") from None


def _no_study(file: Path) -> SettingsError:
    """Return the error for a file of another kind: mostly the data, or arguments swapped."""
    return SettingsError(
        f"{file} is no study file: it is not written in TOML; give the study file; "
        "'sfumato init DATA' makes one"
    )


def _tables(file: Path, text: str) -> dict[str, StudyTable]:
    """Return all tables of the document but the statements, empty where it has none."""
    document = parsed(file, text)
    homes = Counter(key for keys in TABLES.values() for key in keys)
    elsewhere = {
        key: _header(table) for table, keys in TABLES.items() for key in keys if homes[key] == 1
    }
    elsewhere = {**homes_of_settings(), **elsewhere}
    for key, value in document.items():
        if key not in TABLES:
            hint = f"; it belongs under {elsewhere[key]}" if key in elsewhere else ""
            what = f"table [{key}]" if isinstance(value, dict) else f"key {key!r} at the top"
            raise SettingsError(
                f"{file}: a study has no {what}{hint or nearest(key, TABLES)}; its tables are "
                f"{', '.join(map(_header, TABLES))}"
            )
    columns = document.get("columns")
    names = tuple(columns) if isinstance(columns, dict) else ("one for every column",)
    return {
        table: StudyTable.of(
            document.get(table, {}),
            file=file,
            place=f"[{table}]",
            known=search_keys(document.get(table)) if table == "search" else keys or names,
            elsewhere=elsewhere,
        )
        for table, keys in TABLES.items()
        if table != "statements"
    }


def _header(table: str) -> str:
    """Return how a study file heads a table; what can be there several times has two brackets."""
    return f"[[{table}]]" if table == "statements" else f"[{table}]"


def parsed(file: Path, text: str) -> dict[str, object]:
    """Return the tables of a TOML text; a syntax error names the line and what helps."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if file.suffix.lower() != ".toml" or not _SPEAKS_TOML.search(text):
            raise _no_study(file) from None
        message, _, rest = str(error).rpartition(" (at ")
        said = f"{message[:1].lower()}{message[1:]}" if message else str(error)
        where = re.match(r"line (\d+), column (\d+)", rest)
        place = f"line {where[1]}, column {where[2]}" if where else "at its end"
        raise SettingsError(
            f"{file}, {place}: this is not TOML ({said}){_syntax_hint(text, where, said)}"
        ) from None


def _syntax_hint(text: str, where: re.Match[str] | None, said: str) -> str:
    if "twice" in said or "overwrite" in said:
        return "; give every table and every key once"
    lines = text.splitlines()
    line = lines[int(where[1]) - 1] if where and int(where[1]) <= len(lines) else ""
    comma = _DECIMAL_COMMA.search(line)
    if comma:
        return f"; numbers have a decimal point: {comma[1]}.{comma[2]}"
    if line.lstrip().startswith("["):
        return '; a name with blanks or dots stands in quotes: [columns."marital status"]'
    if "\\" in line:
        return "; write paths with / or in single quotes: path = 'C:\\data\\patients.csv'"
    if line.count("{") > line.count("}"):
        return "; what stands in { } stands on one line"
    key, equals, value = line.partition("=")
    if equals and value.strip() in ("True", "False"):
        return "; write true or false in small letters"
    if equals and re.match(r"\s*[A-Za-z/.~]", value):
        return f'; texts stand in quotes: {key.strip()} = "{value.strip()}"'
    return "; see https://toml.io for how values are written"


def _objectives(table: StudyTable) -> tuple[Measure, ...]:
    names = table.texts("objectives", example='["k", "loss"]')
    if names == ():
        raise table.wrong("objectives", 'name measures, such as objectives = ["k", "loss"]')
    with table.naming("objectives"):
        measures = tuple(measure(name) for name in names or DEFAULT_OBJECTIVES)
        twice = [str(each) for each, count in Counter(measures).items() if count > 1]
        if twice:
            raise SettingsError(f"{twice[0]!r} is given more than once; name a measure once")
    return measures


def _criteria(table: StudyTable) -> tuple[ClassCriterion, ...]:
    texts = table.texts("criteria", example='["k>=5", "distinct-l>=3"]') or ()
    with table.naming("criteria"):
        found = tuple(map(read_criterion, texts))
        twice = [text for text, count in Counter(map(str, found)).items() if count > 1]
        if twice:
            raise SettingsError(f"{twice[0]!r} is given more than once; write it once")
    return found


def _space(table: StudyTable) -> Space:
    return Space(table.choice("space", [each.value for each in Space]) or Space.LATTICE)


def _missing(table: StudyTable) -> MissingValues:
    policy = table.choice("policy", [each.value for each in MissingPolicy])
    label = table.text("label", example=f'"{MISSING_LABEL}"')
    with table.naming():
        return MissingValues(
            policy=MissingPolicy(policy or MissingPolicy.CATEGORY),
            markers=table.texts("markers", example='["?"]') or (),
            label=MISSING_LABEL if label is None else label,
        )


def _suppression(table: StudyTable) -> Suppression:
    policy = table.choice("policy", [each.value for each in Policy])
    threshold = table.choice("threshold", [each.value for each in Threshold])
    with table.naming():
        return Suppression(
            policy=Policy(policy or Policy.NONE),
            limit=table.number("limit", example="0.01"),
            k=table.whole("k", example="5"),
            threshold=Threshold(threshold or Threshold.LARGEST),
        )
