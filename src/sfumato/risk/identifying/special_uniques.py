"""Special uniques: rows that few columns single out, with the scores of SUDA2.

Elliot, Manning & Ford (2002) and Manning, Haglin & Keane (2008).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.arrays import Counts
    from sfumato.risk.identifying.counted_cells import CountedCells


@dataclass(frozen=True, kw_only=True, eq=False)
class SpecialUniques:
    """The minimal sample uniques of a table and the scores that they give to rows.

    A set of columns is a *minimal sample unique* of a row if it singles the row out and none of
    its parts does. ``cells`` are those of single rows that have one, ``scores`` their scores,
    ``minimal`` how many they have and ``fewest`` the columns of the smallest. ``by_size`` is how
    many there are of each size,
    ``by_column`` the share of the sum of scores that comes from sets with each column,
    ``by_subset`` how many rows each set singles out. ``dis`` is the probability that a match with
    a sample unique is right, if the sampling fraction is known.
    """

    names: tuple[str, ...]
    largest: int
    rows: int
    cells: Counts
    scores: Counts
    minimal: Counts
    fewest: Counts
    by_size: dict[int, int]
    by_column: dict[str, float]
    by_subset: dict[tuple[str, ...], int]
    dis: float | None


def minimal_score(size: int, *, columns: int, largest: int) -> int:
    """Return the score of a minimal sample unique of a size among so many columns.

    It is (m − s)! if sets of all sizes are searched, ∏ (m − i) for i from s to M if only those of
    up to M columns are.

    >>> minimal_score(2, columns=6, largest=6), minimal_score(2, columns=6, largest=3)
    (24, 12)
    """
    if largest >= columns:
        return math.factorial(columns - size)
    return math.prod(columns - i for i in range(size, largest + 1))


def special_uniques(
    cells: CountedCells,
    *,
    largest: int | None = None,
    fraction: float | None = None,
    threads: int | None = None,
) -> SpecialUniques:
    """Find the minimal sample uniques of up to ``largest`` columns, of all sizes if None.

    Every combination of columns is counted once over the cells. A set is minimal for a cell of one
    row if it is unique in it and in none of the sets that lack one of its columns.
    """
    columns = len(cells.names)
    most = cells.check_largest(columns if largest is None else largest)
    single = np.flatnonzero(cells.sizes == 1)
    scores = np.zeros(single.shape[0], dtype=np.int64)
    minimal = np.zeros(single.shape[0], dtype=np.int64)
    fewest = np.zeros(single.shape[0], dtype=np.int64)
    by_size: dict[int, int] = {}
    by_subset: dict[tuple[str, ...], int] = {}
    weights = dict.fromkeys(cells.names, 0)
    before: dict[tuple[int, ...], NDArray[np.uint8]] = {}
    own: dict[tuple[int, ...], NDArray[np.uint8]] = {}
    size = 1
    # Without a cell of a single row nothing is singled out by all columns, nor by some.
    for found in cells.subsets(most, threads=threads) if single.shape[0] else ():
        if len(found.columns) > size:
            size, before, own = len(found.columns), own, {}
        unique = found.unique[single]
        own[found.columns] = np.packbits(unique)
        for part in itertools.combinations(found.columns, size - 1):
            if part:
                inside = np.unpackbits(before[part], count=single.shape[0]).astype(np.bool_)
                unique = unique & ~inside
        many = int(unique.sum())
        if not many:
            continue
        score = minimal_score(size, columns=columns, largest=most)
        scores[unique] += score
        minimal[unique] += 1
        # Smaller sets come first.
        fewest[unique & (fewest == 0)] = size
        by_size[size] = by_size.get(size, 0) + many
        names = tuple(cells.names[place] for place in found.columns)
        by_subset[names] = many
        for name in names:
            weights[name] += score * many
    total = int(scores.sum())
    has = minimal > 0
    return SpecialUniques(
        names=cells.names,
        largest=most,
        rows=cells.rows,
        cells=single[has],
        scores=scores[has],
        minimal=minimal[has],
        fewest=fewest[has],
        by_size=by_size,
        by_column={name: weight / total if total else 0.0 for name, weight in weights.items()},
        by_subset=by_subset,
        dis=None if fraction is None else data_intrusion_simulation(cells.sizes, fraction),
    )


def data_intrusion_simulation(sizes: Counts, fraction: float) -> float:
    """Return the probability that a match with a sample unique is right (Skinner & Elliot 2002).

    θ = π n_1 / (π n_1 + 2 (1 − π) n_2), with n_1 unique rows and n_2 pairs of equal rows.

    >>> data_intrusion_simulation(np.array([1, 1, 2]), 0.5)
    0.5
    """
    uniques, pairs = int((sizes == 1).sum()), int((sizes == 2).sum())
    if not uniques:
        return 0.0
    return fraction * uniques / (fraction * uniques + 2 * (1 - fraction) * pairs)
