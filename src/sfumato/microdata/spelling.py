"""Texts that differ only in case, blanks, invisible characters or Unicode form."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_INVISIBLE = ("Cc", "Cf")
_ALSO_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Characters without a shape of their own that are not among the control or format ones."""


def normal_form(text: str) -> str:
    r"""Return what texts have in common that differ in spelling alone.

    The Unicode form is NFKC, letters are case-folded, invisible characters are left out, and
    every run of white space is one blank, none at the ends.

    >>> normal_form(" Flu\u00a0 A\u200b"), normal_form("ＦＬＵ a"), normal_form("Stra\u00dfe")
    ('flu a', 'flu a', 'strasse')
    """
    form, before = text, None
    # What is left out can have kept others apart: "a", nothing, and an accent.
    while form != before:
        before = form
        folded = unicodedata.normalize("NFKC", form).casefold()
        seen = (c for c in folded if c.isspace() or not _is_invisible(c))
        form = unicodedata.normalize("NFKC", " ".join("".join(seen).split()))
    return form


def _is_invisible(character: str) -> bool:
    return (
        unicodedata.category(character) in _INVISIBLE
        or character in _ALSO_INVISIBLE
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )


def spellings(values: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of values that differ in spelling alone, two at least, in code point order.

    >>> spellings(["flu", "asthma", "Flu", "FLU "])
    (('FLU ', 'Flu', 'flu'),)
    """
    groups: dict[str, list[str]] = {}
    for value in sorted(values):
        groups.setdefault(normal_form(value), []).append(value)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def one_spelling(values: Iterable[str], listed: Iterable[str] = ()) -> dict[str, str]:
    """Return the spelling that each other one becomes: a listed one, or else its normal form.

    It follows from the value alone: a spelling that were chosen among those that occur could tell
    of a person who is suppressed. Spellings that stay as they are are not listed.

    >>> one_spelling(["flu", "Flu", "FLU ", "asthma", "hiv"], ["HIV"])
    {'Flu': 'flu', 'FLU ': 'flu', 'hiv': 'HIV'}
    """
    chosen = {normal_form(spelling): spelling for spelling in listed}
    found = {}
    for value in values:
        form = normal_form(value)
        # What has nothing to be seen stays a value: an empty cell would be a missing one.
        found[value] = chosen.get(form, form or " ")
    return {value: spelling for value, spelling in found.items() if value != spelling}
