"""The levels of a quasi-identifier: every block with its values and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable

MOST_MEMBERS = 6


@dataclass(frozen=True, kw_only=True)
class BlockView:
    """A block of a level: its label, how many values and rows it has, and its ``parent``.

    ``members`` are the first of the blocks below it.
    """

    label: str
    values: int
    rows: int
    members: tuple[str, ...]
    parent: str | None


@dataclass(frozen=True, kw_only=True)
class LevelView:
    """A level of a hierarchy and its blocks, in the order of the domain."""

    level: int
    blocks: tuple[BlockView, ...]


def level_views(table: CountTable, column: str) -> tuple[LevelView, ...]:
    """Return the levels of a quasi-identifier, with the rows that every block has."""
    names = [each.name for each in table.quasi_identifiers]
    place = names.index(column)
    domain: PartitionedDomain = table.quasi_identifiers[place].hierarchy
    of_leaf = np.bincount(
        table.cell_codes[place], weights=table.cell_sizes, minlength=domain.leaf_count
    )
    return tuple(_level(domain, level, of_leaf) for level in range(domain.height + 1))


def _level(domain: PartitionedDomain, level: int, of_leaf: np.ndarray) -> LevelView:
    codes, labels = domain.levels[level], domain.labels[level]
    values = np.bincount(codes, minlength=len(labels))
    rows = np.bincount(codes, weights=of_leaf, minlength=len(labels))
    below: list[dict[str, None]] = [{} for _ in labels]
    parents: list[str | None] = [None] * len(labels)
    for leaf, block in enumerate(codes.tolist()):
        if level and len(below[block]) <= MOST_MEMBERS:
            lower = domain.labels[level - 1][domain.levels[level - 1][leaf]]
            below[block].setdefault(lower)
        if level < domain.height and parents[block] is None:
            parents[block] = domain.labels[level + 1][domain.levels[level + 1][leaf]]
    return LevelView(
        level=level,
        blocks=tuple(
            BlockView(
                label=label,
                values=int(values[block]),
                rows=int(rows[block]),
                members=tuple(below[block]),
                parent=parents[block],
            )
            for block, label in enumerate(labels)
        ),
    )
