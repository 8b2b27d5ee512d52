"""The columns of the rows as they are now, in which those of an earlier release are found again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts
    from sfumato.microdata.count_table import CountTable
    from sfumato.release.ledger.keyed_hashes import Hashes, KeyedHashes


@dataclass(frozen=True, kw_only=True, eq=False)
class CurrentColumn:
    """A column of a count table: the hashes of its values, and the value of every entry.

    ``counted_as`` has the values that are not told apart, by value, where a column is counted by
    the blocks of a minimum level.
    """

    name: str
    quasi_identifying: bool
    texts: tuple[str, ...]
    codes: Codes
    rows: Counts
    counted_as: Codes | None
    hashes: KeyedHashes

    @cached_property
    def values(self) -> Hashes:
        """The hash of every value, as the ledger lists values."""
        return self.hashes.of(self.texts, purpose="value")

    @cached_property
    def parts(self) -> Hashes:
        """The hash of every value, as part of the hash of a cell."""
        return self.hashes.of(self.texts, purpose="cell")

    def told_apart(self, codes: Codes) -> bool:
        """Say whether codes of values are the same for values that are not told apart."""
        if self.counted_as is None:
            return True
        first = np.zeros(int(self.counted_as.max()) + 1, dtype=codes.dtype)
        first[self.counted_as[::-1]] = codes[::-1]
        return bool((first[self.counted_as] == codes).all())

    def covered(self, codes: Codes) -> float:
        """Return the share of rows whose value has a code, -1 being none."""
        return float(self.rows[codes[self.codes] >= 0].sum() / max(1, self.rows.sum()))


def current_columns(table: CountTable, hashes: KeyedHashes) -> dict[str, CurrentColumn]:
    """Return the quasi-identifiers, and after them the other columns that were counted."""
    entries = np.diff(table.entry_starts)
    found = {}
    for q, identifier in enumerate(table.quasi_identifiers):
        hierarchy, level = identifier.hierarchy, identifier.minimum_level
        found[identifier.name] = CurrentColumn(
            name=identifier.name,
            quasi_identifying=True,
            texts=hierarchy.labels[0],
            codes=np.repeat(table.cell_codes[q], entries),
            rows=table.entry_counts,
            counted_as=hierarchy.levels[level] if level else None,
            hashes=hashes,
        )
    for name, column in table.columns.items():
        if name not in found:
            found[name] = CurrentColumn(
                name=name,
                quasi_identifying=False,
                texts=column.values,
                codes=table.entry_codes_of(name),
                rows=table.entry_counts,
                counted_as=None,
                hashes=hashes,
            )
    return found
