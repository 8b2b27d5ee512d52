"""The blocks of one quasi-identifier in a recoding: what becomes of each of its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes, Counts
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnBlocks:
    """The block of every leaf, and the label of every block.

    A block that no kept row is in has no label, None, where labels come from the rows.
    """

    name: str
    block_of_leaf: Codes
    labels: tuple[str | None, ...]

    @property
    def sizes(self) -> Counts:
        """The number of leaves in every block."""
        return np.bincount(self.block_of_leaf, minlength=len(self.labels))


def blocks_of_levels(table: CountTable, levels: Mapping[str, int]) -> tuple[ColumnBlocks, ...]:
    """Return the blocks of a node of the lattice, in the order of the quasi-identifiers."""
    return tuple(
        ColumnBlocks(
            name=identifier.name,
            block_of_leaf=identifier.hierarchy.levels[levels[identifier.name]],
            labels=identifier.hierarchy.labels[levels[identifier.name]],
        )
        for identifier in table.quasi_identifiers
    )
