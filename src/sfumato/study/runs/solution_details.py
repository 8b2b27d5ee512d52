"""The details of all solutions of a front, measured in batches."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.measures.loss.loss import lost_extents
from sfumato.recoding.block_labels import block_label
from sfumato.study.evaluation import all_measures
from sfumato.study.measured_nodes import MeasuredNodes, NodeMeasuring
from sfumato.study.runs.run import RunColumn, RunLevel, SolutionDetail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.front.front import Solution
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable
    from sfumato.search.problem import Problem

MOST_EXAMPLES = 6


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


def run_columns(table: CountTable, solutions: Sequence[Solution] = ()) -> tuple[RunColumn, ...]:
    """Return what a run keeps of the quasi-identifiers: their levels, with examples of labels.

    If the solutions have cuts and no levels, the partitions that they have take their place.
    """
    by_cuts = any(solution.cuts is not None for solution in solutions)
    return tuple(
        RunColumn(
            name=identifier.name,
            weight=float(identifier.weight),
            leaf_count=identifier.hierarchy.leaf_count,
            levels=_partitions(
                tree_of(identifier.hierarchy, column=identifier.name),
                _cuts(solutions, identifier.name),
            )
            if by_cuts
            else tuple(
                RunLevel(
                    blocks=len(labels),
                    examples=labels[:MOST_EXAMPLES] if level > 0 else (),
                    name=_name(identifier.hierarchy, level),
                )
                for level, labels in enumerate(identifier.hierarchy.labels)
            ),
        )
        for identifier in table.quasi_identifiers
    )


def _name(partitions: PartitionedDomain, level: int) -> str | None:
    return partitions.names[level] if isinstance(partitions, AdmissiblePartitions) else None


def _cuts(solutions: Sequence[Solution], name: str) -> set[tuple[int, ...]]:
    return {tuple(solution.cuts[name]) for solution in solutions if solution.cuts is not None}


def _partitions(hierarchy: Hierarchy, cuts: set[tuple[int, ...]]) -> tuple[RunLevel, ...]:
    """Return partitions from fine to coarse, with labels of blocks of more than one value."""
    levels = []
    for leaves in sorted(cuts, key=lambda each: (-len(each), each)):
        starts = (0, *leaves, hierarchy.leaf_count)
        joined = [
            block_label(hierarchy, first, end - 1)
            for first, end in itertools.pairwise(starts)
            if end - first > 1
        ]
        levels.append(
            RunLevel(blocks=len(leaves) + 1, examples=tuple(joined[:MOST_EXAMPLES]), cuts=leaves)
        )
    return tuple(levels)
