"""How numbers are written: which sign is the decimal mark, and which one groups thousands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.hierarchies.domains.exact_number import parse_number

if TYPE_CHECKING:
    from decimal import Decimal

DECIMAL_MARKS = (".", ",", ",.")
THOUSANDS_SIGNS = ("", ",", ".", "'", " ")
_BLANKS = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2019": "'", "\u2212": "-"})
_GROUP = {"": "", " ": "[ ]", "'": "[']", ",": "[,]", ".": "[.]"}


@dataclass(frozen=True, kw_only=True)
class NumberStyle:
    """The decimal mark, and the sign between groups of three digits, if there is one.

    Both signs of ``,.`` are decimal marks where a column has both. Blanks stand for blanks of any
    width, and ``'`` for an apostrophe of any form. A number without its thousands sign is read too.

    >>> german = NumberStyle(decimal=",", thousands=".")
    >>> german.parse("1.234,50"), german.parse("1234,5"), german.parse("1.5")
    (Decimal('1234.50'), Decimal('1234.5'), None)
    >>> NumberStyle(thousands="'").parse("-1’000.25")
    Decimal('-1000.25')
    """

    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if self.decimal not in DECIMAL_MARKS:
            raise SettingsError.unknown_choice("decimal", self.decimal, DECIMAL_MARKS)
        if self.thousands not in THOUSANDS_SIGNS:
            raise SettingsError.unknown_choice("thousands", self.thousands, THOUSANDS_SIGNS)
        if self.thousands and self.thousands in self.decimal:
            raise SettingsError(
                f"{self.thousands!r} cannot be the decimal mark and group thousands too",
                code="conflicting-settings",
                key="thousands",
                found=repr(self.thousands),
            )

    @property
    def is_plain(self) -> bool:
        """Whether it is how programs write numbers, exponents included."""
        return self.decimal == "." and not self.thousands

    @cached_property
    def pattern(self) -> str:
        """The regular expression of a number, in the syntax of RE2 and of Python."""
        group = _GROUP[self.thousands]
        whole = f"(?:[0-9]+|[0-9]{{1,3}}(?:{group}[0-9]{{3}})+)" if group else "[0-9]+"
        return rf"\s*[+-]?{whole}(?:[{self.decimal}][0-9]+)?\s*"

    def parse(self, text: str) -> Decimal | None:
        """Return the number that a text spells, None if it spells none."""
        if self.is_plain:
            return parse_number(text)
        written = text.translate(_BLANKS)
        if not self._reads.fullmatch(written):
            return None
        for sign in (self.thousands, " "):
            written = written.replace(sign, "") if sign else written
        for mark in self.decimal:
            written = written.replace(mark, ".")
        return parse_number(written)

    @cached_property
    def _reads(self) -> re.Pattern[str]:
        return re.compile(self.pattern)


PLAIN = NumberStyle()
"""How programs write numbers."""
