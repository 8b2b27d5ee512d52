"""Widths of intervals that suit the numbers of a column."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.column_profile import NumberShape


MOST_LEAVES = 100_000
_WHOLE_LEAVES = 1_000
_FRACTION_LEAVES = 200
_FAR_OFF = 4


@dataclass(frozen=True, kw_only=True)
class ProposedWidths:
    """The settings of intervals; ``stretched`` if a few numbers lie far from all others."""

    widths: tuple[Decimal, ...]
    unit: Decimal
    low: Decimal
    high: Decimal
    stretched: bool


def proposed_widths(numbers: NumberShape, *, blocks: Sequence[int]) -> ProposedWidths | None:
    """Return widths that cut the range into about so many blocks, and borders that cover it.

    A few numbers that lie far off do not set the widths, only the borders. Borders are rounded
    outward to the first width, which also keeps the extremes of the data to themselves. None if
    the numbers are too close together.
    """
    whole_range = numbers.greatest - numbers.least
    if not whole_range:
        return None
    bulk = numbers.bulk_high - numbers.bulk_low
    stretched = 0 < bulk * _FAR_OFF < whole_range
    span = bulk if stretched else whole_range
    unit = _unit(numbers, span)
    if whole_range / unit > MOST_LEAVES:
        unit = max(unit, _step_up(whole_range / MOST_LEAVES))
    # A width that all numbers are multiples of would merge none of them.
    above = max(unit, numbers.step or unit)
    widths = _widths(span, unit, above, blocks) or _widths(whole_range, unit, above, blocks[-1:])
    if not widths:
        return None
    first = widths[0]
    return ProposedWidths(
        widths=widths,
        unit=unit,
        low=(numbers.least / first).to_integral_value(ROUND_FLOOR) * first,
        high=(numbers.greatest / first).to_integral_value(ROUND_CEILING) * first,
        stretched=stretched,
    )


def _unit(numbers: NumberShape, span: Decimal) -> Decimal:
    if numbers.whole:
        return max(Decimal(1), _step_down(span / _WHOLE_LEAVES))
    smallest = Decimal(1).scaleb(-numbers.decimals) if numbers.decimals else Decimal(0)
    return max(smallest, _step_down(span / _FRACTION_LEAVES))


def _widths(
    span: Decimal, unit: Decimal, above: Decimal, blocks: Sequence[int]
) -> tuple[Decimal, ...]:
    """Return the steps above a width that cut ``span`` into about ``blocks``, by their ratios."""
    steps = [step for step in _steps(above, span / 2) if step % unit == 0]
    for count in range(len(blocks), 0, -1):
        wanted = [span / block for block in blocks[-count:]]
        chains = [
            chain
            for chain in combinations(steps, count)
            if all(wide % narrow == 0 for narrow, wide in pairwise(chain))
        ]
        if chains:
            return min(
                chains,
                key=lambda chain: sum(
                    abs((width / want).ln()) for width, want in zip(chain, wanted, strict=True)
                ),
            )
    return ()


def _steps(above: Decimal, most: Decimal) -> list[Decimal]:
    """Return the steps of 1, 2 and 5 above one number and up to another."""
    steps = []
    step = _step_down(above)
    while step <= most:
        if step > above:
            steps.append(step)
        step = _next_step(step)
    return steps


def _next_step(step: Decimal) -> Decimal:
    digit = step.as_tuple().digits[0]
    return step * 5 / 2 if digit == 2 else step * 2


def _step_down(number: Decimal) -> Decimal:
    """Return the greatest step up to a number.

    >>> _step_down(Decimal("0.37")), _step_down(Decimal(5))
    (Decimal('0.2'), Decimal('5'))
    """
    power = Decimal(1).scaleb(number.adjusted())
    return max(power * digit for digit in (1, 2, 5) if power * digit <= number)


def _step_up(number: Decimal) -> Decimal:
    step = _step_down(number)
    return step if step == number else _next_step(step)
