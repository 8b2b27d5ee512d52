"""What the labels of one quasi-identifier cover, wherever they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Codes, Counts, Flags, Floats


class LabelBook(Protocol):
    """Numbered sets of labels of one quasi-identifier: its *pages*.

    A class has a page and, on it, the code of a label. The labels of a page need not partition the
    domain: those of a table that somebody else recoded may overlap.
    """

    @property
    def leaves(self) -> int:
        """The number of values of the domain."""
        ...

    @property
    def block_sizes(self) -> Counts:
        """How many values of the domain each label covers: a row a page, a column a code."""
        ...

    @property
    def extents(self) -> Counts:
        """The sum over all rows of |label| - 1, for every page."""
        ...

    @property
    def partitions(self) -> Counts | None:
        """The block sizes of the whole domain's partition by page; None if one is not known."""
        ...

    @property
    def levels(self) -> Counts | None:
        """The level of every page; None if one has none."""
        ...

    @property
    def block_rows(self) -> Counts | None:
        """The rows of the table whose original value each label covers; None if not known."""
        ...

    def label_of_leaf(self, page: int) -> Codes | None:
        """Return the code of the label of every leaf of a page, -1 if none covers it.

        None if labels overlap, or if nobody knows what they cover.
        """
        ...

    def covered(self, page: int) -> Flags | None:
        """Return which leaves every label of a page covers: a row a label; None if not known."""
        ...

    def bits(self, pages: Counts) -> Floats | None:
        """Return Σ over all rows of log2(rows of the label / rows of the value), by page."""
        ...

    def shares(self, leaves: Flags) -> Floats | None:
        """Return the part of every label that lies in some leaves, as `block_sizes`; or None."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenLabels:
    """The labels that a table shows in one column: a book with a single page.

    ``sizes`` has the values that each label covers, ``rows`` its rows. ``partition`` has the sizes
    of all blocks, also of those that no row shows, and ``level`` the level of the hierarchy, where
    they are known. ``original_rows`` are the rows whose original value each label covers, and
    ``lost_bits`` tells what all rows lose by it, where the originals are known.
    ``leaves_covered`` tells which leaves every label covers, without the last one, that of the
    suppressed rows, and ``part_inside`` what part of every label lies in some leaves, where it is
    known which a label covers.
    """

    leaves: int
    sizes: Counts
    rows: Counts
    partition: Counts | None = None
    level: int | None = None
    original_rows: Counts | None = None
    lost_bits: Callable[[], float] | None = None
    leaves_covered: Callable[[], Flags] | None = None
    part_inside: Callable[[Flags], Floats] | None = None

    @property
    def block_sizes(self) -> Counts:
        """How many values of the domain each label covers, as a single row."""
        return self.sizes[np.newaxis, :]

    @property
    def extents(self) -> Counts:
        """The sum over all rows of |label| - 1."""
        return np.array([int(((self.sizes - 1) * self.rows).sum())], dtype=np.int64)

    @property
    def partitions(self) -> Counts | None:
        """The sizes of all blocks, as a single row; None if they are not known."""
        return None if self.partition is None else self.partition[np.newaxis, :]

    @property
    def levels(self) -> Counts | None:
        """The level, as an array of one; None if it is not known."""
        return None if self.level is None else np.array([self.level], dtype=np.int64)

    @property
    def block_rows(self) -> Counts | None:
        """The rows whose original value each label covers, as a single row; None if not known."""
        return None if self.original_rows is None else self.original_rows[np.newaxis, :]

    def label_of_leaf(self, page: int) -> Codes | None:
        """Return the label of every leaf; None if labels overlap, or if they are not known."""
        flags = self.covered(page)
        if flags is None or (flags.sum(axis=0) > 1).any():
            return None
        return np.where(flags.any(axis=0), flags.argmax(axis=0), -1).astype(np.int32)

    def covered(self, page: int) -> Flags | None:  # noqa: ARG002
        """Return which leaves every label covers, but for the last one; None if not known."""
        return None if self.leaves_covered is None else self.leaves_covered()

    def bits(self, pages: Counts) -> Floats | None:
        """Return the bits that all rows lose, for every page asked for; None if not known."""
        return None if self.lost_bits is None else np.full(pages.shape, self.lost_bits())

    def shares(self, leaves: Flags) -> Floats | None:
        """Return the part of every label that lies in some leaves, as a single row; or None."""
        return None if self.part_inside is None else self.part_inside(leaves)[np.newaxis, :]
