"""The known name that a user most likely meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def closest(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the known name of the most similar spelling, None if none is similar enough.

    Upper and lower case, blanks around the name, and ``_`` for ``-`` make no difference. The
    cutoff is the least ratio of similarity, from 0 to 1 (`difflib.SequenceMatcher.ratio`).

    >>> closest("Minimum_level", ["role", "minimum-level"])
    'minimum-level'
    >>> closest("weight", ["role", "minimum-level"]) is None
    True
    """
    by_spelling = {_spelling(each): each for each in known}
    close = get_close_matches(_spelling(name), by_spelling, n=1, cutoff=cutoff)
    return by_spelling[close[0]] if close else None


def closest_file(path: Path) -> str | None:
    """Return the name of the file beside a path that is most similar, None if there is none."""
    try:
        return closest(
            path.name, [entry.name for entry in path.parent.iterdir() if entry.is_file()]
        )
    except OSError:
        return None


def did_you_mean(suggestion: str | None) -> str:
    """Return the question that follows a name that is not known, empty without a suggestion.

    >>> did_you_mean(closest("helth", ["Health", "Income"]))
    " (did you mean 'Health'?)"
    """
    return f" (did you mean {suggestion!r}?)" if suggestion is not None else ""


def _spelling(name: str) -> str:
    return name.casefold().strip().replace("_", "-")
