"""The partition of least cost, by branch and bound over boxes of cuts."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.partitions.boxes_of_cuts import CutBox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.arrays import Flags, Floats
    from sfumato.search.partitions.box_bounds import BoxBound, BoxBounds

ROUNDING = 1e-9
"""Costs that differ by less than this share are equal."""
_WORTH_DESCENDING = 1.02
_ROUNDS_OF_FIXING = 4


@dataclass(frozen=True, kw_only=True)
class LeastSoFar:
    """The best partition so far, how many are settled, and how many boxes were looked at."""

    string: Flags
    cost: float
    settled: int
    boxes: int


class LeastCost:
    """A search for the least cost; the box with the least bound first, or depth first."""

    def __init__(self, bounds: BoxBounds, *, best_first: bool) -> None:
        self._bounds = bounds
        self._best_first = best_first
        variables = bounds.variables
        self._size = variables.size(0, variables.everything)
        # Bound, place in the order of dividing, box, hint for its bound, number of partitions.
        self._open: list[tuple[float, int, CutBox, Floats | None, int]] = []
        self._pushed = self._boxes = self._settled = 0
        self._string: Flags = variables.string(0)
        self._cost = bounds.exact(self._string)

    def run(self, starts: Iterable[Flags]) -> Iterator[LeastSoFar]:
        """Yield what is known after every start and every box."""
        self._push(-np.inf, CutBox(0, self._bounds.everything), None)
        yield self._state()
        for start in starts:
            self._improve(start, always=True)
            yield self._state()
        while self._open:
            bound, _, box, hint, size = (
                heapq.heappop(self._open) if self._best_first else self._open.pop()
            )
            self._boxes += 1
            self._settled += size
            if self._excluded(bound):
                if self._best_first:
                    # All others cost at least as much.
                    self._settled += sum(each[-1] for each in self._open)
                    self._open = []
            else:
                self._divide(box, hint)
            yield self._state()

    def _excluded(self, bound: float) -> bool:
        return bool(bound >= self._cost * (1 - ROUNDING))

    def _improve(self, string: Flags, *, always: bool) -> None:
        """Take a partition as the best if it is, or if one that it descends to is."""
        cost = self._bounds.exact(string)
        if always or (self._best_first and cost < self._cost * _WORTH_DESCENDING):
            string, cost = self._bounds.descend(string)
        if cost < self._cost:
            self._string, self._cost = string, cost

    def _divide(self, box: CutBox, hint: Floats | None) -> None:
        """Bound a box, fix the variables that the bound decides, and divide by one that is open."""
        variables = self._bounds.variables
        for _ in range(_ROUNDS_OF_FIXING):
            found = self._bounds.bound(box, hint)
            hint = found.hint
            if self._excluded(found.least):
                return
            fixed, allowed = box
            for variable in variables.members(allowed & ~fixed):
                if self._excluded(float(found.without[variable])):
                    fixed |= variables.with_needed[variable]
                if self._excluded(float(found.with_cut[variable])):
                    allowed &= ~variables.with_dependent[variable]
            if fixed & ~allowed:
                return
            if CutBox(fixed, allowed) == box:
                break
            box = CutBox(fixed, allowed)
        self._improve(found.tried, always=False)
        if box.single:
            self._improve(variables.string(box.fixed), always=False)
            return
        self._push_halves(box, found)

    def _push_halves(self, box: CutBox, found: BoxBound) -> None:
        variables = self._bounds.variables
        members = variables.members(box.allowed & ~box.fixed)
        variable = members[int(np.argmax(found.order[members]))]
        with_it, without_it = box.halves(variables, variable)
        for half, bounds in ((without_it, found.without), (with_it, found.with_cut)):
            bound = max(found.least, float(bounds[variable]))
            if not self._excluded(bound):
                self._push(bound, half, found.hint)

    def _push(self, bound: float, box: CutBox, hint: Floats | None) -> None:
        size = self._bounds.variables.size(*box)
        self._settled -= size
        entry = (bound, self._pushed, box, hint, size)
        self._pushed += 1
        if self._best_first:
            heapq.heappush(self._open, entry)
        else:
            self._open.append(entry)

    def _state(self) -> LeastSoFar:
        return LeastSoFar(
            string=self._string,
            cost=self._cost,
            settled=self._size + self._settled,
            boxes=self._boxes,
        )

    def proved(self) -> float:
        """Return what no partition costs less than: the best cost, or the bound of an open box."""
        return min((self._cost, *(each[0] for each in self._open)))
