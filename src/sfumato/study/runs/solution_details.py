"""The details of all solutions of a front, measured in batches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.measures.loss.loss import lost_extents
from sfumato.microdata.count_table import exact_bincount
from sfumato.recoding.levels import MOST_EXAMPLES, Levels
from sfumato.recoding.local import Local
from sfumato.recoding.local_labels import local_columns
from sfumato.recoding.recoding import ColumnRecoding
from sfumato.study.evaluation import all_measures
from sfumato.study.measured_nodes import MeasuredRecoding, RecodingMeasuring
from sfumato.study.runs.run import ColumnLabels, RunColumn, SolutionDetail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.arrays import Floats
    from sfumato.front.front import Solution
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable
    from sfumato.recoding.local_labels import LocalColumn
    from sfumato.recoding.recoding import Page, Recoding
    from sfumato.search.problem import Problem


def solution_details(problem: Problem, solutions: Sequence[Solution]) -> Iterator[SolutionDetail]:
    """Yield the details of solutions, in their order."""
    measuring = RecodingMeasuring.of(
        problem.table, measures=all_measures(problem), suppression=problem.suppression
    )
    details = (each for batch in measuring.batches(solutions) for each in _details(batch))
    for solution, detail in zip(solutions, details, strict=True):
        yield replace(detail, labels=column_labels(problem.table, solution.recoding))


def column_labels(table: CountTable, recoding: Recoding) -> dict[str, ColumnLabels]:
    """Return the labels of every quasi-identifier in a local recoding; nothing for others.

    They come from the kept rows alone, and are never finer than the minimum level of a column.
    """
    if not isinstance(recoding, Local):
        return {}
    kept = recoding.classes >= 0
    weights = table.cell_sizes[kept].astype(np.float64)
    rows_of_class = np.bincount(
        recoding.classes[kept], weights=weights, minlength=recoding.class_count
    ).astype(np.float64)
    return {
        column.name: _labels(column, rows_of_class) for column in local_columns(table, recoding)
    }


def _labels(column: LocalColumn, rows_of_class: Floats) -> ColumnLabels:
    rows = np.bincount(column.of_class, weights=rows_of_class, minlength=len(column.covers))
    frequent = np.argsort(-rows, kind="stable")
    several = frequent[column.sizes[frequent] > 1][:MOST_EXAMPLES]
    return ColumnLabels(
        count=len(column.covers),
        covered=float(rows @ column.sizes / rows.sum()) if rows.sum() else 0.0,
        examples=tuple(column.texts[place] for place in several),
    )


def detail_of_the_source(problem: Problem) -> SolutionDetail:
    """Return the details of the table as it is: level 0 everywhere, nothing suppressed."""
    measuring = RecodingMeasuring.of(
        problem.table, measures=all_measures(problem), suppression=NO_SUPPRESSION
    )
    bottom = Levels.of(dict(zip(problem.table.names, problem.tables.lattice.bottom, strict=True)))
    (detail,) = _details(measuring.measure([bottom], thresholds=[None]))
    return detail


def _details(measured: Sequence[MeasuredRecoding]) -> Iterator[SolutionDetail]:
    losses: dict[int, Floats] = {}
    for (candidates, position, _), metrics in measured:
        table = candidates.table
        if id(candidates) not in losses:
            losses[id(candidates)] = lost_extents(candidates) / candidates.widths / table.rows
        kept = candidates.kept_of(position)
        start, end = candidates.batch.offsets[candidates.recoding[position] :][:2]
        # By people where there is a person key, as k is.
        sizes, which = np.unique(candidates.units[start:end][kept], return_inverse=True)
        rows = exact_bincount(
            which.ravel(), candidates.sizes[start:end][kept], sizes.shape[0]
        ).tolist()
        yield SolutionDetail(
            metrics=metrics,
            classes=int(candidates.kept_classes[position]),
            kept_rows=int(candidates.kept_rows[position]),
            suppressed=int(candidates.suppressed_rows[position]),
            class_sizes=tuple(zip(sizes.tolist(), rows, strict=True)),
            column_losses=dict(
                zip(table.names, losses[id(candidates)][position].tolist(), strict=True)
            ),
        )


def run_columns(table: CountTable, recodings: Sequence[Recoding] = ()) -> tuple[RunColumn, ...]:
    """Return what a run keeps of the quasi-identifiers, with the partitions that there are.

    Without recodings these are the levels of the hierarchies.
    """
    return tuple(
        RunColumn(
            name=identifier.name,
            weight=float(identifier.weight),
            leaf_count=identifier.hierarchy.leaf_count,
            pages=_pages(identifier, recodings),
        )
        for identifier in table.quasi_identifiers
    )


def _pages(identifier: CountedQuasiIdentifier, recodings: Sequence[Recoding]) -> tuple[Page, ...]:
    """Return the partitions that global recodings choose from, levels before cuts.

    There are the levels of the hierarchy too if no recoding is a global one.
    """
    kinds = dict.fromkeys(type(each) for each in recodings if isinstance(each, ColumnRecoding))
    found: tuple[Page, ...] = ()
    for kind in sorted(kinds, key=lambda kind: kind is not Levels) or [Levels]:
        found += kind.pages(identifier.name, identifier.hierarchy, recodings)
    return found
