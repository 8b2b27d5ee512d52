"""Recodings by levels: a node of the lattice, or a choice of admissible partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.recoding.recoding import ColumnRecoding, Page, Recoding, too_fine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable

MOST_EXAMPLES = 6


@dataclass(frozen=True, kw_only=True)
class Levels(ColumnRecoding):
    """Full-domain generalization: one level of its hierarchy for every quasi-identifier.

    >>> Levels.of({"age": 2, "sex": 0}).levels
    {'age': 2, 'sex': 0}
    """

    kind: ClassVar[str] = "levels"
    heading: ClassVar[str] = "level"

    columns: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, levels: Mapping[str, int]) -> Levels:
        """Return the recoding of a node of the lattice."""
        return cls(columns=tuple((name, int(level)) for name, level in levels.items()))

    @classmethod
    def fitting(cls, recoding: ColumnRecoding, table: CountTable) -> Levels | None:
        """Return the same recoding by levels, the finest that fit; None if there are none."""
        levels: dict[str, int] = {}
        for identifier in table.quasi_identifiers:
            blocks = recoding.block_of_leaf(identifier.name, identifier.hierarchy)
            fitting = [
                level
                for level, codes in enumerate(identifier.hierarchy.levels)
                if level >= identifier.minimum_level and np.array_equal(codes, blocks)
            ]
            if not fitting:
                return None
            levels[identifier.name] = fitting[0]
        return cls.of(levels)

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(name for name, _ in self.columns)

    def numbers(self) -> dict[str, int]:
        """Return the levels."""
        return dict(self.columns)

    def level_of(self, name: str) -> int:
        """Return the level of a quasi-identifier."""
        return dict(self.columns)[name]

    def stored(self) -> dict[str, object]:
        """Return the levels by column."""
        return dict(self.columns)

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Levels:
        """Return the recoding of stored levels."""
        for name, level in stored.items():
            if not isinstance(level, int) or isinstance(level, bool):
                raise TypeError(f"the level of {name!r} must be a whole number")
            if level < 0:
                raise ValueError(f"the level of {name!r} must be at least 0")
        return cls.of({name: level for name, level in stored.items() if isinstance(level, int)})

    def block_of_leaf(self, name: str, hierarchy: PartitionedDomain) -> Codes:
        """Return the block of every leaf at the level of a column."""
        return hierarchy.levels[self.level_of(name)]

    def labels(self, name: str, hierarchy: PartitionedDomain) -> tuple[str, ...]:
        """Return the labels of the level of a column."""
        return hierarchy.labels[self.level_of(name)]

    def check_column(self, identifier: CountedQuasiIdentifier) -> None:
        """Refuse a level that the hierarchy does not have, or that is below the minimum level."""
        level, height = self.level_of(identifier.name), identifier.hierarchy.height
        if 0 <= level < identifier.minimum_level:
            raise too_fine(identifier)
        if not 0 <= level <= height:
            raise SettingsError(
                f"level {level} of column {identifier.name!r} does not exist",
                code="unknown-level",
                column=identifier.name,
                found=str(level),
                expected=f"a level from 0 to {height}",
            )

    @classmethod
    def pages(
        cls,
        name: str,  # noqa: ARG003
        hierarchy: PartitionedDomain,
        recodings: Iterable[Recoding],  # noqa: ARG003
    ) -> tuple[Page, ...]:
        """Return all levels of the hierarchy, with examples of labels above the values."""
        named = hierarchy.names if isinstance(hierarchy, AdmissiblePartitions) else None
        return tuple(
            Page(
                key=level,
                blocks=len(labels),
                examples=labels[:MOST_EXAMPLES] if level > 0 else (),
                name=None if named is None else named[level],
            )
            for level, labels in enumerate(hierarchy.labels)
        )

    def page_of(self, name: str, pages: tuple[Page, ...]) -> int:  # noqa: ARG002
        """Return the level: pages are levels."""
        return self.level_of(name)
