"""What a release writes: the target, the texts of the cells, and the plan of the rewrite."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.engines.messages.column_facts import FORMULA_STARTS
from sfumato.engines.messages.rewrite_plan import (
    STAR,
    FileFormat,
    RecodedColumn,
    RewritePlan,
    SuppressedRows,
    Target,
)
from sfumato.errors import ReleaseError
from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import Role
from sfumato.release.destinations import target_of
from sfumato.release.microaggregation.class_statistics import by_class, class_statistics
from sfumato.release.microaggregation.microaggregation import (
    MicroaggregatedColumn,
    microaggregate,
    refuse_equal_statistics,
)
from sfumato.release.microaggregation.statistics_check import least_kept
from sfumato.release.release_request import ReleasedValues
from sfumato.sources.csv_dialect import csv_dialect, is_compressed
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CsvFile, ParquetFile
from sfumato.sources.source_stamp import check_unchanged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.arrays import Codes
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.engines.messages.block_statistics import KeptValues
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.release_request import ReleaseRequest
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What is written, and where to until it is verified.

    ``request`` is what is released. ``blocks`` have the texts of the cells: labels, or the
    statistics of ``columns``.
    """

    request: ReleaseRequest
    target: Target
    blocks: tuple[WrittenColumn, ...]
    columns: tuple[MicroaggregatedColumn, ...]
    plan: RewritePlan


def drafted(request: ReleaseRequest, workspace: Path) -> Draft:
    """Return what is to be written to a workspace, after the source is seen to be the same."""
    destination = request.options.destination
    target_source, target_format = target_of(destination)
    (workspace / "spill").mkdir()
    target = Target(
        path=workspace / destination.name,
        format=target_format,
        spill=workspace / "spill",
        delimiter=_delimiter(request.source, target_source),
        compressed=target_format is FileFormat.CSV and is_compressed(destination),
        escape_formulas=target_format is FileFormat.CSV and request.options.escape_formulas,
    )
    if target.escape_formulas:
        _refuse_formula_names(request)
    check_unchanged(request.source, request.stamp)
    columns: tuple[MicroaggregatedColumn, ...] = ()
    blocks = request.blocks
    if request.values is ReleasedValues.MICROAGGREGATED:
        request.options.stage("taking the statistics of the blocks")
        request, columns = _microaggregated(request, target)
        blocks = tuple(column.blocks for column in columns)
    plan = _plan(request, blocks, target_format, columns)
    return Draft(request=request, target=target, blocks=blocks, columns=columns, plan=plan)


def _refuse_formula_names(request: ReleaseRequest) -> None:
    """Refuse names of columns that a spreadsheet would run: an escaped one is another name."""
    for name in request.columns:
        if name.startswith(FORMULA_STARTS):
            raise ReleaseError(
                f"a column is called {name!r}, which a spreadsheet would run as a formula",
                code="formula-name",
                column=name,
                remedy="rename it in the source",
            )


def _delimiter(source: Source, target: CsvFile | ParquetFile) -> str:
    if isinstance(target, ParquetFile):
        return ","
    if ".tsv" in target.path.name.lower():
        return "\t"
    if isinstance(source, CsvFile):
        return csv_dialect(replace(source, path=parts_of(source.path)[0])).delimiter
    return ","


class _Microaggregated(NamedTuple):
    """The statistics of the blocks, and the request that they are of."""

    request: ReleaseRequest
    columns: tuple[MicroaggregatedColumn, ...]


def _microaggregated(request: ReleaseRequest, target: Target) -> _Microaggregated:
    """Return the statistics of the blocks over the kept rows, counted in the source once more.

    The blocks of a local recoding are its classes, and those with equal statistics are merged.
    """
    if not _of_values(request.blocks):
        own = by_class(request)
        return _Microaggregated(*class_statistics(own, _kept_values(own, target)))
    least_kept(request.batch, request.kept)
    kept = _kept_values(request, target)
    identifiers = request.batch.table.quasi_identifiers
    columns = microaggregate(identifiers, request.attributes, request.blocks, kept)
    refuse_equal_statistics(columns, request.blocks, kept)
    return _Microaggregated(request, columns)


def _kept_values(request: ReleaseRequest, target: Target) -> Mapping[str, KeptValues]:
    numbered = [
        replace(column, labels=tuple(map(str, range(len(column.labels)))))
        for column in request.blocks
    ]
    plan = _plan(request, numbered, target.format)
    return request.engine.kept_values(request.source, plan, target)


def _plan(
    request: ReleaseRequest,
    blocks: Sequence[WrittenColumn],
    file_format: FileFormat,
    columns: Sequence[MicroaggregatedColumn] = (),
) -> RewritePlan:
    """Return the plan that writes the blocks; those of ``columns`` can be written as numbers."""
    batch, kept, attributes = request.batch, request.kept, request.attributes
    if file_format is FileFormat.CSV:
        _refuse_empty_texts(batch)
    identifying = {a.name for a in attributes if a.role is Role.IDENTIFYING}
    drops = request.missing.policy is MissingPolicy.DROP
    # A column with * in it is one of texts.
    starred = request.suppressed_rows is SuppressedRows.STAR and not bool(kept.all())
    if starred:
        _refuse_starred_class(request, blocks)
    numbers = {c.blocks.name for c in columns if c.numbers and not starred}
    found = _listed(request) if _of_values(blocks) else _cells(request)
    released = tuple(name for name in request.columns if name not in identifying)
    recoded = {column.name for column in blocks}
    return RewritePlan(
        columns=released,
        recoded=tuple(
            _recoded(identifier.leaf_of_value, column, file_format, column.name in numbers)
            for identifier, column in zip(batch.table.quasi_identifiers, blocks, strict=True)
        ),
        listed_classes=found.classes,
        listed_are_kept=found.are_kept,
        listed_labels=found.labels,
        suppressed_rows=request.suppressed_rows,
        # A starred row shows nothing: whatever is left of it may single its person out.
        emptied=tuple(name for name in released if name not in recoded),
        complete=tuple(
            a.name
            for a in attributes
            if drops and (a.role is Role.SENSITIVE or (a.label and a.name not in identifying))
        ),
        markers=request.missing.markers,
        coarser=request.coarser,
    )


class _Listed(NamedTuple):
    """What a rewrite joins rows to: classes or cells by their codes, and the labels of cells."""

    classes: Codes
    are_kept: bool
    labels: Codes | None = None


def _of_values(columns: Sequence[WrittenColumn]) -> bool:
    """Say whether every value has one label, whatever class its row is in."""
    return all(column.partition is not None for column in columns)


def _listed(request: ReleaseRequest) -> _Listed:
    """Return the classes that are kept, or those that are not, whichever are fewer."""
    batch, kept = request.batch, request.kept
    are_kept = bool(kept.sum() * 2 < kept.shape[0])
    chosen = np.flatnonzero(kept if are_kept else ~kept)
    codes = [batch.codes(q, chosen).astype(np.int32) for q in range(len(request.blocks))]
    return _Listed(np.stack(codes), are_kept)


def _cells(request: ReleaseRequest) -> _Listed:
    """Return the cells that are kept, with the code of their label in every column."""
    anonymization = request.anonymization
    first = anonymization.table.entry_starts[:-1]
    kept = np.flatnonzero(~anonymization.suppressed[first])
    labels = [column.codes[first[kept]].astype(np.int32) for column in anonymization.labels]
    return _Listed(anonymization.table.cell_codes[:, kept], True, np.stack(labels))


def _refuse_starred_class(request: ReleaseRequest, columns: Sequence[WrittenColumn]) -> None:
    """Refuse to star suppressed rows where kept ones have ``*`` everywhere too."""
    kept = np.flatnonzero(request.kept)
    everywhere = np.ones(kept.shape, dtype=np.bool_)
    for q, column in enumerate(columns):
        stars = np.array([label == STAR for label in column.labels], dtype=np.bool_)
        everywhere &= stars[request.batch.codes(q, kept)]
    if everywhere.any():
        raise ReleaseError(
            f"a kept class has {STAR!r} in every quasi-identifier, as suppressed rows would",
            code="conflicting-settings",
            key="suppressed_rows",
            found=SuppressedRows.STAR.value,
            remedy=f"leave suppressed rows out, suppressed_rows = {SuppressedRows.DROP.value!r}",
        )


def _refuse_empty_texts(batch: ClassBatch) -> None:
    for name, column in batch.table.columns.items():
        if "" in column.values:
            raise _empty_text(name, "a value")


def _empty_text(column: str, what: str) -> ReleaseError:
    return ReleaseError(
        f"column {column!r} has the empty text as {what}, which CSV cannot tell from a missing "
        "value",
        code="empty-text",
        column=column,
        remedy="release to Parquet, or list '' among the markers of missing values",
    )


def _recoded(
    leaf_of_value: Mapping[str | None, int],
    column: WrittenColumn,
    file_format: FileFormat,
    numbers: bool,
) -> RecodedColumn:
    if "" in column.labels and file_format is FileFormat.CSV:
        raise _empty_text(column.name, "a label of this recoding")
    return RecodedColumn(
        name=column.name,
        block_of_value={
            value: int(column.code_of_leaf[leaf]) for value, leaf in leaf_of_value.items()
        },
        labels=column.labels,
        numbers=numbers,
    )
