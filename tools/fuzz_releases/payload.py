"""Columns beside the quasi-identifiers: what becomes of their values, by rules of their own.

Only `Payload.rule` speaks to sfumato.
"""

from __future__ import annotations

import datetime
import unicodedata
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import sfumato as sf

_INVISIBLE = "\u200b\u00ad\u2060"


@dataclass(frozen=True, kw_only=True)
class Payload:
    """A sensitive or insensitive column, and how its values are changed.

    ``change`` is "none", "numbers" (rounded to ``unit``, then capped), "dates" (capped, then
    shortened to ``unit``) or "spelling".
    """

    name: str
    change: str = "none"
    unit: str | None = None
    top: str | None = None
    bottom: str | None = None

    @property
    def rule(self) -> sf.CoarseNumbers | sf.CoarseDates | None:
        """What the study is given to coarsen the column."""
        if self.change == "numbers":
            return sf.CoarseNumbers(round=self.unit, top=self.top, bottom=self.bottom)
        if self.change == "dates":
            return sf.CoarseDates(unit=self.unit or "day", top=self.top, bottom=self.bottom)  # type: ignore[arg-type]
        return None

    def released(self, value: str) -> str:
        """Return what is released in place of a value that is not missing; spellings apart."""
        if self.change == "numbers":
            return self._coarse_number(Decimal(value))
        if self.change == "dates":
            return self._coarse_date(datetime.date.fromisoformat(value))
        return value

    def read(self, text: str) -> str:
        """Return a cell of a release in the one form that values are compared in."""
        try:
            return plain_number(Decimal(text)) if self.change == "numbers" else text
        except ArithmeticError:
            return text

    def _coarse_number(self, number: Decimal) -> str:
        if self.unit is not None:
            unit = Decimal(self.unit)
            half_up = (number / unit + Decimal("0.5")).to_integral_value(ROUND_FLOOR)
            number = half_up * unit
        if self.top is not None:
            number = min(number, Decimal(self.top))
        if self.bottom is not None:
            number = max(number, Decimal(self.bottom))
        return plain_number(number)

    def _coarse_date(self, day: datetime.date) -> str:
        if self.top is not None:
            day = min(day, datetime.date.fromisoformat(self.top))
        if self.bottom is not None:
            day = max(day, datetime.date.fromisoformat(self.bottom))
        return {
            "day": day.isoformat(),
            "month": f"{day.year:04}-{day.month:02}",
            "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
            "year": f"{day.year:04}",
            "decade": f"{day.year // 10 * 10:04}s",
        }[self.unit or "day"]


def plain_number(number: Decimal) -> str:
    """Return a number without an exponent and without needless zeros."""
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def normal_spelling(value: str) -> str:
    """Return the spelling that a value is written with: what all those alike have in common."""
    bare = "".join(c for c in unicodedata.normalize("NFKC", value) if c not in _INVISIBLE)
    folded = unicodedata.normalize("NFKC", bare.casefold())
    return " ".join(folded.split()) or " "
