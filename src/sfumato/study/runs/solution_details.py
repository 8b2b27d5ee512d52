"""The details of all solutions of a front, measured in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.measures.loss.loss import lost_extents
from sfumato.recoding.levels import Levels
from sfumato.study.evaluation import all_measures
from sfumato.study.measured_nodes import MeasuredNodes, NodeMeasuring
from sfumato.study.runs.run import RunColumn, SolutionDetail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.front.front import Solution
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.recoding import Recoding
    from sfumato.search.problem import Problem


def solution_details(problem: Problem, solutions: Sequence[Solution]) -> Iterator[SolutionDetail]:
    """Yield the details of solutions, in their order."""
    measuring = NodeMeasuring.of(
        problem.table, measures=all_measures(problem), suppression=problem.suppression
    )
    step = measuring.nodes_a_batch
    for start in range(0, len(solutions), step):
        batch = solutions[start : start + step]
        yield from _details(
            measuring.measure_recodings(
                [solution.recoding for solution in batch],
                thresholds=[solution.threshold for solution in batch],
            )
        )


def detail_of_the_source(problem: Problem) -> SolutionDetail:
    """Return the details of the table as it is: level 0 everywhere, nothing suppressed."""
    measuring = NodeMeasuring.of(
        problem.table, measures=all_measures(problem), suppression=NO_SUPPRESSION
    )
    (detail,) = _details(measuring.measure([problem.tables.lattice.bottom], thresholds=[None]))
    return detail


def _details(measured: MeasuredNodes) -> Iterator[SolutionDetail]:
    candidates = measured.candidates
    table = candidates.table
    losses = lost_extents(candidates) / candidates.widths / table.rows
    for node, position in enumerate(measured.positions):
        kept = candidates.kept_of(int(position))
        start, end = candidates.batch.offsets[candidates.recoding[position] :][:2]
        sizes, classes = np.unique(candidates.batch.sizes[start:end][kept], return_counts=True)
        yield SolutionDetail(
            metrics=measured.metrics(node),
            classes=int(candidates.kept_classes[position]),
            kept_rows=int(candidates.kept_rows[position]),
            suppressed=int(candidates.suppressed_rows[position]),
            class_sizes=tuple(zip(sizes.tolist(), (sizes * classes).tolist(), strict=True)),
            column_losses=dict(zip(table.names, losses[position].tolist(), strict=True)),
        )


def run_columns(table: CountTable, recodings: Sequence[Recoding] = ()) -> tuple[RunColumn, ...]:
    """Return what a run keeps of the quasi-identifiers, with the partitions that there are.

    Without recodings these are the levels of the hierarchies.
    """
    kind = type(recodings[0]) if recodings else Levels
    return tuple(
        RunColumn(
            name=identifier.name,
            weight=float(identifier.weight),
            leaf_count=identifier.hierarchy.leaf_count,
            pages=kind.pages(identifier.name, identifier.hierarchy, recodings),
        )
        for identifier in table.quasi_identifiers
    )
