"""How often values of two columns occur together, rare values of each taken as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

MOST_COLUMNS = 60
"""So many columns are counted with each other; the engine tells pairs by the bits of one number."""


@dataclass(frozen=True, kw_only=True)
class JointQuestion:
    """The values of each column that are told apart, and the texts that are missing values.

    All other values of a column count as one, so that none of them leaves the engine.
    """

    told_apart: Mapping[str, tuple[str, ...]]
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JointCounts:
    """For each pair of columns, in the order of the question, the rows of each two values.

    Rows and columns of a table are the values that are told apart, then all others, then what is
    missing.
    """

    tables: Mapping[tuple[str, str], NDArray[np.int64]]

    def of(self, column: str, other: str) -> NDArray[np.int64]:
        """Return the table with the values of ``column`` as rows, those of ``other`` as columns."""
        if (column, other) in self.tables:
            return self.tables[column, other]
        return self.tables[other, column].T
