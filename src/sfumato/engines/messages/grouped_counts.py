"""What an engine is asked to count and match, and returns, in terms that every engine can meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.hierarchies.hierarchy import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.messages.coarsening import CoarsenedValues
    from sfumato.sources.source import Source


CoarserValues: TypeAlias = "Mapping[str, Mapping[str, str] | CoarsenedValues]"
"""For some columns, the text that is counted in place of another one: listed, or by a rule."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedColumn:
    """The distinct values of a column as text (None: missing) and the group's position in them."""

    values: tuple[str | None, ...]
    codes: Codes


@dataclass(frozen=True, kw_only=True)
class PersonKey:
    """The columns that tell who a row is about, and the texts that mean a missing value.

    More than ``most`` groups are refused where it is given: somebody in several combinations makes
    a group of each.
    """

    columns: tuple[str, ...]
    markers: tuple[str, ...] = ()
    most: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedPeople:
    """Who the rows of every group are about, without anything of their keys.

    ``persons`` has a number for the person of a group, -1 for a group of ``counts`` people none of
    whom is in another one. Numbers mean nothing beyond this.
    """

    persons: Counts
    counts: Counts

    def where(self, groups: Flags) -> GroupedPeople:
        """Return the people of some groups."""
        return GroupedPeople(persons=self.persons[groups], counts=self.counts[groups])


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedCounts:
    """Distinct combinations of the asked columns with the number of rows of each.

    With ``people`` a combination comes once for every person who is in several.

    >>> grouped = GroupedCounts.of_rows({"sex": ["F", "M", "F"], "age": ["30", "31", "30"]})
    >>> grouped.counts.tolist(), grouped.columns["sex"].values
    ([2, 1], ('F', 'M'))
    """

    columns: Mapping[str, GroupedColumn]
    counts: Counts
    people: GroupedPeople | None = None

    @classmethod
    def of_rows(
        cls,
        rows: Mapping[str, Sequence[str | None]],
        *,
        persons: Sequence[int] | None = None,
    ) -> GroupedCounts:
        """Count rows that are already in memory, column by column: for examples and checks.

        ``persons`` has the number of the person of every row.
        """
        if persons is not None:
            return cls._of_people(rows, persons)
        lengths = {len(values) for values in rows.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        combinations: dict[tuple[str | None, ...], int] = {}
        for row in zip(*rows.values(), strict=True):
            combinations[row] = combinations.get(row, 0) + 1
        ordered = sorted(combinations, key=lambda row: tuple((v is not None, v or "") for v in row))
        columns = {}
        for position, name in enumerate(rows):
            texts = sorted(
                {row[position] for row in ordered}, key=lambda v: (v is not None, v or "")
            )
            place = {text: code for code, text in enumerate(texts)}
            codes = np.array([place[row[position]] for row in ordered], dtype=np.int32)
            columns[name] = GroupedColumn(values=tuple(texts), codes=codes)
        counts = np.array([combinations[row] for row in ordered], dtype=np.int64)
        return cls(columns=columns, counts=counts)

    @classmethod
    def _of_people(
        cls, rows: Mapping[str, Sequence[str | None]], persons: Sequence[int]
    ) -> GroupedCounts:
        """Count the rows of every person apart."""
        together = cls.of_rows({**rows, "\x1f": [f"{person:020}" for person in persons]})
        columns = dict(together.columns)
        own = columns.pop("\x1f")
        numbers = np.array(list(map(int, map(str, own.values))), dtype=np.int64)
        people = GroupedPeople(
            persons=numbers[own.codes], counts=np.ones(own.codes.shape, dtype=np.int64)
        )
        return cls(columns=columns, counts=together.counts, people=people)


PRESENT = "yes"
"""What the presence column of a matched row says; it is missing where a row has no partner."""

STARRED = TOP


@dataclass(frozen=True, kw_only=True, eq=False)
class AnonymizedTable:
    """A table whose rows are those of a source, recoded.

    ``columns`` are its quasi-identifiers; ``unchanged`` are columns that it shares with the
    source as they are, by which a wrong match is found out.
    """

    source: Source
    columns: tuple[str, ...]
    unchanged: tuple[str, ...] = ()


def matched_column(number: int, column: str) -> str:
    """Return the name that a column of a matched table has among those of the source."""
    return f"{number}\x1f{column}"


def presence_column(number: int) -> str:
    """Return the name of the column that tells whether a matched table has the row."""
    return f"{number}\x1f"
