"""A quasi-identifier as a release writes it, whatever kind of recoding it comes from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts
    from sfumato.microdata.output import Output


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenColumn(ABC):
    """The labels of one quasi-identifier by their codes, and what they cover.

    A code that no kept row has may have no label, None. ``level`` is the level of the hierarchy,
    if all labels are of one; ``output`` is what labels are that differ from class to class.
    ``by_class`` says that codes are the numbers of classes, the same in all columns: then classes
    can have the same text in a column, and only all columns together tell them apart.
    """

    name: str
    labels: tuple[str | None, ...]
    level: int | None = None
    output: Output | None = None
    by_class: bool = False

    @property
    @abstractmethod
    def sizes(self) -> Counts:
        """The number of domain values that every label covers."""

    @property
    @abstractmethod
    def code_of_leaf(self) -> Codes:
        """The code by which a rewrite looks up every leaf."""

    @property
    def partition(self) -> Counts | None:
        """The sizes of the blocks where labels are those of a partition: a label for every value.

        None where the label of a value differs from class to class.
        """
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnBlocks(WrittenColumn):
    """The block of every leaf, and the label of every block: a column of a global recoding."""

    block_of_leaf: Codes

    @property
    def sizes(self) -> Counts:
        """The number of leaves in every block."""
        return np.bincount(self.block_of_leaf, minlength=len(self.labels))

    @property
    def code_of_leaf(self) -> Codes:
        """The block of every leaf."""
        return self.block_of_leaf

    @property
    def partition(self) -> Counts | None:
        """The number of leaves in every block."""
        return self.sizes


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassLabels(WrittenColumn):
    """Labels that differ from class to class: a column of a local recoding.

    ``counted`` has, for every leaf, the one that the cells of the count table hold: the first of
    its block at the minimum level.
    """

    covered: Counts
    counted: Codes

    @property
    def sizes(self) -> Counts:
        """The number of domain values that every label covers."""
        return self.covered

    @property
    def code_of_leaf(self) -> Codes:
        """The leaf that cells hold."""
        return self.counted
