"""Individuals in order of one vector, the other drawn over it (Comparison fig. 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.curves.sorted_curve import MOST_STEPS
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement


@dataclass(frozen=True, kw_only=True)
class IndividualCurve:
    """The individuals in parts, the worst off by the first vector in the first part.

    Part ``i`` ends at ``shares[i]`` of all individuals. ``ordered`` is the median of the vector
    that orders them, ``median`` that of the other one in the same part, and from ``low`` to
    ``high`` is where eight tenths of the other one's values lie.
    """

    shares: tuple[float, ...]
    ordered: tuple[float, ...]
    low: tuple[float, ...]
    median: tuple[float, ...]
    high: tuple[float, ...]


def individual_curve(
    pair: CommonRefinement, *, fewest: int = 1, most: int = MOST_STEPS
) -> IndividualCurve:
    """Return the curve of a pair of vectors, ordered by the first and, where it ties, the second.

    There are at most ``most`` parts, of equally many individuals each, but never fewer than
    ``fewest``: a part must not be about a single person.

    >>> from sfumato.compare.vectors.common_refinement import CommonRefinement
    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> t3b = PropertyVector.of_rows([3, 7, 7, 3, 7, 7, 7, 3, 7, 7], name="class-size")
    >>> t4 = PropertyVector.of_rows([4, 6, 4, 4, 6, 6, 6, 4, 6, 6], name="class-size")
    >>> found = individual_curve(CommonRefinement.of(t3b, t4))
    >>> found.ordered
    (3, 3, 3, 7, 7, 7, 7, 7, 7, 7)
    >>> found.median
    (4, 4, 4, 4, 6, 6, 6, 6, 6, 6)
    """
    first, second, counts = pair.first_values, pair.second_values, pair.counts
    turn = 1 if pair.direction is Direction.HIGHER else -1
    order = np.lexsort((turn * second, turn * first))
    first, second, counts = first[order], second[order], counts[order]
    parts = max(1, min(most, pair.rows // max(1, fewest)))
    upto = np.cumsum(counts)
    ends = np.arange(1, parts + 1) * pair.rows // parts
    starts = np.append(0, ends[:-1])
    ordered = first[np.searchsorted(upto, (starts + ends - 1) // 2, side="right")]
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        # The groups that reach into the part, with the rows of theirs that are in it.
        begin, stop = np.searchsorted(upto, [start, end - 1], side="right").tolist()
        here = slice(begin, stop + 1)
        rows = np.minimum(upto[here], end) - np.maximum(upto[here] - counts[here], start)
        ascending = np.argsort(second[here], kind="stable")
        sums = np.cumsum(rows[ascending])
        ranks = [(end - start - 1) * tenth // 10 for tenth in (1, 5, 9)]
        found.append(second[here][ascending][np.searchsorted(sums, ranks, side="right")].tolist())
    low, median, high = zip(*found, strict=True)
    return IndividualCurve(
        shares=tuple((ends / pair.rows).tolist()),
        ordered=tuple(ordered.tolist()),
        low=low,
        median=median,
        high=high,
    )
