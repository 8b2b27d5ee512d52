"""Which hierarchy suits a quasi-identifying column: one of the builders, with its settings."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.domains.exact_number import is_whole
from sfumato.hierarchies.hierarchy import TOP
from sfumato.microdata.column_words import POSTCODE, column_words, tells
from sfumato.study.file.toml_text import TomlValue, value_text
from sfumato.study.proposal.proposed_groups import proposed_groups
from sfumato.study.proposal.proposed_hierarchy import Detail, ProposedHierarchy
from sfumato.study.proposal.proposed_roles import category_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.column_profile import ColumnProfile, DateShape, NumberShape
    from sfumato.study.proposal.value_behaviour import ValueBehaviour


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
    widths = _widths(span, unit, blocks) or _widths(whole_range, unit, blocks[-1:])
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


def _widths(span: Decimal, unit: Decimal, blocks: Sequence[int]) -> tuple[Decimal, ...]:
    """Return the steps that come nearest to cutting ``span`` into ``blocks``, by their ratios."""
    steps = [step for step in _steps(unit, span / 2) if step % unit == 0]
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


FEW_NUMBERS = 5
"""Up to this many different numbers are taken for categories."""
FEW_CODES = 30
LONGEST_CODE = 12


_BLOCKS = {Detail.FULL: (16, 8, 4), Detail.MIDDLE: (10, 4), Detail.COARSE: (5,)}
_LEVELS = {Detail.FULL: 5, Detail.MIDDLE: 2, Detail.COARSE: 1}


def proposed_hierarchy(
    profile: ColumnProfile,
    *,
    detail: Detail = Detail.FULL,
    behaviour: ValueBehaviour | None = None,
) -> ProposedHierarchy:
    """Return a hierarchy that fits every value of a column.

    Categories are grouped by their ``behaviour``, where that is known.
    """
    if profile.dates is not None:
        return _of_dates(profile.dates, detail)
    words = column_words(profile.name)
    codes = profile.codes
    postcode = tells(words, POSTCODE) and 1 < profile.longest <= LONGEST_CODE
    if codes is not None and codes.length >= 3:
        zeros = codes.digits and codes.leading_zeros
        text = profile.numbers is None and profile.distinct > FEW_CODES
        if postcode or zeros or (text and codes.length <= LONGEST_CODE):
            return _of_codes(codes.length, codes.length, detail)
    if postcode:
        return _of_codes(True, profile.longest, detail, *_lost_zeros(profile))
    if profile.numbers is not None and category_count(profile) > FEW_NUMBERS:
        found = _of_numbers(profile.numbers, detail)
        if found is not None:
            return found
    if behaviour is not None and not profile.comma_numbers:
        groups = proposed_groups(behaviour, detail=detail)
        if groups is not None:
            return groups
    remarks = (
        (
            "These are numbers with commas. Intervals read 1234.5 only: convert the column to use "
            "them.",
        )
        if profile.comma_numbers
        else ()
    )
    return ProposedHierarchy(settings={"flat": True}, levels=("the value", TOP), remarks=remarks)


def _of_dates(dates: DateShape, detail: Detail) -> ProposedHierarchy:
    years = (dates.last - dates.first).days / 365.25
    if years > 20:
        units = {Detail.FULL: ["month", "year", "decade"], Detail.MIDDLE: ["year", "decade"]}
    elif years > 1:
        units = {Detail.FULL: ["month", "quarter", "year"], Detail.MIDDLE: ["month", "year"]}
    else:
        units = {Detail.FULL: ["month", "quarter"], Detail.MIDDLE: ["month"]}
    chosen: list[str] = units.get(detail, units[Detail.MIDDLE][:1])
    settings: dict[str, TomlValue] = {"date": chosen}
    if dates.unit != "day":
        chosen = [unit for unit in chosen if unit != dates.unit] or ["year"]
        settings = {"date": chosen, "unit": dates.unit}
    remarks = []
    if dates.format is not None:
        settings["format"] = dates.format
        if "%y" in dates.format:
            remarks.append("Years of two digits: 00 to 68 are read as 2000 to 2068.")
    if dates.other_format is not None:
        remarks.append(
            f"Every value can also be read as {value_text(dates.other_format)}: check the format."
        )
    levels = (*(f"the {unit}" for unit in (dates.unit, *chosen)), TOP)
    return ProposedHierarchy(settings=settings, levels=levels, remarks=tuple(remarks))


def _of_codes(prefix: int | bool, longest: int, detail: Detail, *remarks: str) -> ProposedHierarchy:
    """Return prefixes: all lengths if they are few, else some that are evenly spread."""
    most = _LEVELS[detail]
    keep = list(range(longest - 1, 0, -1))
    settings: dict[str, TomlValue] = {"prefix": prefix}
    if len(keep) > most:
        keep = sorted({round(longest * i / (most + 1)) for i in range(1, most + 1)}, reverse=True)
        settings["keep"] = keep
    kept = [f"its first {counted(length, 'character')}" for length in keep]
    return ProposedHierarchy(settings=settings, levels=("the code", *kept, TOP), remarks=remarks)


def _lost_zeros(profile: ColumnProfile) -> tuple[str, ...]:
    if profile.numbers is None:
        return ()
    return ("The codes differ in length: perhaps leading zeros were lost before. Check them.",)


def _of_numbers(numbers: NumberShape, detail: Detail) -> ProposedHierarchy | None:
    proposed = proposed_widths(numbers, blocks=_BLOCKS[detail])
    if proposed is None:
        return None
    settings: dict[str, TomlValue] = {"intervals": [_number(width) for width in proposed.widths]}
    if proposed.unit != 1:
        settings["unit"] = _number(proposed.unit)
    elif not numbers.whole:
        settings["fractional"] = True
    settings |= {"low": _number(proposed.low), "high": _number(proposed.high)}
    remarks = (
        (
            "A few numbers lie far from all others. If they stand for something else, such as 999 "
            "for unknown, list them as markers under [missing] and set low and high anew.",
        )
        if proposed.stretched
        else ()
    )
    finest = (
        "the number"
        if proposed.unit == 1 and numbers.whole
        else f"intervals of {_number(proposed.unit)}"
    )
    widths = [f"intervals of {_number(width)}" for width in proposed.widths]
    return ProposedHierarchy(settings=settings, levels=(finest, *widths, TOP), remarks=remarks)


def _number(number: Decimal) -> int | float:
    return int(number) if is_whole(number) else float(number)
