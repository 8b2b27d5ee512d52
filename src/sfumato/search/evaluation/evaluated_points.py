"""The nodes that a search has evaluated, whole populations at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.recoding.levels import Levels
from sfumato.search.evaluation.evaluated_candidates import EvaluatedCandidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts
    from sfumato.classes.class_batch import ClassBatch

Node: TypeAlias = tuple[int, ...]


class EvaluatedPoints(EvaluatedCandidates[Node]):
    """The points of a growing set of nodes: a level, or a partition, for every column."""

    def _tables(self, keys: Sequence[Node]) -> ClassBatch:
        nodes = np.array(keys, dtype=np.int64)
        minimum = np.array(self._problem.tables.lattice.minimum_levels, dtype=np.int64)
        low = (nodes < minimum).any(axis=1)
        if low.any():
            raise ValueError(
                f"node {tuple(nodes[low][0].tolist())} is below the minimum levels "
                f"{tuple(minimum.tolist())}: a search visits no such node"
            )
        return self._problem.tables.group(nodes)

    def recoding(self, key: Node) -> Levels:
        """Return the levels of a node."""
        return Levels.of(dict(zip(self._problem.table.names, key, strict=True)))


def nodes_of(population: Counts) -> list[Node]:
    """Return the rows of a population as nodes."""
    return [tuple(node) for node in population.tolist()]
