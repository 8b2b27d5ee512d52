"""Common refinements of groupings, each found once and kept as long as both groupings live."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Codes, Counts


class Refined(NamedTuple):
    """The common refinement of two groupings: the group in either, and the rows, of each part."""

    first: Counts
    second: Counts
    counts: Counts


class Refinements:
    """Refinements by the two arrays that group the individuals; arrays are told apart by identity.

    Nothing is kept of an array that is gone, so that comparing many anonymizations one after
    another does not pile up.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[ref[Codes], ref[Codes], Refined]] = {}

    def find(self, first: Codes, second: Codes, make: Callable[[], Refined]) -> Refined:
        """Return the refinement of two groupings, made now if it was not before."""
        key = id(first), id(second)
        known = self._found.get(key)
        if known is not None and known[0]() is first and known[1]() is second:
            return known[2]

        def forget(_: object) -> None:
            self._found.pop(key, None)

        found = make()
        self._found[key] = ref(first, forget), ref(second, forget), found
        return found
