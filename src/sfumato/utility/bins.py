"""Bins: the few parts of a domain that charts and associations of columns are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.hierarchies.hierarchy import Hierarchy

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts
    from sfumato.utility.analysed_table import AnalysedColumn

MOST_BINS = 20
OTHERS = "all others"


@dataclass(frozen=True, kw_only=True, eq=False)
class Bins:
    """The bin of every leaf, and what bins are called."""

    of_leaf: Codes
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of bins."""
        return len(self.names)


def bins_of(column: AnalysedColumn, rows: Counts, *, most: int = MOST_BINS) -> Bins:
    """Return at most ``most`` bins of a column; ``rows`` are those of every leaf before.

    A domain with as few values has a bin for each. Numbers, dates and other ordered values are cut
    into runs of about equally many values, missing values apart. Categories are taken at the finest
    level of their hierarchy with as few groups, or, without one, the most frequent ones and all
    others together.
    """
    leaves = len(column.leaves)
    if leaves <= most:
        return Bins(of_leaf=sealed_codes(np.arange(leaves)), names=column.leaves)
    if column.ordered:
        return _runs(column, most)
    hierarchy = column.hierarchy
    if isinstance(hierarchy, Hierarchy):
        level = next((n for n in range(hierarchy.height) if hierarchy.block_count(n) <= most), None)
        if level is not None:
            return Bins(of_leaf=hierarchy.levels[level], names=hierarchy.labels[level])
    return _frequent(column, rows, most)


def _runs(column: AnalysedColumn, most: int) -> Bins:
    leaves, gap = len(column.leaves), column.missing_leaf
    known = leaves if gap is None else leaves - 1
    runs = most if gap is None else most - 1
    width = -(-known // runs)
    of_leaf = np.arange(leaves) // width
    names = [
        _run_name(column.leaves[start], column.leaves[min(start + width, known) - 1])
        for start in range(0, known, width)
    ]
    if gap is not None:
        of_leaf[gap] = len(names)
        names.append(column.leaves[gap])
    return Bins(of_leaf=sealed_codes(of_leaf), names=tuple(names))


def _run_name(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _frequent(column: AnalysedColumn, rows: Counts, most: int) -> Bins:
    order = np.argsort(-rows, kind="stable")[: most - 1]
    shown = np.sort(order)
    of_leaf = np.full(len(column.leaves), most - 1)
    of_leaf[shown] = np.arange(most - 1)
    names = (*(column.leaves[leaf] for leaf in shown.tolist()), OTHERS)
    return Bins(of_leaf=sealed_codes(of_leaf), names=names)
