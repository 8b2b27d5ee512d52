"""Which hierarchy suits a quasi-identifying column: one of the builders, with its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.domains.exact_number import is_whole
from sfumato.hierarchies.hierarchy import TOP
from sfumato.microdata.column_words import POSTCODE, column_words, tells
from sfumato.study.file.toml_text import TomlValue, value_text
from sfumato.study.proposal.proposed_groups import proposed_groups
from sfumato.study.proposal.proposed_hierarchy import MOST_LEVELS, ProposedHierarchy
from sfumato.study.proposal.proposed_roles import FEW_CODES, category_count
from sfumato.study.proposal.proposed_taxonomy import proposed_taxonomy
from sfumato.study.proposal.proposed_widths import proposed_widths

if TYPE_CHECKING:
    from decimal import Decimal

    from sfumato.engines.messages.column_profile import ColumnProfile, DateShape, NumberShape
    from sfumato.study.proposal.value_behaviour import ValueBehaviour

FEW_NUMBERS = 5
"""Up to this many different numbers are taken for categories."""
LONGEST_CODE = 12
_BLOCKS = ((5,), (5,), (10, 4), (16, 8, 4))
_UNITS = (
    (20, (("year",), ("year",), ("year", "decade"), ("month", "year", "decade"))),
    (1, (("month",), ("month",), ("month", "year"), ("month", "quarter", "year"))),
    (0, (("month",), ("month",), ("month", "quarter"), ("month", "quarter"))),
)
"""From how many years on, the units for 0, 1, 2 and more levels."""


def proposed_hierarchy(
    profile: ColumnProfile,
    *,
    most: int = MOST_LEVELS,
    behaviour: ValueBehaviour | None = None,
) -> ProposedHierarchy:
    """Return a hierarchy that fits every value of a column, of ``most`` levels below the top.

    Numbers, dates and codes keep one level at least. Values that a known taxonomy classifies go by
    it, other categories are grouped by their ``behaviour``, where that is known.
    """
    if profile.dates is not None:
        return _of_dates(profile.dates, most)
    words = column_words(profile.name)
    codes = profile.codes
    postcode = tells(words, POSTCODE) and 1 < profile.longest <= LONGEST_CODE
    known = proposed_taxonomy(profile, most=most)
    if known is not None:
        return known
    if codes is not None and codes.length >= 3:
        zeros = codes.digits and codes.leading_zeros
        text = profile.numbers is None and profile.distinct > FEW_CODES
        if postcode or zeros or (text and codes.length <= LONGEST_CODE):
            return _of_codes(profile, codes.length, codes.length, most)
    if postcode:
        return _of_codes(profile, True, profile.longest, most, *_lost_zeros(profile))
    if profile.numbers is not None and category_count(profile) > FEW_NUMBERS:
        found = _of_numbers(profile.numbers, most)
        if found is not None:
            return found
    if behaviour is not None:
        groups = proposed_groups(behaviour, most=most)
        if groups is not None:
            return groups
    return ProposedHierarchy(settings={"flat": True}, levels=("the value", TOP))


def _of_dates(dates: DateShape, most: int) -> ProposedHierarchy:
    years = (dates.last - dates.first).days / 365.25
    several = next(units for least, units in _UNITS if years > least or not least)
    chosen: list[str] = _that_merge(several[min(most, 3)], dates)
    settings: dict[str, TomlValue] = {"date": [*chosen]}
    if dates.unit != "day":
        chosen = [unit for unit in chosen if unit != dates.unit] or [dates.unit]
        settings = {"date": [*chosen], "unit": dates.unit}
    remarks = []
    if dates.format is not None:
        formats = [dates.format] if isinstance(dates.format, str) else list(dates.format)
        settings["format"] = formats[0] if len(formats) == 1 else [*formats]
        if any("%y" in each for each in formats):
            remarks.append("Years of two digits: 00 to 68 are read as 2000 to 2068.")
        if len(formats) > 1:
            remarks.append(
                "The dates are written in several ways. The first format that reads a date counts: "
                "check their order, if a date can be read in two ways."
            )
    if dates.other_format is not None:
        remarks.append(
            f"Every value can also be read as {value_text(dates.other_format)}: check the format."
        )
    units = dict.fromkeys((dates.unit, *chosen))
    levels = (*(f"the {unit}" for unit in units), TOP)
    return ProposedHierarchy(settings=settings, levels=levels, remarks=tuple(remarks))


def _that_merge(units: tuple[str, ...], dates: DateShape) -> list[str]:
    """Return the units that merge what the unit before does not, its own if none does."""
    counts: dict[str, int] = dict(dates.periods)
    if not counts:
        return [*units]
    chosen, before = [], counts[dates.unit]
    for unit in units:
        if 1 < counts[unit] < before:
            chosen.append(unit)
            before = counts[unit]
    return chosen or [dates.unit]


def _of_codes(
    profile: ColumnProfile, prefix: int | bool, longest: int, most: int, *remarks: str
) -> ProposedHierarchy:
    """Return prefixes: all lengths that merge codes if they are few, else some, evenly spread."""
    counts = dict(enumerate(profile.prefixes, start=1))
    every = list(range(longest - 1, 0, -1))
    keep = every
    if counts:
        merging = [n for n in every if 1 < counts.get(n, 0) < counts.get(n + 1, profile.distinct)]
        keep = merging or every[-1:]
    most = max(most, 1)
    if len(keep) > most:
        places = {round(len(keep) * i / (most + 1)) for i in range(1, most + 1)}
        keep = [keep[place] for place in sorted(places)]
    settings: dict[str, TomlValue] = {"prefix": prefix}
    if keep != every:
        settings["keep"] = [*keep]
    kept = [f"its first {counted(length, 'character')}" for length in keep]
    return ProposedHierarchy(settings=settings, levels=("the code", *kept, TOP), remarks=remarks)


def _lost_zeros(profile: ColumnProfile) -> tuple[str, ...]:
    if profile.numbers is None:
        return ()
    return ("The codes differ in length: perhaps leading zeros were lost before. Check them.",)


def _of_numbers(numbers: NumberShape, most: int) -> ProposedHierarchy | None:
    proposed = proposed_widths(numbers, blocks=_BLOCKS[min(most, 3)])
    if proposed is None:
        return None
    settings: dict[str, TomlValue] = {"intervals": [_number(width) for width in proposed.widths]}
    if proposed.unit != 1:
        settings["unit"] = _number(proposed.unit)
    elif not numbers.whole:
        settings["fractional"] = True
    settings |= {"low": _number(proposed.low), "high": _number(proposed.high)}
    style = numbers.style
    if style.decimal != ".":
        settings["decimal"] = style.decimal
    if style.thousands:
        settings["thousands"] = style.thousands
    remarks = []
    if proposed.stretched:
        remarks.append(
            "A few numbers lie far from all others. If they stand for something else, such as 999 "
            "for unknown, list them as markers under [missing] and set low and high anew."
        )
    if not style.is_plain:
        remarks.append(
            f"The numbers are written with {value_text(style.decimal)} as the decimal mark"
            + (f" and {value_text(style.thousands)} between thousands." if style.thousands else ".")
        )
    finest = (
        "the number"
        if proposed.unit == 1 and numbers.whole
        else f"intervals of {_number(proposed.unit)}"
    )
    widths = [f"intervals of {_number(width)}" for width in proposed.widths]
    levels = (finest, *widths, TOP)
    return ProposedHierarchy(settings=settings, levels=levels, remarks=tuple(remarks))


def _number(number: Decimal) -> int | float:
    return int(number) if is_whole(number) else float(number)
