"""The count table: all that a search sees of the rows."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sfumato.arrays import sealed_counts
from sfumato.errors import SettingsError, SourceError
from sfumato.microdata.counted_people import CodedPeople, CountedPeople
from sfumato.microdata.counted_people import PeopleBy as PeopleBy
from sfumato.microdata.output import Output
from sfumato.microdata.value_counts import ValueCounts
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.messages.column_facts import TextCounts
    from sfumato.hierarchies.ground_distance import GroundDistance
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.counted_population import CountedPopulation
    from sfumato.statements.counted_statements import CountedStatements


MOST_ROWS = math.isqrt(2**63 - 1)
"""Sums of squared class sizes are at most the square of this, which still fits 64 bits."""


class Leaves(NamedTuple):
    """The leaves of a quasi-identifier, as something that class tables can carry.

    A column can be both quasi-identifier and class label: its name alone means its values.
    """

    quasi_identifier: str


Carried: TypeAlias = str | Leaves | StatementPatterns | PeopleBy
"""What class tables can carry: values of a counted column, leaves, patterns of statements, people.
"""


_WHOLE_IN_FLOATS = 2.0**52
"""Whole numbers up to here, and sums of them, are exact in floating point."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedQuasiIdentifier:
    """A quasi-identifier whose hierarchy fits the values that were counted.

    ``constrained`` is what `sfumato.microdata.roles.Attribute.constrained` says.
    ``output`` is the kind of its labels in a local recoding. No recoding goes below the level
    ``minimum_level``, and cells hold the first leaf of its blocks.
    ``leaf_of_value`` has the leaf of every text that was counted, None for missing values: what
    a rewrite of the rows needs.
    What is published may name a domain, levels and a leaf for missing values only where they are
    ``domain_declared``, ``levels_declared`` and ``missing_declared``: others may be what they are
    because of the values of suppressed people.
    """

    name: str
    hierarchy: PartitionedDomain
    domain_declared: bool = True
    levels_declared: bool = True
    missing_declared: bool = True
    weight: float = 1.0
    constrained: bool = False
    output: Output = Output.HIERARCHY
    missing_leaf: int | None = None
    minimum_level: int = 0
    leaf_of_value: Mapping[str | None, int] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedColumn:
    """A sensitive column or class label: its values in order, as they were counted.

    ``respelled`` says that texts of the source were counted as values written otherwise.
    ``unknown`` is the code of missing values where these are not counted as a value of l.
    """

    name: str
    values: tuple[str, ...]
    ground_distance: GroundDistance | None = None
    respelled: bool = False
    unknown: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class CountTable:
    """Distinct combinations of quasi-identifiers, sensitive values and label, with their counts.

    ``cell_codes`` has a row for each quasi-identifier and a column for each *cell*, a distinct
    combination of leaves; cells ascend. ``entry_codes`` has a row for each sensitive column or
    label and a column for each distinct combination inside a cell; entries of one cell are
    neighbours (``entry_starts``). Where there are ``statements``, a last row of ``entry_codes`` has
    the pattern of every entry. No identifying column is here, and the counts sum to ``rows``.
    ``people`` says who the entries are about, if there is a person key; ``population`` is the
    table that they were drawn from, if the study has one. ``texts`` are those of columns that were
    counted as they are in the source, dropped rows included, where they are few.
    """

    quasi_identifiers: tuple[CountedQuasiIdentifier, ...]
    sensitive: tuple[CountedColumn, ...]
    label: CountedColumn | None
    cell_codes: Codes
    cell_sizes: Counts
    entry_starts: Counts
    entry_codes: Codes
    entry_counts: Counts
    dropped_rows: int = 0
    statements: CountedStatements | None = None
    people: CountedPeople | None = None
    population: CountedPopulation | None = None
    texts: Mapping[str, TextCounts] = field(default_factory=dict, repr=False)
    _columns: Mapping[str, CountedColumn] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        columns = {column.name: column for column in self.sensitive}
        if self.label is not None:
            columns[self.label.name] = self.label
        object.__setattr__(self, "_columns", columns)
        for array in (
            self.cell_codes,
            self.cell_sizes,
            self.entry_starts,
            self.entry_codes,
            self.entry_counts,
        ):
            array.flags.writeable = False
        if self.rows > MOST_ROWS:
            raise SourceError(
                f"the source has {self.rows:,} rows, and the squares of class sizes (s-k, "
                "weighted-k, dm) would no longer fit 64 bits",
                code="too-many-rows",
                found=str(self.rows),
                expected=f"at most {MOST_ROWS:,} rows",
                remedy="split the source",
            )

    @cached_property
    def rows(self) -> int:
        """The number of rows that were counted."""
        return int(self.cell_sizes.sum())

    @property
    def units(self) -> int:
        """How many there are to protect: people where there is a person key, rows elsewhere."""
        return self.rows if self.people is None else self.people.count

    @property
    def people_in_several_cells(self) -> bool:
        """Whether people do not add up when classes merge."""
        return self.people is not None and self.people.in_several_cells > 0

    def protected(self, column: str | StatementPatterns) -> Carried:
        """Return what class tables carry for measures of what a column tells about somebody."""
        return column if self.people is None else PeopleBy(column)

    @property
    def cells(self) -> int:
        """The number of distinct combinations of quasi-identifiers."""
        return int(self.cell_sizes.shape[0])

    @cached_property
    def cell_units(self) -> Counts:
        """How many every cell protects: its people where there is a person key, or its rows."""
        if self.people is None:
            return self.cell_sizes
        people = self.people
        found = exact_bincount(self.cell_of_entry, people.alone, self.cells)
        # Somebody with several entries of a cell is in it once.
        pairs = np.unique(people.persons * np.int64(self.cells) + people.cells)
        return found + np.bincount(pairs % self.cells, minlength=self.cells)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers, in order."""
        return tuple(identifier.name for identifier in self.quasi_identifiers)

    @property
    def hierarchies(self) -> tuple[PartitionedDomain, ...]:
        """The hierarchies of the quasi-identifiers, in order."""
        return tuple(identifier.hierarchy for identifier in self.quasi_identifiers)

    @property
    def minimum_levels(self) -> tuple[int, ...]:
        """The finest level that a recoding may have, for every quasi-identifier."""
        return tuple(identifier.minimum_level for identifier in self.quasi_identifiers)

    @property
    def columns(self) -> Mapping[str, CountedColumn]:
        """The sensitive columns and the label by name."""
        return self._columns

    def width_of(self, carried: Carried) -> int:
        """Return how many different codes a counted column, or the leaves of a QI, can have."""
        if isinstance(carried, Leaves):
            return self.hierarchies[self.names.index(carried.quasi_identifier)].leaf_count
        if isinstance(carried, StatementPatterns):
            assert self.statements is not None
            return self.statements.patterns
        if isinstance(carried, PeopleBy):
            return self.coded_people(carried).reach
        return len(self._columns[carried].values)

    def entry_codes_of(self, column: str | StatementPatterns) -> Codes:
        """Return the code of every entry in a counted column, or its pattern."""
        if isinstance(column, StatementPatterns):
            assert self.statements is not None
            patterns: Codes = self.entry_codes[-1]
            return patterns
        codes: Codes = self.entry_codes[list(self._columns).index(column)]
        return codes

    @cached_property
    def cell_of_entry(self) -> Counts:
        """The cell that every entry is in."""
        return np.repeat(np.arange(self.cells), np.diff(self.entry_starts))

    @cached_property
    def _coded_people(self) -> dict[PeopleBy, CodedPeople]:
        return {}

    def coded_people(self, carried: PeopleBy) -> CodedPeople:
        """Return how people are carried with their values of a column."""
        if carried not in self._coded_people:
            assert self.people is not None
            column = carried.counted
            codes = None if column is None else self.entry_codes_of(column)
            width = 1 if column is None else self.width_of(column)
            self._coded_people[carried] = self.people.coded(codes, width)
        return self._coded_people[carried]

    def people_by(self, carried: PeopleBy, group_of_entry: Counts) -> tuple[Counts, Counts, Counts]:
        """Return the group, set or pair, and count of all people, however entries are grouped."""
        codes = None if carried.counted is None else self.entry_codes_of(carried.counted)
        return self.coded_people(carried).triples(group_of_entry, codes)

    def _triples(self, carried: Carried) -> tuple[Counts, Codes | Counts, Counts]:
        """Return the cell, code and count of all that is counted of a column."""
        if isinstance(carried, Leaves):
            codes = self.cell_codes[self.names.index(carried.quasi_identifier)]
            return np.arange(self.cells), codes, self.cell_sizes
        if isinstance(carried, PeopleBy):
            return self.people_by(carried, self.cell_of_entry)
        return self.cell_of_entry, self.entry_codes_of(carried), self.entry_counts

    def marginal(self, carried: Carried) -> Counts:
        """Return the rows of every value of a counted column, or of every leaf of a QI."""
        known = self._marginals.get(carried)
        if known is None:
            _, codes, counts = self._triples(carried)
            known = sealed_counts(exact_bincount(codes, counts, self.width_of(carried)))
            self._marginals[carried] = known
        return known

    @cached_property
    def _marginals(self) -> dict[Carried, Counts]:
        return {}

    @cached_property
    def cells_digest(self) -> str:
        """What tells the cells from those of other tables, which published files never have.

        It is a SHA-256 of the values of the domains, and of the leaves and the sizes of cells.
        """
        digest = hashlib.sha256()
        for name, hierarchy in zip(self.names, self.hierarchies, strict=True):
            values = hierarchy.labels[0]
            for text in (name, str(len(values)), *values):
                digest.update(f"{len(text)}:{text}".encode(errors="surrogatepass"))
        digest.update(np.ascontiguousarray(self.cell_codes, dtype="<i4").tobytes())
        digest.update(np.ascontiguousarray(self.cell_sizes, dtype="<i8").tobytes())
        return digest.hexdigest()

    def protected_marginal(self, column: str) -> Counts:
        """Return what everybody weighs by value: rows, or people split over their values."""
        if self.people is None:
            return self.marginal(column)
        return self.coded_people(PeopleBy(column)).marginal(self.entry_codes_of(column))

    def units_by_value(self, column: str) -> Counts:
        """Return how many have each value of a column: rows, or people."""
        if self.people is None:
            return self.marginal(column)
        return self.coded_people(PeopleBy(column)).having(self.entry_codes_of(column))

    def units_with(self, column: str | StatementPatterns, flagged: Flags) -> int:
        """Return how many have at least one of the codes of a column that are flagged."""
        codes = self.entry_codes_of(column)
        if self.people is None:
            return int(self.entry_counts[flagged[codes]].sum())
        return self.coded_people(PeopleBy(column)).having_any(codes, flagged)

    def carried(self, columns: Sequence[Carried]) -> ValueCounts:
        """Return the counts of the values of ``columns`` in every cell, ready to be rolled up."""
        offset = 0
        spans: dict[Hashable, tuple[int, int]] = {}
        parts: list[tuple[Counts, Counts, Counts]] = []
        for column in columns:
            cells, codes, counts = self._triples(column)
            parts.append((cells, codes.astype(np.int64) + offset, counts))
            # Whoever is in one cell is never carried as a person: their pairs need no room.
            width = (
                self.coded_people(column).cell_reach
                if isinstance(column, PeopleBy)
                else self.width_of(column)
            )
            spans[column] = (offset, offset + width)
            offset = spans[column][1]
        return ValueCounts.gather(parts, spans=spans, groups=self.cells)


def exact_bincount(codes: Codes | Counts, weights: Counts, length: int) -> Counts:
    """Sum integer ``weights`` by code, without rounding.

    >>> exact_bincount(np.array([0, 2, 0]), np.array([1, 5, 2]), 3).tolist()
    [3, 0, 5]
    """
    if np.abs(weights).sum(dtype=np.float64) < _WHOLE_IN_FLOATS:
        return np.bincount(codes, weights=weights, minlength=length).astype(np.int64)
    totals: Counts = np.zeros(length, dtype=np.int64)
    np.add.at(totals, codes, weights)
    return totals


def statements_of(table: CountTable, *, asker: str) -> CountedStatements:
    """Return the statements of a table, or say that the measure or search ``asker`` needs some."""
    if table.statements is None:
        raise SettingsError(
            f"{asker} needs confidential statements and the study has none",
            code="missing-setting",
            key="statements",
            remedy="name a predicate that is to stay confidential: [[statements]] with "
            "protect = 'Health = 2' in a study file, statements=['Health = 2'] in Python",
        )
    return table.statements
