"""The SQL of coarser numbers and dates, one text for all engines.

Numbers are decimals of fixed length, so that every engine gives the same digits: for a unit u,
n - (n mod u) is the multiple below n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sfumato.engines.messages.coarsening import DIGITS, WHOLE_DIGITS, CoarseNumbers
from sfumato.hierarchies.domains.date_unit import UNITS
from sfumato.hierarchies.domains.exact_number import tidy_number

if TYPE_CHECKING:
    from sfumato.engines.messages.coarsening import CoarseDates, CoarsenedValues
    from sfumato.engines.sql.session import SqlDialect

_DECIMAL = f"DECIMAL({WHOLE_DIGITS + DIGITS}, {DIGITS})"
_QUARTERS = (("01", "02", "03"), ("04", "05", "06"), ("07", "08", "09"), ("10", "11", "12"))


class CoarseColumn(NamedTuple):
    """Steps that read a value and change it; each is a column that the next may name.

    ``read`` is missing where a value cannot be read. ``text`` is what is released.
    """

    steps: tuple[tuple[str, str], ...]
    read: str
    text: str


def coarse_column(
    dialect: SqlDialect, given: CoarsenedValues, text: str, *, place: int
) -> CoarseColumn:
    """Return how the texts of a column are read and coarsened; ``place`` makes names unique."""
    if isinstance(given.rule, CoarseNumbers):
        return _numbers(given.rule, text, place)
    return _dates(dialect, given.rule, text, place)


def is_missing(dialect: SqlDialect, given: CoarsenedValues, text: str) -> str:
    """Return the SQL of whether a text is a missing value, which stays as it is."""
    markers = ", ".join(map(dialect.literal, given.markers))
    return f"({text} IS NULL{f' OR {text} IN ({markers})' if markers else ''})"


def _numbers(rule: CoarseNumbers, text: str, place: int) -> CoarseColumn:
    number, rest = f"n{place}", f"r{place}"
    steps = [(number, f"try_cast({text} AS {_DECIMAL})")]
    shown = number
    if rule.round is not None:
        unit = _decimal(rule.round)
        below = f"{number} % {unit}"
        steps.append(
            (
                rest,
                f"CASE WHEN {number} < 0 AND {below} <> 0 THEN {below} + {unit} ELSE {below} END",
            )
        )
        low = f"CAST({number} - {rest} AS {_DECIMAL})"
        half_way = f"{rest} + {rest} >= {unit}"
        shown = f"CAST(CASE WHEN {half_way} THEN {low} + {unit} ELSE {low} END AS {_DECIMAL})"
    capped = shown
    if rule.top is not None:
        capped = f"least({capped}, {_decimal(rule.top)})"
    if rule.bottom is not None:
        capped = f"greatest({capped}, {_decimal(rule.bottom)})"
    steps.append((f"k{place}", f"CASE WHEN {number} IS NULL THEN NULL ELSE {capped} END"))
    # Without the zeros behind the point, and the point if nothing else is behind it.
    digits = f"regexp_replace(CAST(k{place} AS STRING), '[.]?0+$', '')"
    return CoarseColumn(tuple(steps), number, digits)


def _decimal(number: object) -> str:
    return f"CAST('{tidy_number(number)}' AS {_DECIMAL})"  # type: ignore[arg-type]


def _dates(dialect: SqlDialect, rule: CoarseDates, text: str, place: int) -> CoarseColumn:
    whole, day = f"d{place}", f"e{place}"
    # A month, or a year, is read where nothing finer is asked for.
    shorter = "".join(
        f" WHEN length({text}) = {length} THEN {text} || {dialect.literal(rest)}"
        for unit, length, rest in (("month", 7, "-01"), ("year", 4, "-01-01"))
        if UNITS.index(rule.unit) >= UNITS.index(unit)
    )
    alone = f"(length({text}) = 10 OR substr({text}, 11, 1) IN (' ', 'T'))"
    begins = f"CASE WHEN {alone} THEN substr({text}, 1, 10){shorter} END"
    formed = " AND ".join(f"substr({whole}, {position}, 1) = '-'" for position in (5, 8))
    steps = [
        (whole, begins),
        (
            day,
            f"CASE WHEN {formed} AND length(trim({whole})) = 10 AND "
            f"try_cast({whole} AS DATE) IS NOT NULL THEN {whole} END",
        ),
    ]
    capped = day
    if rule.top is not None:
        capped = f"least({capped}, {dialect.literal(str(rule.top))})"
    if rule.bottom is not None:
        capped = f"greatest({capped}, {dialect.literal(str(rule.bottom))})"
    kept = f"k{place}"
    steps.append((kept, f"CASE WHEN {day} IS NULL THEN NULL ELSE {capped} END"))
    return CoarseColumn(tuple(steps), day, _period(rule, kept))


def _period(rule: CoarseDates, day: str) -> str:
    """Return the SQL of how the period of a day is written."""
    if rule.unit == "quarter":
        month = f"substr({day}, 6, 2)"
        which = " ".join(
            f"WHEN {month} IN ({', '.join(map(repr, months))}) THEN '-Q{number}'"
            for number, months in enumerate(_QUARTERS, start=1)
        )
        return f"substr({day}, 1, 4) || CASE {which} END"
    if rule.unit == "decade":
        return f"substr({day}, 1, 3) || '0s'"
    length = {"day": 10, "month": 7, "year": 4}[rule.unit]
    return f"substr({day}, 1, {length})"
