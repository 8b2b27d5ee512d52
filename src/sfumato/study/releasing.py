"""From a study and a chosen recoding to a verified release, and back by an audit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data.file_digest import table_sha256
from sfumato.data.hierarchy import Hierarchy
from sfumato.data.rewrite_plan import SuppressedRows
from sfumato.data.source import CsvFile, Source, path_of, source_of
from sfumato.errors import SettingsError, SfumatoError, SourceError, UnmetError
from sfumato.front.front import Solution
from sfumato.measures.measure import Measure
from sfumato.recoding.class_tables import ClassTables
from sfumato.recoding.grouped_recodings import group_recodings
from sfumato.recoding.recoding import Recoding
from sfumato.recoding.suppression import NO_SUPPRESSION
from sfumato.release.audit import Audit, KnownRecoding, audit_table
from sfumato.release.certificates import as_certified, read_private_certificate
from sfumato.release.destinations import check_destinations
from sfumato.release.release import Release, ReleaseRequest, silent_stage, write_release
from sfumato.search.problem import Problem
from sfumato.study.evaluation import Evaluation, evaluate_node, evaluate_recoding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.data.source import ColumnarTable
    from sfumato.study.study import Study


def release_recoding(
    study: Study,
    chosen: Mapping[str, int] | Recoding | Solution,
    destination: str | Path,
    *,
    threshold: int | None = None,
    suppressed_rows: SuppressedRows | str = SuppressedRows.DROP,
    certificate: str | Path | None = None,
    private_certificate: str | Path | None = None,
    provenance: Mapping[str, object] | None = None,
    force: bool = False,
    stage: Callable[[str], None] = silent_stage,
) -> Release:
    """Write one recoding of a study's source; see `Study.release`."""
    if isinstance(chosen, Solution) and threshold is None:
        threshold = chosen.threshold
    try:
        rows = SuppressedRows(suppressed_rows)
    except ValueError:
        raise SettingsError(
            f"suppressed rows cannot be treated as {suppressed_rows!r}; choose 'drop' or 'star'"
        ) from None
    check_destinations(
        study.source,
        Path(destination),
        certificate=None if certificate is None else Path(certificate),
        private_certificate=None if private_certificate is None else Path(private_certificate),
        force=force,
        parts=study.engine.writes_parts,
    )
    table = study.count_table
    recoding = study.recoding(chosen)
    promised = evaluate_recoding(study.problem, recoding, threshold=threshold)
    unsuppressed = Problem(
        table=table, objectives=study.problem.objectives, suppression=NO_SUPPRESSION
    )
    before = evaluate_node(unsuppressed, study.lattice.bottom)
    if isinstance(chosen, Solution):
        _check_solution(chosen, promised)
    tables = ClassTables(table=table, carries=tuple(table.columns))
    source = source_of(study.source)
    request = ReleaseRequest(
        source=source,
        columns=study.source_columns,
        stamp=study.source_stamp,
        engine=study.engine,
        attributes=tuple(study.attributes),
        missing=study.missing,
        batch=group_recodings(tables, [recoding])[0],
        blocks=recoding.blocks(table),
        levels=recoding.levels,
        threshold=promised.threshold,
        suppression=study.suppression,
        objectives=tuple(m for m in study.objectives if isinstance(m, Measure)),
        promised=promised.values,
        before=before.values,
        provenance={"source": _described(source), **(provenance or {})},
        suppressed_rows=rows,
    )
    return write_release(
        request,
        Path(destination),
        certificate=None if certificate is None else Path(certificate),
        private_certificate=None if private_certificate is None else Path(private_certificate),
        force=force,
        stage=stage,
    )


def audit_against(
    study: Study,
    table: Source | ColumnarTable | str | Path,
    *,
    private_certificate: str | Path | None = None,
) -> Audit:
    """Measure any table by a study's roles and hierarchies; see `Study.audit`."""
    source = source_of(table)
    digest = _digest(source)
    if isinstance(source, CsvFile) and source == CsvFile(path=source.path):
        source = as_certified(source, digest or "")
    totals, known = None, None
    if private_certificate is not None:
        certificate = read_private_certificate(Path(private_certificate))
        if path_of(source) is None:
            raise SourceError(
                f"a private certificate is about a file, and {source} is none; give the path"
            )
        if digest != certificate.sha256:
            raise SourceError(
                f"{private_certificate} is not about {source}: the file is another one, or was "
                "changed since it was released"
            )
        totals = certificate.totals
        blocks = None
        if certificate.cuts is not None:
            blocks = Recoding.of_cuts(certificate.cuts).blocks_in(_hierarchies(study))
        known = KnownRecoding(starred=certificate.starred, levels=certificate.levels, blocks=blocks)
    return audit_table(
        source,
        engine=study.engine,
        attributes=tuple(study.attributes),
        unlisted_insensitive=study.unlisted_insensitive,
        hierarchies=_hierarchies(study),
        missing=study.missing,
        measures=tuple(m for m in study.objectives if isinstance(m, Measure)),
        totals=totals,
        known=known,
    )


def _digest(source: Source) -> str | None:
    """Return the SHA-256 of a source's file, None if it has none."""
    path = path_of(source)
    return None if path is None or not path.exists() else table_sha256(path)


def _check_solution(solution: Solution, found: Evaluation) -> None:
    """Refuse a solution whose figures are not those of this study."""
    same = solution.suppressed == found.suppressed and all(
        math.isclose(value, found.values[name], rel_tol=1e-9, abs_tol=1e-12)
        or value == found.values[name]
        for name, value in solution.values.items()
        if name in found.values
    )
    if not same:
        raise UnmetError(
            f"solution {solution.id} does not have the figures that it was found with: the "
            "source, the hierarchies or the settings are not those of its search; search again"
        )


def _hierarchies(study: Study) -> dict[str, Hierarchy]:
    """Return the hierarchies as they fit the source, or as declared where it is not at hand."""
    source = source_of(study.source)
    path = path_of(source)
    if path is None or path.exists():
        return study.hierarchies
    hierarchies: dict[str, Hierarchy] = {}
    for attribute in study.attributes:
        if attribute.hierarchy is None:
            continue
        if isinstance(attribute.hierarchy, Hierarchy):
            hierarchies[attribute.name] = attribute.hierarchy
        else:
            try:
                hierarchies[attribute.name] = attribute.hierarchy.build([], column=attribute.name)
            except SfumatoError as error:
                raise SourceError(
                    f"{source} is not there, and the hierarchy of column {attribute.name!r} "
                    f"depends on its values ({error}); put the file back, or declare the domain "
                    "in the study"
                ) from None
    return hierarchies


def _described(source: Source) -> dict[str, object]:
    path = path_of(source)
    if path is None:
        return {"table": str(source)}
    return {"path": str(path.absolute()), "sha256": table_sha256(path)}
