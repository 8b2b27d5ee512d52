"""Numbers as people write them: exact decimals, so that ten units of 0.1 make 1."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal, InvalidOperation

from sfumato.errors import SettingsError

Number = int | float | str | Decimal
"""A number in a setting. Floats are taken as they print: 0.1 is one tenth."""

EXACT = Context(prec=120, rounding=ROUND_FLOOR)
"""Where domains calculate. What does not fit is rounded down, which never changes its unit."""

LARGEST_EXPONENT = 50


def parse_number(text: str) -> Decimal | None:
    """Return the number that a text spells, or None if it spells none below 10⁵¹.

    >>> parse_number("39.0") == 39, parse_number("1e2") == 100
    (True, True)
    >>> parse_number("nan"), parse_number("1_000"), parse_number("thirty")
    (None, None, None)
    """
    if "_" in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number:
        return Decimal(0)
    return number if number.is_finite() and number.adjusted() <= LARGEST_EXPONENT else None


def exact_number(value: Number, *, setting: str) -> Decimal:
    """Return a setting as an exact decimal.

    >>> exact_number(0.1, setting="unit")
    Decimal('0.1')
    >>> exact_number("wide", setting="unit")
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: unit is 'wide'; it must be a finite number like 5 or 0.1
    """
    number = None if isinstance(value, bool) else parse_number(str(value))
    if number is None:
        raise SettingsError.wrong_setting(
            setting, value, "a finite number like 5 or 0.1", code="not-a-number"
        )
    return number


def check_above_zero(number: Decimal, *, setting: str) -> None:
    """Refuse a setting that is zero or negative."""
    if number <= 0:
        raise SettingsError(
            code="out-of-range", key=setting, found=tidy_number(number), expected="above 0"
        )


def check_order(low: Decimal, high: Decimal) -> None:
    """Refuse a span of numbers that ends before it begins.

    >>> check_order(Decimal(90), Decimal(17))
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: low is 90; it must be at most high, 17
    """
    if high < low:
        raise SettingsError(
            code="conflicting-settings",
            key="low",
            found=tidy_number(low),
            expected=f"at most high, {tidy_number(high)}",
        )


def is_whole(number: Decimal) -> bool:
    """Return whether a number is an integer.

    >>> is_whole(Decimal("39.0")), is_whole(Decimal("39.5"))
    (True, False)
    """
    return number == number.to_integral_value()


def tidy_number(number: Decimal) -> str:
    """Return the shortest plain spelling of a number.

    >>> tidy_number(Decimal("0.30")), tidy_number(Decimal("1E+2")), tidy_number(Decimal("-0.0"))
    ('0.3', '100', '0')
    """
    return format(number.normalize(EXACT), "f") if number else "0"


def whole_units(number: Decimal, *, origin: Decimal, unit: Decimal) -> int:
    """Return ⌊(number − origin) / unit⌋, exactly.

    >>> whole_units(Decimal("0.3"), origin=Decimal(0), unit=Decimal("0.1"))
    3
    >>> whole_units(Decimal(-1), origin=Decimal(0), unit=Decimal(5))
    -1
    """
    ratio = EXACT.divide(EXACT.subtract(number, origin), unit)
    return int(ratio.to_integral_value(rounding=ROUND_FLOOR, context=EXACT))


def grid_line(position: int, *, origin: Decimal, unit: Decimal) -> Decimal:
    """Return origin + position · unit.

    >>> grid_line(3, origin=Decimal(0), unit=Decimal("0.1"))
    Decimal('0.3')
    """
    return EXACT.fma(unit, Decimal(position), origin)
