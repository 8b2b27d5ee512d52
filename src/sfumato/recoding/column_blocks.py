"""The blocks of one quasi-identifier in a recoding: what becomes of each of its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnBlocks:
    """The block of every leaf, and the label of every block.

    A block that no kept row is in has no label, None, where labels come from the rows. ``level`` is
    the level of the hierarchy, if it is one.
    """

    name: str
    block_of_leaf: Codes
    labels: tuple[str | None, ...]
    level: int | None = None

    @property
    def sizes(self) -> Counts:
        """The number of leaves in every block."""
        return np.bincount(self.block_of_leaf, minlength=len(self.labels))
