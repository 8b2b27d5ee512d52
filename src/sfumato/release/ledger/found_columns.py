"""Finding the columns of an earlier release again: by their names, or by their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.release.ledger.keyed_hashes import packed_hashes, unpacked_hashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.release.ledger.current_columns import CurrentColumn
    from sfumato.release.ledger.keyed_hashes import Hashes

_MOSTLY = 0.5
"""Values of at least this share of the rows are known in a column of the same name."""
_ALMOST_ALL = 0.9
"""Values of at least this share of the rows are known in a column of another name."""


class StoredColumn(Record):
    """A quasi-identifier of an earlier release: its name, and hashes of its values."""

    name: str = Field(description="The name of the column.")
    values: str = Field(description="Keyed hashes of the values, ascending.")

    @classmethod
    def of(cls, column: CurrentColumn) -> StoredColumn:
        """Return what is stored of a column."""
        return cls(name=column.name, values=packed_hashes(np.sort(column.values)))

    @property
    def hashes(self) -> Hashes:
        """The hashes of the values."""
        return unpacked_hashes(self.values)

    def places_of(self, column: CurrentColumn) -> Codes:
        """Return which stored value every value of a column is, -1 if none."""
        known = self.hashes
        places = np.minimum(np.searchsorted(known, column.values), known.shape[0] - 1)
        return np.where(known[places] == column.values, places, -1).astype(np.int32)


def found_columns(
    stored: Sequence[StoredColumn], columns: Mapping[str, CurrentColumn]
) -> list[CurrentColumn] | str:
    """Return the current column of every stored one, or which one is not found."""
    found = {
        column.name: columns[column.name]
        for column in stored
        if column.name in columns and _covered(column, columns[column.name]) >= _MOSTLY
    }
    for column in stored:
        if column.name not in found:
            renamed = _renamed(column, columns, found)
            if renamed is None:
                return f"column {column.name!r} is not among those that are counted now"
            found[column.name] = renamed
    return [found[column.name] for column in stored]


def _covered(stored: StoredColumn, column: CurrentColumn) -> float:
    return column.covered(stored.places_of(column))


def _renamed(
    stored: StoredColumn, columns: Mapping[str, CurrentColumn], taken: Mapping[str, CurrentColumn]
) -> CurrentColumn | None:
    """Return the one quasi-identifier that no other is, and that has the values of this one."""
    known = set(stored.hashes.tolist())
    likely = []
    for column in columns.values():
        if column in taken.values() or not column.quasi_identifying:
            continue
        if _covered(stored, column) >= _ALMOST_ALL:
            own = set(column.values.tolist())
            likely.append((len(known & own) / len(known | own), column))
    best = max((share for share, _ in likely), default=0.0)
    found = [column for share, column in likely if share == best]
    return found[0] if len(found) == 1 else None
