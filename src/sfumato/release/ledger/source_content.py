"""What recognizes a source, whatever its file, its columns and its rows are called.

Columns are recognized by their values and how often each occurs, all quasi-identifiers together by
their cells, and people by the person key. Only digests and sketches of these are stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.microdata.count_table import Leaves
from sfumato.release.ledger.keyed_hashes import with_counts
from sfumato.release.ledger.sketch import Minima, Sketch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts
    from sfumato.microdata.count_table import CountTable
    from sfumato.release.ledger.keyed_hashes import Hashes, KeyedHashes

SAME_PEOPLE = 0.2
"""Sources have the same people if about this share of the smaller one is in the other too."""
_SAME_CELLS = 0.5
"""Of cells it takes this share: other people have some of them, with as many rows, by chance."""
_BITS_OF_EVIDENCE = 20.0
"""Columns are equal by chance less often than once in 2^20 times, beyond this."""


class ColumnDigest(Record):
    """A keyed digest of how often each value of a column occurs, and what that is evidence of."""

    digest: str = Field(description="The keyed digest of values with their numbers of rows.")
    bits: float = Field(description="How improbable it is that other people have the same digest.")


class SourceFingerprint(Record):
    """What the ledger keeps of a source: nothing that tells of anybody."""

    columns: tuple[ColumnDigest, ...] = Field(description="The columns that were counted.")
    cells: Sketch = Field(description="A sketch of the key combinations with their rows.")
    people: Sketch | None = Field(default=None, description="A sketch of the people, by their key.")


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceContent:
    """A source as it is compared with earlier ones; it stays in memory."""

    columns: tuple[ColumnDigest, ...]
    cells: Minima
    people: Minima | None = None

    @classmethod
    def of(
        cls, table: CountTable, hashes: KeyedHashes, people: Mapping[str, str] | None = None
    ) -> SourceContent:
        """Return the content of a count table; ``people`` are the minima of the person key."""
        columns = []
        cells: Hashes = np.zeros(table.cells, dtype=np.uint64)
        for q, name in enumerate(table.names):
            leaves = hashes.of(table.hierarchies[q].labels[0], purpose="content")
            # A sum, so that names and order of the columns do not matter.
            cells += leaves[table.cell_codes[q]]
            columns.append(_column(leaves, table.marginal(Leaves(name))))
        for name, column in table.columns.items():
            values = hashes.of(column.values, purpose="content")
            columns.append(_column(values, table.marginal(name)))
        return cls(
            columns=tuple(columns),
            cells=Minima.of_hashes(with_counts(cells, table.cell_sizes)),
            people=None if people is None else Minima.of_texts(table.units, people),
        )

    def fingerprint(self) -> SourceFingerprint:
        """Return what may be stored."""
        return SourceFingerprint(
            columns=self.columns,
            cells=self.cells.sketch(),
            people=None if self.people is None else self.people.sketch(),
        )

    def shared(self, stored: SourceFingerprint) -> float:
        """Return about which share of the smaller source is in the other too.

        People and cells tell by their sketches, columns by being the very same.
        """
        found = self.cells.shared(stored.cells)
        found = found if found >= _SAME_CELLS else 0.0
        if self.people is not None and stored.people is not None:
            found = max(found, self.people.shared(stored.people))
        own = {column.digest for column in self.columns}
        same = [column for column in stored.columns if column.digest in own]
        every = len(same) == len(stored.columns)
        if every or sum(column.bits for column in same) >= _BITS_OF_EVIDENCE:
            return 1.0
        return found


def _column(hashes: Hashes, rows: Counts) -> ColumnDigest:
    """Return the digest of a column: a sum over its values, whatever their order.

    Two independent Poisson counts with mean n are equal about once in 2 √(π n) times, and all but
    one of the values count on their own.
    """
    occurring = rows > 0
    total = with_counts(hashes[occurring], rows[occurring]).sum(dtype=np.uint64)
    values = int(occurring.sum())
    once_in = 2 * math.sqrt(math.pi * max(1.0, float(rows.sum()) / max(1, values)))
    bits = round(max(0, values - 1) * math.log2(once_in), 1)
    return ColumnDigest(digest=f"{int(total):016x}", bits=bits)
