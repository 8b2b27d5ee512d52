"""A recoding: one partition of the domain for every quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.recoding.block_labels import block_labels
from sfumato.recoding.column_blocks import ColumnBlocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Recoding:
    """A recoding by the levels of the hierarchies, or by cuts anywhere in the domains.

    ``columns`` has, for every quasi-identifier, a level, or the leaves at which a new block
    begins: (8, 23) cuts a domain before its leaves 8 and 23, so that it has three blocks. Either
    all have a level or all have cuts. Recodings with equal columns are equal, and hashable.

    >>> Recoding.of_cuts({"age": [8, 23]}) == Recoding.of_cuts({"age": (8, 23)})
    True
    >>> Recoding.of_levels({"age": 2, "sex": 0}).levels
    {'age': 2, 'sex': 0}
    """

    columns: tuple[tuple[str, int | tuple[int, ...]], ...]

    def __post_init__(self) -> None:
        kinds = {isinstance(choice, int) for _, choice in self.columns}
        if len(kinds) != 1:
            raise SettingsError(
                "a recoding gives every quasi-identifier a level, or every one its cuts; "
                + ("got none" if not kinds else "got some of each")
            )

    @classmethod
    def of_levels(cls, levels: Mapping[str, int]) -> Recoding:
        """Return the recoding of a node of the lattice."""
        return cls(columns=tuple((name, int(level)) for name, level in levels.items()))

    @classmethod
    def of_cuts(cls, cuts: Mapping[str, Sequence[int]]) -> Recoding:
        """Return the recoding that begins a block at the given leaves of every column."""
        columns = []
        for name, leaves in cuts.items():
            at = tuple(int(leaf) for leaf in leaves)
            if any(low >= high for low, high in zip((0, *at), at, strict=False)):
                raise SettingsError(
                    f"the cuts of column {name!r} are {list(at)}; they are the first leaves of "
                    "blocks, ascending from 1 on"
                )
            columns.append((name, at))
        return cls(columns=tuple(columns))

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(name for name, _ in self.columns)

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of every quasi-identifier, None for a recoding by cuts."""
        found = {name: choice for name, choice in self.columns if isinstance(choice, int)}
        return found or None

    @property
    def cuts(self) -> dict[str, tuple[int, ...]] | None:
        """The cuts of every quasi-identifier, None for a recoding by levels."""
        found = {name: choice for name, choice in self.columns if not isinstance(choice, int)}
        return found or None

    def block_of_leaf(self, name: str, hierarchy: PartitionedDomain) -> Codes:
        """Return the block of every leaf of a quasi-identifier."""
        choice = dict(self.columns)[name]
        if isinstance(choice, int):
            return hierarchy.levels[choice]
        begins = np.zeros(hierarchy.leaf_count, dtype=np.int32)
        begins[list(choice)] = 1
        return sealed_codes(np.cumsum(begins))

    def labels(self, name: str, hierarchy: PartitionedDomain) -> tuple[str, ...]:
        """Return the label of every block of a quasi-identifier."""
        choice = dict(self.columns)[name]
        if isinstance(choice, int):
            return hierarchy.labels[choice]
        return block_labels(tree_of(hierarchy, column=name), choice)

    def blocks(self, table: CountTable) -> tuple[ColumnBlocks, ...]:
        """Return what becomes of every value, in the order of the table's quasi-identifiers."""
        self.check(table)
        return self.blocks_in(dict(zip(table.names, table.hierarchies, strict=True)))

    def blocks_in(self, hierarchies: Mapping[str, PartitionedDomain]) -> tuple[ColumnBlocks, ...]:
        """Return what becomes of every value of the given hierarchies, in their order."""
        return tuple(
            ColumnBlocks(
                name=name,
                block_of_leaf=self.block_of_leaf(name, hierarchy),
                labels=self.labels(name, hierarchy),
            )
            for name, hierarchy in hierarchies.items()
        )

    def check(self, table: CountTable) -> None:
        """Refuse a recoding of other columns, or one that goes beyond their domains."""
        choices = dict(self.columns)
        if set(choices) != set(table.names) or len(choices) < len(self.columns):
            raise SettingsError(
                f"the recoding is about {', '.join(self.names)}, and the quasi-identifiers are "
                f"{', '.join(table.names)}; give one choice for each"
            )
        for identifier in table.quasi_identifiers:
            name, hierarchy, minimum_level = (
                identifier.name,
                identifier.hierarchy,
                identifier.minimum_level,
            )
            choice = choices[name]
            if minimum_level and self._is_below(choice, hierarchy, minimum_level):
                raise SettingsError(
                    f"the recoding of column {name!r} is finer than its minimum level, level "
                    f"{minimum_level}, and "
                    "its rows were counted no finer; choose a coarser one, or lower the minimum "
                    "level"
                )
            if isinstance(choice, int) and not 0 <= choice <= hierarchy.height:
                raise SettingsError(
                    f"level {choice} of column {name!r} does not exist; its levels are 0 to "
                    f"{hierarchy.height}"
                )
            if not isinstance(choice, int) and choice and choice[-1] >= hierarchy.leaf_count:
                raise SettingsError(
                    f"column {name!r} cannot be cut before leaf {choice[-1]}; its leaves are 0 to "
                    f"{hierarchy.leaf_count - 1}"
                )

    @staticmethod
    def _is_below(
        choice: int | tuple[int, ...], hierarchy: PartitionedDomain, minimum_level: int
    ) -> bool:
        if isinstance(choice, int):
            return 0 <= choice < minimum_level
        return not set(choice) <= set(hierarchy.block_starts(minimum_level).tolist())

    def on_levels(self, table: CountTable) -> Recoding | None:
        """Return the same recoding by levels, the finest that fit, None if there are none."""
        levels: dict[str, int] = {}
        for identifier in table.quasi_identifiers:
            name, hierarchy = identifier.name, identifier.hierarchy
            blocks = self.block_of_leaf(name, hierarchy)
            fitting = [
                level
                for level, codes in enumerate(hierarchy.levels)
                if level >= identifier.minimum_level and np.array_equal(codes, blocks)
            ]
            if not fitting:
                return None
            levels[name] = fitting[0]
        return Recoding.of_levels(levels)
