"""Categories that have an order: numbers, bands like ``18-24`` and ``65+``, and known scales."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.hierarchies.domains.exact_number import parse_number
from sfumato.study.proposal.scales import SCALES

if TYPE_CHECKING:
    from collections.abc import Sequence

_BELOW = re.compile(r"<|≤|\b(under|below|less|younger|up to|at most|unter|bis zu|moins|menos)\b")
_ABOVE = re.compile(r">|≥|\+|\b(over|above|more|older|plus|at least|from|über|ab|mehr|más)\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BAND_WORDS = re.compile(
    r"[\s<>≤≥=+\-–—.,()\[\]_/]|\b(to|and|than|or|years?|yrs?|old|of age|bis|und|jahren?|ans?|años"
    r"|under|below|less|younger|up to|at most|unter|bis zu|moins|menos"
    r"|over|above|more|older|plus|at least|from|über|ab|mehr|más)\b"
)


def in_order(values: Sequence[str]) -> tuple[str, ...] | None:
    """Return categories from the least to the greatest, None if no order is known.

    >>> in_order(["high", "low", "medium"])
    ('low', 'medium', 'high')
    >>> in_order(["65+", "under 18", "18-39", "40-64"])
    ('under 18', '18-39', '40-64', '65+')
    >>> in_order(["red", "green", "blue"])
    """
    return _of_numbers(values) or _of_bands(values) or _of_scale(values)


def _of_numbers(values: Sequence[str]) -> tuple[str, ...] | None:
    numbers = {}
    for value in values:
        number = parse_number(value)
        if number is None:
            return None
        numbers[number] = value
    return tuple(numbers[n] for n in sorted(numbers)) if len(numbers) == len(values) else None


def _of_bands(values: Sequence[str]) -> tuple[str, ...] | None:
    """Return bands by their borders, if none reaches into another."""
    bands = []
    for value in values:
        borders = _borders(value.casefold())
        if borders is None:
            return None
        bands.append((borders, value))
    bands.sort()
    if any(high > low for ((_, high), _), ((low, _), _) in pairwise(bands)):
        return None
    if len({borders for borders, _ in bands}) < len(bands):
        return None
    return tuple(value for _, value in bands)


def _borders(text: str) -> tuple[float, float] | None:
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if not numbers or len(numbers) > 2 or _BAND_WORDS.sub("", _NUMBER.sub("", text)):
        return None
    if len(numbers) == 2:
        return (numbers[0], numbers[1]) if numbers[0] <= numbers[1] else None
    if _BELOW.search(text):
        return -math.inf, numbers[0]
    if _ABOVE.search(text):
        return numbers[0], math.inf
    return numbers[0], numbers[0]


def _of_scale(values: Sequence[str]) -> tuple[str, ...] | None:
    plain = {_plain(value): value for value in values}
    if len(plain) < len(values):
        return None
    for scale in SCALES:
        rank = {_plain(word): n for n, words in enumerate(scale) for word in words.split("|")}
        places = [rank.get(word) for word in plain]
        if None not in places and len(set(places)) == len(places):
            return tuple(plain[word] for word in sorted(plain, key=rank.__getitem__))
    return None


def _plain(text: str) -> str:
    """Return a word as scales compare it: ``Sehr-Groß`` and ``sehr gross`` are the same.

    >>> _plain("D’accord"), _plain("Sehr_Groß")
    ("d'accord", 'sehr gross')
    """
    return " ".join(re.split(r"[\s_\-]+", text.casefold().replace("’", "'").strip()))
