"""The error for columns that a source does not have."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_columns(wanted: Sequence[str], present: Sequence[str], *, where: str) -> None:
    """Refuse columns that are not present; suggest those with the most similar names."""
    lacking = [name for name in wanted if name not in present]
    if not lacking:
        return
    said = []
    by_case = {name.casefold(): name for name in present}
    for name in lacking:
        close = difflib.get_close_matches(name.casefold(), by_case, n=1)
        said.append(f"{name!r}" + (f" (did you mean {by_case[close[0]]!r}?)" if close else ""))
    raise SourceError(
        f"{where} has no column {', '.join(said)}; its columns are {', '.join(map(repr, present))}"
    )
