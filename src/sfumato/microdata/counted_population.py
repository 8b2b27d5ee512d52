"""The table of a population, counted by the leaves of the quasi-identifiers of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedPopulation:
    """Distinct combinations of leaves in a population, with the number of people of each.

    ``codes`` has a row for each quasi-identifier. People with a value that a hierarchy does not
    have are ``outside``, and in no class: counting them could only make risks smaller.
    """

    codes: Codes
    counts: Counts
    outside: int = 0

    @property
    def people(self) -> int:
        """The number of people, those outside the domains among them."""
        return int(self.counts.sum()) + self.outside
