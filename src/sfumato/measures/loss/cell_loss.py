"""The general loss metric in exact arithmetic (Iyengar, 2002).

A loss is Σ over the quasi-identifiers of weight · extents / (|domain| - 1). Summed one by one in
floating point, equal losses can differ in their last bits, and a front would list a recoding that
is beaten by rounding only. So the sum has a common denominator: equal losses are equal numbers, and
a greater loss is never a smaller number.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Floats

_EXACT_FLOAT = 2**53
_ROOM = 2**62


@dataclass(frozen=True)
class CellLoss:
    """Sums of cell losses of columns with given ``widths``, |domain| - 1, and ``weights``.

    The loss is (whole + rest / denominator) / scale with whole numbers ``whole`` and ``rest``,
    ``rest`` below the denominator: one form for every rational number.

    >>> CellLoss((3, 7), (1.0, 1.0)).total(np.array([[1, 0], [0, 7], [3, 7]])).tolist()
    [0.3333333333333333, 1.0, 2.0]
    """

    widths: tuple[int, ...]
    weights: tuple[float, ...]

    @functools.cached_property
    def _fractions(self) -> tuple[Fraction, ...]:
        # As written: a weight of 0.1 is a tenth, not the binary number next to it.
        return tuple(Fraction(repr(float(weight))) for weight in self.weights)

    @functools.cached_property
    def scale(self) -> int:
        """The common denominator of the weights."""
        return math.lcm(*(weight.denominator for weight in self._fractions))

    @functools.cached_property
    def denominator(self) -> int:
        """The common denominator of the cell losses."""
        return math.lcm(*self.widths)

    @functools.cached_property
    def _factors(self) -> tuple[int, ...]:
        return tuple(int(weight * self.scale) for weight in self._fractions)

    @functools.cached_property
    def _parts(self) -> tuple[int, ...]:
        return tuple(self.denominator // width for width in self.widths)

    @functools.cached_property
    def _coefficients(self) -> Counts:
        parts = zip(self._factors, self._parts, strict=True)
        return np.array([factor * part for factor, part in parts], dtype=np.int64)

    @functools.cached_property
    def total_weight(self) -> float:
        """The sum of the weights: what a suppressed row loses."""
        return float(sum(self._fractions))

    def total(self, extents: Counts) -> Floats:
        """Return the loss of every row of ``extents``, which has a column for each QI."""
        if not extents.shape[0]:
            return np.zeros(0, dtype=np.float64)
        greatest = max(int(extents.max()), 1) * max(self._factors, default=1)
        columns = max(1, len(self.widths))
        # Beyond 53 bits NumPy would round a numerator before it divides; Python's integers do not.
        exact = self.denominator < _EXACT_FLOAT
        if exact and columns * greatest * max(self._parts, default=1) < _ROOM:
            return self._floats(*np.divmod(extents @ self._coefficients, self.denominator))
        if not exact or columns * self.denominator >= _ROOM or columns * greatest >= _ROOM:
            return np.array([self.of(row) for row in extents.tolist()], dtype=np.float64)
        whole: Counts = np.zeros(extents.shape[0], dtype=np.int64)
        rest: Counts = np.zeros(extents.shape[0], dtype=np.int64)
        for q, width in enumerate(self.widths):
            cells, left = np.divmod(extents[:, q] * self._factors[q], width)
            whole += cells
            rest += left * self._parts[q]
        more, rest = np.divmod(rest, self.denominator)
        return self._floats(whole + more, rest)

    def _floats(self, whole: Counts, rest: Counts) -> Floats:
        losses: Floats = (whole + rest / self.denominator) / self.scale
        return losses

    def of(self, extents: Sequence[int]) -> float:
        """Return the loss of one row of extents; the same number as `total` gives."""
        return self.of_numerator(sum(self.numerator(q, extent) for q, extent in enumerate(extents)))

    def numerator(self, q: int, extent: int) -> int:
        """Return what the extent of one column adds to the numerator of the loss."""
        return extent * self._factors[q] * self._parts[q]

    def of_numerator(self, numerator: int) -> float:
        """Return the loss with a numerator, over the common denominator."""
        whole, rest = divmod(numerator, self.denominator)
        return (float(whole) + rest / self.denominator) / self.scale


@functools.lru_cache(maxsize=256)
def cell_loss(widths: tuple[int, ...], weights: tuple[float, ...]) -> CellLoss:
    """Return the sums of cell losses of these columns, with what they need computed once."""
    return CellLoss(widths, weights)
