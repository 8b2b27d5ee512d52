"""What HIPAA's Safe Harbor lists and a study coarsens: places, dates and the ages of the old.

45 CFR 164.514(b)(2)(i), B and C: geographic units smaller than a state, elements of dates other
than the year, and ages over 89. They identify nobody by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.recognition.identifier_kind import IdentifierKind
from sfumato.recognition.words import column_words, tells

if TYPE_CHECKING:
    from collections.abc import Sequence

OLDEST = 89
"""Ages above this are to be one category: 90 and older, for which 90 alone stands."""

_MONTH = r"(?:0?[1-9]|1[0-2])"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TIME = r"(?:[ T].*)?"

DATES = IdentifierKind(
    name="date",
    title="dates finer than a year",
    patterns=(
        rf"\d{{4}}-{_MONTH}(?:-{_DAY}{_TIME})?",
        r"\d{4}-(?:Q[1-4]|W\d{2})",
        rf"\d{{4}}/{_MONTH}/{_DAY}{_TIME}",
        rf"{_DAY}[./-]{_MONTH}[./-](?:\d{{2}}|\d{{4}}){_TIME}",
        rf"{_MONTH}/{_DAY}/(?:\d{{2}}|\d{{4}}){_TIME}",
    ),
    safe_harbor="C",
)

AGES = IdentifierKind(
    name="age",
    title=f"ages over {OLDEST}",
    words=frozenset(("age", "alter", "edad", "eta", "leeftijd", "wiek", "idade", "alder", "ika")),
    safe_harbor="C",
)

POSTCODE_WORDS = frozenset(
    word
    for line in (
        "zip zipcode postcode postal postalcode plz postleitzahl pincode cap postnummer postnr",
        "codigopostal codepostal codpostal kodpocztowy psc",
    )
    for word in line.split()
)

PLACES = IdentifierKind(
    name="place",
    title="geographic units smaller than a state",
    words=POSTCODE_WORDS
    | frozenset(
        word
        for line in (
            "city town village county district municipality precinct parish suburb",
            "neighbourhood neighborhood latitude longitude",
            "ort wohnort stadt gemeinde kreis landkreis stadtteil bezirk ville commune",
            "arrondissement departement ciudad municipio citta comune cidade stad miasto gmina",
            "powiat kommune kommun geocode geohash",
        )
        for word in line.split()
    ),
    safe_harbor="B",
)

COARSENABLE = (DATES, AGES, PLACES)
"""The kinds, in the order in which they are asked for."""


def coarsenable_seen(name: str, values: Sequence[str]) -> IdentifierKind | None:
    """Return what Safe Harbor asks to coarsen in a column: dates by their shape, ages by both.

    Places are told by the name of the column alone.

    >>> coarsenable_seen("visit", ["2024-03-01", "2024-05-17", "2023-11-30"]).title
    'dates finer than a year'
    >>> coarsenable_seen("visit", ["2024", "2023", "2022"]) is None
    True
    >>> coarsenable_seen("age", ["17", "93"]).title
    'ages over 89'
    """
    if DATES.fits_most(values):
        return DATES
    words = column_words(name)
    if tells(words, AGES.words):
        told = {_number(value) for value in values} - {OLDEST + 1}
        return AGES if any(age > OLDEST for age in told) else None
    return PLACES if tells(words, PLACES.words) else None


def _number(value: str) -> float:
    """Return a number, one that is less than any age for other texts."""
    try:
        return float(value)
    except ValueError:
        return -1.0
