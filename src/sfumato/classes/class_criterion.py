"""A criterion that every class of a released table has to meet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried, CountTable


class ClassCriterion(ABC):
    """A condition that a class meets or fails by itself, like k>=5; str() is its text.

    Every criterion is *inherited*: if all classes of a recoding meet it, all classes of a coarser
    one do (docs/method.md, "Criteria and their minimal recodings").
    """

    @abstractmethod
    def __str__(self) -> str:
        """Return the text of the criterion."""

    @abstractmethod
    def check(self, table: CountTable) -> None:
        """Refuse a table without what the criterion is about."""

    @abstractmethod
    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the class tables must carry."""

    @abstractmethod
    def failing(self, batch: ClassBatch) -> Flags:
        """Say of every class of a batch whether it fails."""

    @abstractmethod
    def not_inherited_by_parts(self, table: CountTable) -> str | None:
        """Return why a class can fail though one of its parts does not; None if it cannot.

        Where it cannot, the rows in failing classes only ever become fewer along generalization,
        so that "it is met once at most so many rows are suppressed" is inherited too.
        """
