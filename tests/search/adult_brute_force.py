"""All candidates of the Adult lattice, regrouped from the 30,162 rows for every node.

Reads the data and the hierarchies with the csv module and groups with pandas: no count table, no
roll-up, no kernel and no measure of the package takes part.
"""

from __future__ import annotations

import csv
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class NodeClasses:
    """The classes of one node by ascending size: sizes, distinct values, extents for each QI."""

    levels: tuple[int, ...]
    sizes: Ints
    distinct: Ints
    extents: Ints


@dataclass(frozen=True)
class AdultRows:
    """The rows as codes: for every QI and level the block of each row and the block sizes."""

    rows: int
    blocks: list[list[Ints]]
    block_sizes: list[list[Ints]]
    widths: Ints
    sensitive: Ints

    @classmethod
    def read(cls, data: Path, hierarchies: Sequence[tuple[str, Path]], sensitive: str) -> AdultRows:
        with data.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=";"))
        blocks: list[list[Ints]] = []
        block_sizes: list[list[Ints]] = []
        widths = []
        for column, path in hierarchies:
            with path.open(encoding="utf-8", newline="") as file:
                tree = {line[0]: line for line in csv.reader(file, delimiter=";") if line}
            widths.append(max(1, len(tree) - 1))
            blocks.append([])
            block_sizes.append([])
            for level in range(len(next(iter(tree.values())))):
                labels = [line[level] for line in tree.values()]
                names = list(dict.fromkeys(labels))
                code = {value: names.index(line[level]) for value, line in tree.items()}
                blocks[-1].append(np.array([code[row[column]] for row in rows]))
                block_sizes[-1].append(np.array([labels.count(name) for name in names]))
        return cls(
            rows=len(rows),
            blocks=blocks,
            block_sizes=block_sizes,
            widths=np.array(widths),
            sensitive=pandas.factorize(np.array([row[sensitive] for row in rows]))[0],
        )

    def nodes(self) -> Iterator[NodeClasses]:
        values = int(self.sensitive.max()) + 1
        for levels in itertools.product(*(range(len(column)) for column in self.blocks)):
            key = np.zeros(self.rows, dtype=np.int64)
            radices = []
            for q, level in enumerate(levels):
                radices.append(len(self.block_sizes[q][level]))
                key = key * radices[-1] + self.blocks[q][level]
            classes, uniques = pandas.factorize(key)
            sizes = np.bincount(classes)
            pairs = np.bincount(classes * values + self.sensitive, minlength=sizes.size * values)
            distinct = (pairs.reshape(-1, values) > 0).sum(axis=1)
            extents = np.empty((sizes.size, len(levels)), dtype=np.int64)
            for q in range(len(levels) - 1, -1, -1):
                extents[:, q] = self.block_sizes[q][levels[q]][uniques % radices[q]] - 1
                uniques = uniques // radices[q]
            order = np.argsort(sizes, kind="stable")
            yield NodeClasses(levels, sizes[order], distinct[order], extents[order])

    def candidates(self, node: NodeClasses, budget: int, *, every: bool) -> dict[str, Ints]:
        """The metrics of a node's candidates: thresholds as the policy allows them."""
        first = np.flatnonzero(np.concatenate(([True], node.sizes[1:] != node.sizes[:-1])))
        before = np.concatenate(([0], np.cumsum(node.sizes)))[first]
        first, before = first[before <= budget], before[before <= budget]
        if not every:
            first, before = first[-1:], before[-1:]
        lost = np.cumsum((node.sizes[:, None] * node.extents)[::-1], axis=0)[::-1][first]
        # Summed in integers: floating point would tell equal losses apart.
        common = math.lcm(*self.widths.tolist())
        parts = common // self.widths
        whole, rest = np.divmod(
            ((lost + before[:, None] * self.widths) * parts).sum(axis=1), common
        )
        loss = whole + rest / common
        squares = np.cumsum((node.sizes**2)[::-1])[::-1][first]
        return {
            "k": node.sizes[first],
            "distinct-l": np.minimum.accumulate(node.distinct[::-1])[::-1][first],
            "s-k": squares + before**2,
            "loss": loss,
            "suppressed": before,
        }


def best(values: NDArray[np.float64], higher: Sequence[bool]) -> NDArray[np.bool_]:
    """Which rows no other row dominates; ties are all kept.

    In ascending order of the costs no row can be dominated by a later one that differs from it,
    so every distinct row is only compared with the winners before it.
    """
    costs = values * np.where(higher, -1.0, 1.0)
    order = np.lexsort(costs.T[::-1])
    ordered = costs[order]
    is_new = np.concatenate(([True], (ordered[1:] != ordered[:-1]).any(axis=1)))
    distinct = ordered[is_new]
    hopeful = np.ones(len(distinct), dtype=np.bool_)
    if costs.shape[1] == 2:
        least = np.minimum.accumulate(distinct[:, 1])
        hopeful[1:] = distinct[1:, 1] < least[:-1]
    winners = np.zeros(len(distinct), dtype=np.bool_)
    archive = np.empty((0, costs.shape[1]))
    for i in np.flatnonzero(hopeful):
        if not (archive <= distinct[i]).all(axis=1).any():
            archive = np.concatenate((archive, distinct[i : i + 1]))
            winners[i] = True
    flags = np.empty(len(costs), dtype=np.bool_)
    flags[order] = winners[np.cumsum(is_new) - 1]
    return flags
