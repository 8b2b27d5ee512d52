"""What sfumato asks of an engine that touches rows. An engine is one file beside this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.grouped_counts import GroupedCounts
    from sfumato.data.source import Source


class Engine(Protocol):
    """Counts rows where they are. No row ever reaches Python: only distinct combinations do."""

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order, upper and lower case kept apart."""
        ...

    def count(self, source: Source, columns: Sequence[str]) -> GroupedCounts:
        """Count the distinct combinations of ``columns`` with one GROUP BY.

        Values are returned as text, missing ones (null, not a number) as None, whole numbers
        without a decimal point whatever their type. Columns that are not asked for are not read.
        """
        ...
