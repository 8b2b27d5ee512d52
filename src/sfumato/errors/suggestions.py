"""The one place that looks for what a misspelt name was meant to be."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a name, None if none is similar.

    >>> closest("Hierachy", ["role", "hierarchy"]), closest("x", ["role"])
    ('hierarchy', None)
    """
    by_spelling = {_spelling(each): each for each in known}
    close = difflib.get_close_matches(_spelling(name), by_spelling, n=1, cutoff=0.6)
    return by_spelling[close[0]] if close else None


def _spelling(name: str) -> str:
    return name.casefold().replace("_", "-")
