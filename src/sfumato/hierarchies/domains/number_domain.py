"""Domains whose leaves are units of a number line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.domains.exact_number import (
    Number,
    check_above_zero,
    check_order,
    exact_number,
    grid_line,
    is_whole,
    tidy_number,
    whole_units,
)
from sfumato.hierarchies.domains.number_style import PLAIN, NumberStyle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from sfumato.arrays import Codes

MOST_LEAVES = 5_000_000


@dataclass(frozen=True, kw_only=True)
class NumberDomain:
    """Leaf ``i`` is the interval [low + i·unit, low + (i+1)·unit).

    With unit 1 and whole numbers every leaf is one number, labelled as such ("39"), and a
    fraction is outside; ``fractional=True`` makes them intervals ("[39, 40)") that take fractions.
    ``closed`` adds the upper end of the last interval to it. Intervals are closed on the left,
    where MOEA §1.3.1 closes them on the right. All arithmetic is decimal and exact. ``style`` says
    how the values are written.

    >>> NumberDomain(low=0, unit=0.1, count=3).leaves
    ('[0, 0.1)', '[0.1, 0.2)', '[0.2, 0.3)')
    >>> NumberDomain(low=17, count=74).locate(["17", "39.0", "9e1", "91", "old"])
    array([ 0, 22, 73, -1, -1], dtype=int32)
    """

    low: Number
    unit: Number = 1
    count: int
    closed: bool = False
    fractional: bool = False
    style: NumberStyle = PLAIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", exact_number(self.low, setting="low"))
        object.__setattr__(self, "unit", exact_number(self.unit, setting="unit"))
        check_above_zero(self.exact_unit, setting="unit")
        if not 1 <= self.count <= MOST_LEAVES:
            raise SettingsError(
                f"a unit of {tidy_number(self.exact_unit)} from {tidy_number(self.exact_low)} on "
                f"would make {self.count:,} leaves",
                code="out-of-range",
                key="unit",
                found=tidy_number(self.exact_unit),
                expected=f"1 to {MOST_LEAVES:,} leaves",
                remedy="choose another unit, or declare low and high",
            )

    @classmethod
    def spanning(
        cls,
        *,
        low: Number,
        high: Number,
        unit: Number = 1,
        fractional: bool = False,
        style: NumberStyle = PLAIN,
    ) -> Self:
        """Return the domain from ``low`` to ``high``, both of which belong to it.

        Whole numbers at unit 1: every number is a leaf, ``high`` too. Otherwise, a ``high``
        that falls on a border closes the last interval rather than adding a leaf, so that age
        [10, 90] at unit 5 has 16 leaves and 15 bits (MOEA §1.4.2).

        >>> NumberDomain.spanning(low=17, high=90).count
        74
        >>> age = NumberDomain.spanning(low=10, high=90, unit=5)
        >>> age.count, age.leaves[0], age.leaves[-1]
        (16, '[10, 15)', '[85, 90]')
        """
        start = exact_number(low, setting="low")
        end = exact_number(high, setting="high")
        step = exact_number(unit, setting="unit")
        check_above_zero(step, setting="unit")
        check_order(start, end)
        full = whole_units(end, origin=start, unit=step)
        numbers = step == 1 and is_whole(start) and is_whole(end) and not fractional
        on_border = grid_line(full, origin=start, unit=step) == end
        closed = on_border and full > 0 and not numbers
        return cls(
            low=start,
            unit=step,
            count=full if closed else full + 1,
            closed=closed,
            fractional=fractional,
            style=style,
        )

    @property
    def ordered(self) -> bool:
        """True: numbers have distances."""
        return True

    @property
    def exact_low(self) -> Decimal:
        """The lower end of the first leaf."""
        return exact_number(self.low, setting="low")

    @property
    def exact_unit(self) -> Decimal:
        """The width of a leaf."""
        return exact_number(self.unit, setting="unit")

    @cached_property
    def exact_high(self) -> Decimal:
        """The upper end of the last leaf."""
        return grid_line(self.count, origin=self.exact_low, unit=self.exact_unit)

    @cached_property
    def whole(self) -> bool:
        """Whether every leaf is one whole number."""
        unit = self.exact_unit == 1 and is_whole(self.exact_low)
        return unit and not self.closed and not self.fractional

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The numbers, or the intervals as "[a, b)"."""
        if self.whole:
            first = int(self.exact_low)
            return tuple(map(str, range(first, first + self.count)))
        low, unit = self.exact_low, self.exact_unit
        lines = [
            tidy_number(grid_line(position, origin=low, unit=unit))
            for position in range(self.count + 1)
        ]
        labels = [f"[{start}, {end})" for start, end in pairwise(lines)]
        if self.closed:
            labels[-1] = f"[{lines[-2]}, {lines[-1]}]"
        return tuple(labels)

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every number, -1 where it lies outside or is not a number."""
        return np.fromiter(map(self._leaf, values), np.int32, len(values))

    def _leaf(self, text: str) -> int:
        number = self.style.parse(text)
        if number is None:
            return self._position.get(text, -1) if text.startswith("[") else -1
        low, unit, high, whole = self._exact
        if number < low or number > high or (whole and not is_whole(number)):
            return -1
        leaf = whole_units(number, origin=low, unit=unit)
        if leaf < self.count:
            return leaf
        return self.count - 1 if self.closed else -1

    @cached_property
    def _exact(self) -> tuple[Decimal, Decimal, Decimal, bool]:
        return self.exact_low, self.exact_unit, self.exact_high, self.whole

    @cached_property
    def _position(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.leaves)}
