"""How many are beside everybody who is released, in the smallest class that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.unit_values import UnitValues, unit_values

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.classes.classes import Classes
    from sfumato.classes.protected_groups import ProtectedGroups

_GONE = np.iinfo(np.int64).max


def kept_sizes(classes: Classes) -> UnitValues:
    """Return how many people of every candidate have which size as that of their smallest class.

    Only kept classes count: whoever has no released row is left out. Candidates and sizes ascend,
    so that sums over them are the same however the classes were reached.
    """
    released = classes.batch.protected(None)

    def size_of(view: ProtectedGroups, groups: Counts, codes: Counts) -> Counts:
        if view is released:
            return view.units[groups]
        return np.full(codes.shape, _GONE, dtype=np.int64)

    parts = [
        (found.candidates, found.values.astype(np.int64), found.units)
        for found in unit_values(classes, None, size_of, greatest=False)
    ]
    candidates, sizes, units = map(np.concatenate, zip(*parts, strict=True))
    some = sizes < _GONE
    candidates, sizes, units = candidates[some], sizes[some], units[some]
    order = np.lexsort((sizes, candidates))
    candidates, sizes, units = candidates[order], sizes[order], units[order]
    differs = (np.diff(candidates) != 0) | (np.diff(sizes) != 0)
    first = np.flatnonzero(np.concatenate(([True], differs)))[: candidates.shape[0]]
    if not first.shape[0]:
        return UnitValues(candidates, sizes, units)
    return UnitValues(candidates[first], sizes[first], np.add.reduceat(units, first))
