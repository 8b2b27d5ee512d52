"""The names of a source's columns: each once, and those that are asked for among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest, did_you_mean
from sfumato.sources.csv_dialect import unnamed_column

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 50
"""How many columns an error lists."""
DELIMITERS = ";,\t|"


def check_columns(wanted: Sequence[str], present: Sequence[str], *, where: str) -> None:
    """Refuse columns that are not present; suggest those with the most similar names.

    >>> check_columns(["Age"], ["age", "zip"], where="people.csv")
    Traceback (most recent call last):
    ...
    sfumato.errors.SourceError: people.csv has no column 'Age' (did you mean 'age'?); expected one \
of 'age', 'zip'
    """
    lacking = [name for name in wanted if name not in present]
    if not lacking:
        return
    delimiter = _other_delimiter(lacking, present)
    if delimiter is not None:
        told = "tab" if delimiter == "\t" else repr(delimiter)
        count = "one column, whose name holds" if len(present) == 1 else "columns whose names hold"
        escaped = "\\t" if delimiter == "\t" else delimiter
        raise SourceError(
            f"{where} has no column {listed(lacking)}; it has {count} {told}",
            code="wrong-delimiter",
            file=where,
            column=lacking[0],
            expected=f'delimiter = "{escaped}"',
        )
    near = [closest(name, present) for name in lacking]
    alone = len(lacking) == 1
    names = [
        repr(name) + ("" if alone else did_you_mean(meant))
        for name, meant in zip(lacking, near, strict=True)
    ]
    unnamed = all(name == unnamed_column(position) for position, name in enumerate(present))
    raise SourceError(
        f"{where} has no column {', '.join(names)}",
        code="no-header" if unnamed else "unknown-column",
        file=where,
        column=lacking[0],
        expected=tuple(present),
        suggestion=near[0] if alone else None,
        remedy=Hint(
            python="no header was seen: set header=True if it has one",
            file="no header was seen: set header = true under [source], or give --header, if it "
            "has one",
        )
        if unnamed
        else None,
    )


def check_names(names: Sequence[str], *, where: str) -> None:
    """Refuse a source that has no columns, or several of one name."""
    if not names:
        raise SourceError(f"{where} has no columns", code="no-columns", file=where)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceError(
            f"{where} has the column {listed(twice)} more than once",
            code="duplicate",
            file=where,
            column=twice[0],
            remedy="rename one",
        )


def _other_delimiter(lacking: Sequence[str], present: Sequence[str]) -> str | None:
    """Return the delimiter at which the names of the columns would have to be split, if any."""
    found = {}
    for delimiter in DELIMITERS:
        parts = [part.strip("\"' ") for name in present for part in name.split(delimiter)]
        if len(parts) > len(present):
            found[delimiter] = (len(set(lacking) & set(parts)), len(parts))
    best = max(found, key=lambda delimiter: found[delimiter], default=None)
    # Of many columns some may have such names; a single one is hardly meant to.
    return best if best is not None and (found[best][0] or len(present) == 1) else None
