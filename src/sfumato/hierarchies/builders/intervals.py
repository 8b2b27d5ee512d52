"""Hierarchies of number intervals that grow wider from level to level."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.builder import check_list
from sfumato.hierarchies.builders.coverage import check_covers
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
from sfumato.hierarchies.domains.number_domain import NumberDomain
from sfumato.hierarchies.domains.number_style import NumberStyle
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """Numbers in units, then intervals of the given widths, then ``*``.

    Borders lie at ``origin`` plus multiples of the width. Every width is a multiple of the one
    before, and the first of the unit. ``low`` and ``high`` declare the domain, moved outward
    to whole units; without them it spans the numbers that occur. A width that merges nothing
    is kept as a level of its own. One that makes a single block of a declared domain is left to
    the top; without one it stays, or the levels would tell how far the numbers reach. At unit 1
    whole numbers are expected, each a leaf; ``fractional`` makes leaves intervals that take
    fractions. It is declared, because the only fraction may be that of somebody who is suppressed.
    ``decimal`` and ``thousands`` say how the numbers are written, if not as 1234.5.

    Intervals are closed on the left; MOEA §1.3.1 closes them on the right, so its
    ⟨[10,30], (30,50], …⟩ is ours with the borders moved to the next interval, and G(35) is the
    second block in both:

    >>> age = Intervals(widths=(20,), unit=5, low=10, high=90, origin=10).build([], column="age")
    >>> age.leaf_count, age.labels[1]
    (16, ('[10, 30)', '[30, 50)', '[50, 70)', '[70, 90]'))
    >>> age.levels[1][age.locate(["35"])]
    array([1], dtype=int32)
    """

    widths: Sequence[Number] = (5, 10, 20, 40)
    unit: Number = 1
    low: Number | None = None
    high: Number | None = None
    origin: Number = 0
    fractional: bool = False
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        check_list(self.widths, setting="widths", example="(5, 10, 20)")
        object.__setattr__(self, "widths", tuple(self.widths))
        _ = self.style
        unit = exact_number(self.unit, setting="unit")
        exact_number(self.origin, setting="origin")
        check_above_zero(unit, setting="unit")
        base = unit
        for position, width in enumerate(self._widths()):
            _check_width(width, base=base, first=position == 0)
            base = width
        low, high = self._declared()
        if low is not None and high is not None:
            check_order(low, high)

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever numbers occur."""
        return self.low is not None and self.high is not None

    @property
    def style(self) -> NumberStyle:
        """How the numbers are written."""
        return NumberStyle(decimal=self.decimal, thousands=self.thousands)

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the declared numbers, or else of the span that occurs."""
        domain = self._domain(values, column)
        _refuse_fractions(domain, values, column)
        levels: list[Codes] = [sealed_codes(np.arange(domain.count))]
        labels: list[tuple[str, ...]] = [domain.leaves]
        for width in self._widths():
            codes, names = self._blocks(domain, width)
            if len(names) > 1 or not self.domain_is_declared:
                levels.append(codes)
                labels.append(names)
        levels.append(sealed_codes(np.zeros(domain.count)))
        hierarchy = Hierarchy(domain=domain, levels=tuple(levels), labels=(*labels, (TOP,)))
        check_covers(hierarchy, values, column=column, add_to="the domain (low, high)")
        return hierarchy

    def _domain(self, values: Sequence[str], column: str) -> NumberDomain:
        parsed = [self.style.parse(value) for value in values]
        numbers = [number for number in parsed if number is not None]
        if len(numbers) < len(values):
            unread = [value for value, number in zip(values, parsed, strict=True) if number is None]
            raise HierarchyError(
                f"column {column!r} has {counted(len(unread), 'value')} that "
                f"{'is not a number' if len(unread) == 1 else 'are not numbers'}: {listed(unread)}",
                code="not-a-number",
                column=column,
                remedy="numbers are written as 39, 39.5 or 1e3, or as decimal and thousands say; "
                "declare other texts as missing, or use another builder",
            )
        low, high = self._declared()
        if not numbers and (low is None or high is None):
            raise HierarchyError(
                "there are no values to build intervals of",
                code="no-values",
                column=column,
                remedy="declare low and high",
            )
        start = low if low is not None else min(numbers)
        end = high if high is not None else max(numbers)
        if end < start:
            raise HierarchyError(
                "the numbers lie outside the declared domain, which would go from "
                f"{tidy_number(start)} to {tidy_number(end)}",
                code="outside-domain",
                column=column,
                remedy="declare low and high around the numbers that occur",
            )
        origin = exact_number(self.origin, setting="origin")
        unit = exact_number(self.unit, setting="unit")
        first = whole_units(start, origin=origin, unit=unit)
        with located(column=column):
            if high is None:
                # An interval that ended in the greatest number that occurs, "[85, 90]", would
                # tell that it does: whose it is may be known.
                last = whole_units(end, origin=origin, unit=unit)
                return NumberDomain(
                    low=grid_line(first, origin=origin, unit=unit),
                    unit=unit,
                    count=last - first + 1,
                    fractional=self.fractional,
                    style=self.style,
                )
            if low is None and grid_line(first, origin=origin, unit=unit) == end:
                # The last interval is closed, whether or not a number below it occurs.
                first -= 0 if self._whole(end, unit, origin) else 1
            return NumberDomain.spanning(
                low=grid_line(first, origin=origin, unit=unit),
                high=end,
                unit=unit,
                fractional=self.fractional,
                style=self.style,
            )

    def _whole(self, end: Decimal, unit: Decimal, origin: Decimal) -> bool:
        """Return whether every leaf is one whole number."""
        return unit == 1 and is_whole(origin) and is_whole(end) and not self.fractional

    def _blocks(self, domain: NumberDomain, width: Decimal) -> tuple[Codes, tuple[str, ...]]:
        """Return the block of every leaf at one width, and the labels of the blocks."""
        origin = exact_number(self.origin, setting="origin")
        unit = domain.exact_unit
        leaves_per_block = whole_units(width, origin=Decimal(0), unit=unit)
        first_leaf = whole_units(domain.exact_low, origin=origin, unit=unit)
        first_block, into_block = divmod(first_leaf, leaves_per_block)
        begins = np.zeros(domain.count, dtype=np.int32)
        begins[leaves_per_block - into_block :: leaves_per_block] = 1
        codes = sealed_codes(np.cumsum(begins))
        blocks = range(first_block, first_block + int(codes[-1]) + 2)
        lines = [grid_line(block, origin=origin, unit=width) for block in blocks]
        names = [f"[{tidy_number(start)}, {tidy_number(end)})" for start, end in pairwise(lines)]
        if domain.closed and lines[-1] == domain.exact_high:
            names[-1] = names[-1][:-1] + "]"
        return codes, tuple(names)

    def _widths(self) -> list[Decimal]:
        return [exact_number(width, setting="widths") for width in self.widths]

    def _declared(self) -> tuple[Decimal | None, Decimal | None]:
        return (
            None if self.low is None else exact_number(self.low, setting="low"),
            None if self.high is None else exact_number(self.high, setting="high"),
        )


def _refuse_fractions(domain: NumberDomain, values: Sequence[str], column: str) -> None:
    """Refuse fractions among whole numbers, which would be leaves of another form."""
    numbers = {value: domain.style.parse(value) for value in values} if domain.whole else {}
    broken = [text for text, number in numbers.items() if number is None or not is_whole(number)]
    if broken:
        are = "is not whole" if len(broken) == 1 else "are not whole"
        raise HierarchyError(
            f"column {column!r} has {counted(len(broken), 'number')} that {are}: {listed(broken)}",
            code="not-whole",
            column=column,
            key="fractional",
            found="False",
            remedy="set fractional to true for intervals like [39, 40), or choose a finer unit",
        )


def _check_width(width: Decimal, *, base: Decimal, first: bool) -> None:
    """Raise SettingsError unless a width is a multiple of what comes before it."""
    times = max(1, int((width / base).to_integral_value()))
    nearest = base * times
    if width == nearest and (first or times > 1):
        return
    before = "the unit" if first else "the width before"
    working = nearest if first else base * max(2, times)
    raise SettingsError(
        f"the width {tidy_number(width)} is not a {'' if first else 'larger '}multiple of "
        f"{before}, {tidy_number(base)}",
        code="not-a-multiple",
        key="widths",
        found=tidy_number(width),
        suggestion=tidy_number(working),
    )
