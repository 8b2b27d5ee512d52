"""Which shapes the values of some first rows have: what is worth asking of all rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from sfumato.engines.duckdb import shapes
from sfumato.hierarchies.domains.date_unit import read_day
from sfumato.hierarchies.domains.number_style import PLAIN, NumberStyle

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DATES = 300
FEWEST = 10
NEARLY_ALL = 0.9
"""Among few texts all must have a shape, else nearly all."""
MOST_FORMS = 4
"""A column with more ways to write dates than this is no column of dates."""

_PLAIN_NUMBER = re.compile(shapes.NUMBER)
_CODE = re.compile(shapes.CODE)

STYLES = (
    NumberStyle(decimal=","),
    NumberStyle(decimal=",", thousands="."),
    NumberStyle(decimal=",", thousands=" "),
    NumberStyle(decimal=",", thousands="'"),
    NumberStyle(thousands=","),
    NumberStyle(thousands="'"),
    NumberStyle(thousands=" "),
    NumberStyle(decimal=",."),
)
"""How people write numbers where it is not how programs do, the most frequent first."""


@dataclass(frozen=True, kw_only=True)
class AskedColumn:
    """A column, some of its values, and the shapes of its texts that are worth asking for."""

    position: int
    sample: tuple[str, ...] = field(repr=False)
    style: NumberStyle | None
    code: bool
    dates: tuple[shapes.DateForm, ...]


def asked_column(position: int, sample: Sequence[str]) -> AskedColumn:
    """Return what is worth asking of a column with some known values."""
    style = number_style(sample)
    even = len({len(text) for text in sample}) <= 1
    return AskedColumn(
        position=position,
        sample=tuple(sample),
        style=style,
        code=even and all(map(_CODE.fullmatch, sample)),
        dates=() if style not in (None, PLAIN) else date_forms_of(sample),
    )


def number_style(sample: Sequence[str]) -> NumberStyle | None:
    """Return how numbers are written, None if not nearly all of some texts are numbers.

    >>> number_style(["1", "2.5"]).is_plain, number_style(["1.234,5", "7"]).thousands
    (True, '.')
    >>> number_style(["1", "two"]) is None
    True
    """
    if all(map(_PLAIN_NUMBER.fullmatch, sample)):
        return PLAIN
    reads = {PLAIN: sum(map(bool, map(_PLAIN_NUMBER.fullmatch, sample)))}
    for style in STYLES:
        reads[style] = sum(style.parse(text) is not None for text in sample)
        if reads[style] == len(sample):
            return style
    best = max(reads, key=reads.__getitem__)
    enough = len(sample) >= FEWEST and reads[best] >= NEARLY_ALL * len(sample)
    return best if enough else None


def date_forms_of(sample: Sequence[str]) -> tuple[shapes.DateForm, ...]:
    """Return the ways to write dates that read all of some texts, each alone or some together.

    Where none does alone, those that read most of what is left are taken one after the other.
    """
    texts = list(sample[:MOST_DATES])
    reads = {form: [text for text in texts if _reads(form, text)] for form in shapes.date_forms()}
    alone = tuple(form for form, read in reads.items() if len(read) == len(texts))
    if alone:
        return alone
    left = set(texts)
    taken: list[shapes.DateForm] = []
    while left and len(taken) < MOST_FORMS:
        best = max(reads, key=lambda form: len(left.intersection(reads[form])))
        found = left.intersection(reads[best])
        if not found:
            break
        taken.append(best)
        left -= found
    if not taken or (len(texts) < FEWEST and left) or len(left) > (1 - NEARLY_ALL) * len(texts):
        return ()
    return (shapes.mixed_form(taken) if len(taken) > 1 else taken[0],)


def _reads(form: shapes.DateForm, text: str) -> bool:
    if not _pattern(form.pattern).fullmatch(text):
        return False
    if form.format is None:
        return read_day(text if form.unit == "day" else f"{text}-01") is not None
    return read_day(text, format=form.format) is not None


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
