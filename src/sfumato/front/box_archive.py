"""The archive of representative solutions: one for every non-dominated box (PBG §5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sfumato.errors import SettingsError, shown
from sfumato.front.box_dominance import boxes, checked_epsilon
from sfumato.front.dominance import as_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Floats
    from sfumato.measures.measure import Direction


Member = TypeVar("Member")


class BoxArchive(Generic[Member]):
    """Keeps at most one solution a box, and no box-dominated ones.

    The updater is Algorithm 1 as it is printed. Whatever the order in which points are offered:

    1. The occupied boxes are exactly the non-dominated ones among the boxes of all points that
       were ever offered, each with one member (the guarantee stated after Algorithm 1).
    2. No member is dominated by any point that was ever offered (Theorem 1). So members never
       dominate each other, and the members are a front.

    Both are proved in docs/method.md ("The box archive"); the printed proof of Theorem 1 leaves out
    the candidates that step 6 turns away because their box is taken.

    Which of several incomparable points of a box is kept depends on the order: the first. Points
    with the same values are never kept twice, so ties are not.

    >>> from sfumato.measures.measure import Direction
    >>> both = (Direction.HIGHER, Direction.LOWER)
    >>> archive = BoxArchive[str](directions=both, epsilon=(5, 100))
    >>> archive.offer("a", (5, 110)), archive.offer("b", (7, 150)), archive.offer("c", (11, 160))
    (True, False, True)
    >>> archive.members
    ('c',)
    """

    def __init__(self, *, directions: Sequence[Direction], epsilon: Sequence[float]) -> None:
        self._directions = tuple(directions)
        self._epsilon = checked_epsilon(epsilon, objectives=len(self._directions))
        self._members: list[Member] = []
        self._costs: Floats = np.zeros((0, len(self._directions)))
        self._boxes: Floats = np.zeros((0, len(self._directions)))

    def __len__(self) -> int:
        return len(self._members)

    @property
    def members(self) -> tuple[Member, ...]:
        """The members, in the order in which they came."""
        return tuple(self._members)

    @property
    def values(self) -> Floats:
        """The values of the members, a row for each."""
        return as_costs(self._costs, self._directions)

    @property
    def boxes(self) -> Floats:
        """The boxes of the members, a row for each."""
        return as_costs(self._boxes, self._directions) + 0.0

    def offer(self, member: Member, values: Sequence[float] | Floats) -> bool:
        """Offer a solution with its values; return whether it is now a member."""
        point = np.asarray(values, dtype=np.float64).reshape(1, -1)
        if point.shape[1] != len(self._directions):
            raise SettingsError(
                f"a point has {point.shape[1]} values, and there are {len(self._directions)} "
                "objectives",
                code="wrong-length",
                key="values",
                found=str(point.shape[1]),
                expected="one value for each objective",
            )
        cost = as_costs(point, self._directions)[0]
        # The box of the raw value; its direction only says which box is better.
        box = as_costs(boxes(point, self._epsilon), self._directions)[0]
        same = (self._boxes == box).all(axis=1)
        # Steps 2 and 3: members that the candidate box-dominates go.
        worse = (box <= self._boxes).all(axis=1) & ~same
        inside = (cost <= self._costs).all(axis=1) & (cost < self._costs).any(axis=1)
        stay = ~(worse | (same & inside))
        if not stay.all():
            self._members = [self._members[place] for place in np.flatnonzero(stay)]
            self._costs, self._boxes = self._costs[stay], self._boxes[stay]
        # Steps 4 and 5: members that box-dominate the candidate, and those in its box. What
        # dominates it inside its box is in its box, so one comparison of boxes tells both.
        if (self._boxes <= box).all(axis=1).any():
            return False
        self._members.append(member)
        self._costs = np.concatenate((self._costs, cost[None]))
        self._boxes = np.concatenate((self._boxes, box[None]))
        return True


def archive_bound(greatest: Sequence[float], epsilon: Sequence[float]) -> int:
    """Return the greatest number of members of an archive (PBG Theorem 2, corrected).

    With 0 ≤ I_i ≤ K_i there are b_i = ⌊K_i/ε_i⌋ + 1 boxes along objective i. Boxes that differ in
    one objective only are comparable, so at most one of them is occupied: |A| is at most the
    product of the r − 1 largest b_i. The paper prints b_i = K_i/ε_i, which is too small: a value
    K_i is in the box ⌊K_i/ε_i⌋, counted from 0.

    >>> archive_bound((1, 1), (1, 1))  # (1, 0.5) and (0.5, 1) are two members, K/ε allows one
    2
    >>> archive_bound((100, 8, 30000), (10, 4, 1000))
    341
    """
    counts = sorted(_box_counts(greatest, epsilon))
    return math.prod(counts[1:])


def tightest_archive_bound(greatest: Sequence[float], epsilon: Sequence[float]) -> int:
    """Return the least bound that the argument of Theorem 2 gives: the r − 1 smallest b_i.

    The argument holds whichever objective is left out, and leaving out the one with the most
    boxes gives the fewest clusters. The paper leaves out the one with the fewest.

    >>> tightest_archive_bound((100, 8, 30000), (10, 4, 1000))
    33
    """
    counts = sorted(_box_counts(greatest, epsilon))
    return math.prod(counts[:-1])


def _box_counts(greatest: Sequence[float], epsilon: Sequence[float]) -> list[int]:
    sides = checked_epsilon(epsilon, objectives=len(greatest))
    for value in greatest:
        if not math.isfinite(value) or value < 0:
            raise SettingsError(
                f"an objective cannot be bounded by {shown(value)}",
                code="out-of-range",
                key="greatest",
                found=shown(value),
                expected="a finite value from 0 up",
            )
    return [math.floor(value / side) + 1 for value, side in zip(greatest, sides, strict=True)]
