"""Class tables of several recodings, end to end in flat arrays."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from sfumato.classes.population_classes import people_covered
from sfumato.classes.protected_groups import ProtectedGroups
from sfumato.errors import SettingsError
from sfumato.microdata.count_table import PeopleBy
from sfumato.microdata.value_counts import ValueCounts
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.classes.key_layout import KeyLayout
    from sfumato.microdata.count_table import Carried, CountTable
    from sfumato.recoding.label_book import LabelBook


class SeenFrom(enum.StrEnum):
    """What must be known of an anonymized table before a metric of it can be computed."""

    CLASSES = "classes"
    """Class sizes and the values in them: any table shows them."""
    BLOCKS = "blocks"
    """How many values of the domain each label covers."""
    PARTITIONS = "partitions"
    """The whole partition of every domain, with its level if it has one."""
    ORIGINALS = "originals"
    """The values before they were recoded, which no release shows."""
    PEOPLE = "people"
    """Who the rows are about, which no release shows; what measures of privacy count by a key."""


class KnownValues(NamedTuple):
    """How the values that l-diversity counts are distributed among those whom classes protect.

    ``units`` have such a value, ``having`` are how many have each, and ``shares``, which sum to
    ``totals``, what they weigh. Where missing values are not counted, a class that has nothing else
    is ``unknown``: its only count is that of its missing values, and its l is 0. The part of a
    person that falls to missing values is not counted either.
    """

    units: Counts
    having: ValueCounts
    shares: ValueCounts
    totals: Counts
    unknown: Flags


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassBatch:
    """The equivalence classes of a batch of recodings.

    Recoding ``n`` chose page ``choices[n, q]`` of the book of quasi-identifier ``q`` and owns the
    classes from ``offsets[n]`` to ``offsets[n + 1]``, ascending by their codes. Every recoding
    has at least one class, and its class sizes sum to the number of rows. ``lacks`` says why
    something is not known of these classes; nothing is lacking where they come from a recoding.
    """

    table: CountTable
    layout: KeyLayout
    books: tuple[LabelBook, ...]
    choices: Counts
    offsets: Counts
    keys: NDArray[np.uint64]
    sizes: Counts
    carried: ValueCounts
    lacks: Mapping[SeenFrom, str] = field(default_factory=dict)

    @classmethod
    def together(cls, batches: Sequence[ClassBatch]) -> ClassBatch:
        """Return the recodings of several batches as one: of the same table and the same books."""
        first = batches[0]
        if len(batches) == 1:
            return first
        carried = [batch.carried for batch in batches]
        return cls(
            table=first.table,
            layout=first.layout,
            books=first.books,
            choices=np.concatenate([batch.choices for batch in batches]),
            offsets=_end_to_end([batch.offsets for batch in batches]),
            keys=np.concatenate([batch.keys for batch in batches]),
            sizes=np.concatenate([batch.sizes for batch in batches]),
            carried=ValueCounts(
                starts=_end_to_end([each.starts for each in carried]),
                values=np.concatenate([each.values for each in carried]),
                counts=np.concatenate([each.counts for each in carried]),
                spans=first.carried.spans,
            ),
            lacks=first.lacks,
        )

    @property
    def recodings(self) -> int:
        """The number of recodings in the batch."""
        return int(self.choices.shape[0])

    @property
    def classes(self) -> int:
        """The number of classes of all recodings together."""
        return int(self.sizes.shape[0])

    @cached_property
    def class_counts(self) -> Counts:
        """The number of classes of every recoding."""
        return np.diff(self.offsets)

    @cached_property
    def recoding_of(self) -> Counts:
        """The recoding that every class belongs to."""
        return np.repeat(np.arange(self.recodings), self.class_counts)

    @cached_property
    def units(self) -> Counts:
        """How many every class protects: its people where there is a person key, or its rows."""
        return self.protected(None).units

    @cached_property
    def population_units(self) -> Counts:
        """How many people of the population the labels of every class cover."""
        population = self.table.population
        assert population is not None, "a measure of the population checks that there is one"
        return np.concatenate(
            [
                people_covered(
                    self.keys[self.offsets[recoding] : self.offsets[recoding + 1]],
                    layout=self.layout,
                    books=self.books,
                    pages=self.choices[recoding].tolist(),
                    population=population,
                )
                for recoding in range(self.recodings)
            ]
        )

    def least_sizes_from(self, least: int) -> Counts:
        """Return, for every recoding, the size of its smallest class that protects so many.

        More than any size where it has no such class.
        """
        large = np.where(self.units >= least, self.units, np.iinfo(np.int64).max)
        return np.minimum.reduceat(large, self.offsets[:-1])

    def protected(self, column: Carried | None) -> ProtectedGroups:
        """Return those whom the classes protect with their values of a column, found once.

        Without a column it is about no more than how many there are.
        """
        carried = self._carried_for(column)
        if carried not in self._protected:
            self._protected[carried] = ProtectedGroups(
                table=self.table,
                carried=carried,
                counts=ValueCounts.of_groups(self.sizes)
                if carried is None
                else self.counts(carried),
                sizes=self.sizes,
            )
        return self._protected[carried]

    def _carried_for(self, column: Carried | None) -> Carried | None:
        """Return what is carried about those who are protected."""
        if column is None and self.table.people is not None:
            # Any column by which people are carried tells how many there are.
            found = (each for each in self.carried.spans if isinstance(each, PeopleBy))
            return next(found, PeopleBy())
        if isinstance(column, str | StatementPatterns):
            return self.table.protected(column)
        return column

    @cached_property
    def _protected(self) -> dict[Carried | None, ProtectedGroups]:
        return {}

    def codes(self, q: int, classes: Counts | slice = slice(None)) -> Counts:
        """Return the block code of quasi-identifier ``q`` in the given classes."""
        return self.layout.unpack(self.keys[classes], q)

    def block_extents(self, q: int, classes: Counts | slice = slice(None)) -> Counts:
        """Return |block| - 1 of quasi-identifier ``q`` in the given classes."""
        pages = self.choices[self.recoding_of[classes], q]
        sizes: Counts = self.books[q].block_sizes[pages, self.codes(q, classes)]
        return sizes - 1

    @cached_property
    def widths(self) -> Counts:
        """|domain| - 1 of every quasi-identifier, 1 where it has a single value."""
        return np.array([max(1, book.leaves - 1) for book in self.books], dtype=np.int64)

    def counts(self, column: Carried) -> ValueCounts:
        """Return the counts of a carried column's values in every class."""
        if column not in self.carried.spans:
            raise SettingsError(
                f"the class tables do not carry {column!r}",
                code="not-carried",
                found=repr(column),
                remedy="a measure of a sensitive column must set needs_sensitive, "
                "and take the column by its name",
            )
        if len(self.carried.spans) > 1 and column not in self._separated:
            self._separated[column] = self.carried.column(column)
        return self._separated.get(column, self.carried)

    @cached_property
    def _separated(self) -> dict[Carried, ValueCounts]:
        return {}

    def largest_count(self, column: Carried) -> Counts:
        """Return the count of the most frequent value of ``column`` in every class."""
        return by_class(np.maximum, self.counts(column).counts, self.counts(column).starts)

    def known_values(self, column: str) -> KnownValues:
        """Return the values of a sensitive column that l-diversity counts, in every class."""
        if column not in self._known:
            self._known[column] = self._found_values(column, self.table.columns[column].unknown)
        return self._known[column]

    def _found_values(self, column: str, missing: int | None) -> KnownValues:
        protected = self.protected(column)
        found = protected.by_value
        if missing is None:
            return KnownValues(*found, np.zeros(self.classes, dtype=np.bool_))
        only, shares = found.having.only(missing), found.shares.without(missing)
        others = protected.with_code(np.arange(self.table.width_of(column)) != missing)
        return KnownValues(
            units=np.where(only, found.units, others),
            having=found.having.without(missing),
            shares=shares,
            totals=by_class(np.add, shares.counts, shares.starts),
            unknown=only,
        )

    @cached_property
    def _known(self) -> dict[str, KnownValues]:
        return {}

    def add_by_class(self, column: Carried, per_entry: Floats) -> Floats:
        """Add up real numbers, one for each carried entry of ``column``, by class."""
        return by_class(np.add, per_entry, self.counts(column).starts)


def _end_to_end(offsets: Sequence[Counts]) -> Counts:
    """Return the offsets of runs that follow each other."""
    ends = itertools.accumulate(int(each[-1]) for each in offsets)
    moved = [each[1:] + end for each, end in zip(offsets[1:], ends, strict=False)]
    return np.concatenate([offsets[0], *moved])


Numbers = TypeVar("Numbers", "NDArray[np.int64]", "NDArray[np.float64]")


def by_class(ufunc: np.ufunc, per_entry: Numbers, starts: Counts) -> Numbers:
    """Reduce the entries of every class; 0 for a class without entries, as population data have.

    >>> by_class(np.maximum, np.array([3, 5, 4]), np.array([0, 2, 2, 3])).tolist()
    [5, 0, 4]
    """
    some = starts[1:] > starts[:-1]
    if some.all():
        return np.asarray(ufunc.reduceat(per_entry, starts[:-1]), dtype=per_entry.dtype)
    reduced = np.zeros(some.shape[0], dtype=per_entry.dtype)
    if some.any():
        reduced[some] = ufunc.reduceat(per_entry, starts[:-1][some])
    return reduced
