"""The error for columns that a source does not have."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.sources.csv_dialect import unnamed_column

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 50
DELIMITERS = ";,\t|"


def check_columns(wanted: Sequence[str], present: Sequence[str], *, where: str) -> None:
    """Refuse columns that are not present; suggest those with the most similar names.

    >>> check_columns(["Age"], ["age", "zip"], where="people.csv")
    Traceback (most recent call last):
    ...
    sfumato.errors.SourceError: people.csv has no column 'Age' (did you mean 'age'?); its columns \
are 'age', 'zip'
    """
    lacking = [name for name in wanted if name not in present]
    if not lacking:
        return
    said = []
    by_case = {name.casefold(): name for name in present}
    for name in lacking:
        close = difflib.get_close_matches(name.casefold(), by_case, n=1)
        said.append(f"{name!r}" + (f" (did you mean {by_case[close[0]]!r}?)" if close else ""))
    delimiter = _other_delimiter(lacking, present)
    if delimiter is not None:
        told = "tab" if delimiter == "\t" else repr(delimiter)
        count = "one column, whose name holds" if len(present) == 1 else "columns whose names hold"
        escaped = "\\t" if delimiter == "\t" else delimiter
        raise SourceError(
            f"{where} has no column {listed(lacking)}; it has {count} {told}: "
            f'set delimiter = "{escaped}"'
        )
    unnamed = all(name == unnamed_column(position) for position, name in enumerate(present))
    raise SourceError(
        f"{where} has no column {', '.join(said)}; its columns are "
        f"{listed(present, most=MOST_SHOWN)}"
        + (", because no header was seen; set header=True if it has one" if unnamed else "")
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
