"""The rows of a source as analysts would get them unprotected, counted by one GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.classes.anonymization import class_numbers
from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.domains.domain import MissingDomain
from sfumato.microdata.counting import counted_attributes
from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import Role
from sfumato.microdata.value_coding import is_missing
from sfumato.utility.value_numbers import (
    LeafNumbers,
    ValueKind,
    leaf_numbers,
    text_numbers,
    value_number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.engines.engine import Engine
    from sfumato.engines.messages.grouped_counts import (
        CoarserValues,
        GroupedColumn,
        GroupedCounts,
    )
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import Source

MOST_VALUES = 5_000
"""A column beside the quasi-identifiers with more different values is left out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalysedColumn:
    """A column before it is recoded.

    ``texts`` are the values as the source has them, ``value_codes`` those of the groups; every
    value lies in a leaf of the domain. ``numbers`` are those of the leaves, None for categories,
    ``value_numbers`` those of the values themselves. ``hierarchy`` is that of a quasi-identifier.
    """

    name: str
    leaves: tuple[str, ...]
    texts: tuple[str | None, ...]
    leaf_of_value: Codes
    value_codes: Codes
    numbers: LeafNumbers | None
    value_numbers: Floats | None
    ordered: bool
    missing_leaf: int | None = None
    hierarchy: PartitionedDomain | None = None

    @property
    def kind(self) -> ValueKind:
        """What the values are."""
        return ValueKind.CATEGORY if self.numbers is None else self.numbers.kind

    @property
    def recoded(self) -> bool:
        """Whether it is a quasi-identifier."""
        return self.hierarchy is not None

    @cached_property
    def codes(self) -> Codes:
        """The leaf of every group."""
        return sealed_codes(self.leaf_of_value[self.value_codes])


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalysedTable:
    """Groups of rows that are equal in all columns that a release shows.

    ``cells`` has the cell of the count table that every group lies in, ``left_out`` the columns
    that have too many different values, with how many.
    """

    table: CountTable
    columns: tuple[AnalysedColumn, ...]
    counts: Counts
    cells: Counts
    left_out: Mapping[str, int]

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    def place(self, name: str) -> int:
        """Return the place of a column, or refuse a name that none has."""
        names = [column.name for column in self.columns]
        if name in names:
            return names.index(name)
        if name in self.left_out:
            raise SettingsError(
                f"column {name!r} has about {self.left_out[name]:,} different values, too many to "
                "be analysed by value",
                code="too-many-values",
                column=name,
                expected=f"at most {MOST_VALUES:,}",
                remedy="coarsen it in the study, or leave it out",
            )
        raise SettingsError(
            f"no column {name!r} is released",
            code="unknown-column",
            column=name,
            found=repr(name),
            expected=tuple(names),
            suggestion=closest(name, names),
        )

    def column(self, name: str) -> AnalysedColumn:
        """Return a column by its name."""
        return self.columns[self.place(name)]


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalysedSource:
    """What is counted: a source with its roles, and the count table of a study of it."""

    source: Source
    columns: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    missing: MissingValues
    engine: Engine
    coarser: CoarserValues
    table: CountTable


def analysed_table(asked: AnalysedSource) -> AnalysedTable:
    """Count all columns that a release shows, values as the source has them, in one pass.

    Columns that are coarsened or normalized are counted as they are released.
    """
    roles = {attribute.name: attribute.role for attribute in asked.attributes}
    identifiers = {each.name: each for each in asked.table.quasi_identifiers}
    released = [name for name in asked.columns if roles.get(name) is not Role.IDENTIFYING]
    others = [name for name in released if name not in identifiers]
    distinct = asked.engine.about_distinct(
        asked.source, [[name] for name in others], coarser=asked.coarser
    )
    left_out = {
        name: number
        for name, number in zip(others, distinct, strict=True)
        if number > MOST_VALUES and name not in asked.table.columns
    }
    names = [name for name in released if name not in left_out]
    grouped = asked.engine.count(asked.source, names, coarser=asked.coarser)
    return table_of_groups(asked, grouped, names, left_out)


def table_of_groups(
    asked: AnalysedSource,
    grouped: GroupedCounts,
    names: Sequence[str],
    left_out: Mapping[str, int],
) -> AnalysedTable:
    """Return the analysed table of groups that were counted."""
    identifiers = {each.name: each for each in asked.table.quasi_identifiers}
    keep = _kept_groups(asked, grouped)
    columns = tuple(
        _identifier(grouped.columns[name], keep, identifiers[name], asked.missing)
        if name in identifiers
        else _other(name, grouped.columns[name], keep, asked.missing)
        for name in names
    )
    return AnalysedTable(
        table=asked.table,
        columns=columns,
        counts=grouped.counts[keep],
        cells=_cells(asked.table, columns),
        left_out=dict(left_out),
    )


def _kept_groups(asked: AnalysedSource, grouped: GroupedCounts) -> Flags:
    """Say which groups the study counts: none with missing values where these are left out."""
    complete: Flags = np.ones(grouped.counts.shape[0], dtype=np.bool_)
    if asked.missing.policy is not MissingPolicy.DROP:
        return complete
    for attribute in counted_attributes(asked.attributes):
        column = grouped.columns[attribute.name]
        complete &= ~is_missing(column, asked.missing)[column.codes]
    return complete


def _identifier(
    column: GroupedColumn,
    keep: Flags,
    identifier: CountedQuasiIdentifier,
    missing: MissingValues,
) -> AnalysedColumn:
    domain = identifier.hierarchy.domain
    lacks = is_missing(column, missing)
    occurs = np.zeros(len(column.values), dtype=np.bool_)
    occurs[column.codes[keep]] = True
    leaves = [
        identifier.leaf_of_value[text] if there else 0
        for text, there in zip(column.values, occurs.tolist(), strict=True)
    ]
    numbers = leaf_numbers(domain)
    own = None
    if numbers is not None:
        middle = (numbers.low + numbers.high) / 2
        found = [
            None if text is None or gap else value_number(text, domain)
            for text, gap in zip(column.values, lacks.tolist(), strict=True)
        ]
        own = np.array(
            [
                middle[leaf] if number is None else number
                for leaf, number in zip(leaves, found, strict=True)
            ]
        )
    return AnalysedColumn(
        name=identifier.name,
        leaves=domain.leaves,
        texts=column.values,
        leaf_of_value=sealed_codes(leaves),
        value_codes=sealed_codes(column.codes[keep]),
        numbers=numbers,
        value_numbers=own,
        ordered=domain.ordered,
        missing_leaf=identifier.missing_leaf
        if identifier.missing_leaf is not None
        else (len(domain.leaves) - 1 if isinstance(domain, MissingDomain) else None),
        hierarchy=identifier.hierarchy,
    )


def _other(name: str, column: GroupedColumn, keep: Flags, missing: MissingValues) -> AnalysedColumn:
    """Return a column that is released as it is: its leaves are the values that occur."""
    lacks = is_missing(column, missing)
    known = [str(text) for text, gap in zip(column.values, lacks.tolist(), strict=True) if not gap]
    numbers = text_numbers(known)
    order = list(range(len(known)))
    if numbers is not None:
        low = numbers.low
        order.sort(key=lambda place: (low[place], known[place]))
        numbers = LeafNumbers(kind=numbers.kind, low=numbers.low[order], high=numbers.high[order])
    else:
        order.sort(key=known.__getitem__)
    leaves = [known[place] for place in order]
    leaf_of = {text: leaf for leaf, text in enumerate(leaves)}
    missing_leaf = None
    if lacks.any():
        missing_leaf = len(leaves)
        leaves.append(missing.label)
        if numbers is not None:
            numbers = LeafNumbers(
                kind=numbers.kind,
                low=np.append(numbers.low, np.nan),
                high=np.append(numbers.high, np.nan),
            )
    of_value = np.array(
        [
            missing_leaf if gap else leaf_of[str(text)]
            for text, gap in zip(column.values, lacks.tolist(), strict=True)
        ],
        dtype=np.int32,
    )
    return AnalysedColumn(
        name=name,
        leaves=tuple(leaves),
        texts=column.values,
        leaf_of_value=sealed_codes(of_value),
        value_codes=sealed_codes(column.codes[keep]),
        numbers=numbers,
        value_numbers=None if numbers is None else numbers.low[of_value],
        ordered=numbers is not None,
        missing_leaf=missing_leaf,
    )


def _cells(table: CountTable, columns: Sequence[AnalysedColumn]) -> Counts:
    """Return the cell of the count table that every group lies in."""
    by_name = {column.name: column for column in columns}
    both = []
    for q, identifier in enumerate(table.quasi_identifiers):
        hierarchy, level = identifier.hierarchy, identifier.minimum_level
        # A cell holds the first leaf of a block of the minimum level.
        counted = hierarchy.block_starts(level)[hierarchy.levels[level]]
        own = by_name[identifier.name].codes
        cells = counted[table.cell_codes[q]]
        both.append(np.concatenate([cells, counted[own]]).astype(np.int32))
    numbers, _ = class_numbers(both)
    cell_of = np.full(int(numbers.max()) + 1, -1, dtype=np.int64)
    cell_of[numbers[: table.cells]] = np.arange(table.cells)
    found: Counts = cell_of[numbers[table.cells :]]
    assert found.min(initial=0) >= 0, "every group lies in a cell"
    return found
