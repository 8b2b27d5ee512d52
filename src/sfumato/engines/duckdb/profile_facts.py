"""From the aggregates of a column to its profile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from math import gcd
from typing import TYPE_CHECKING

from sfumato.engines.duckdb import shapes
from sfumato.engines.duckdb.seen_values import MOST_LOOKED_AT, fitting_taxonomies, spelled_alike
from sfumato.engines.messages.column_profile import (
    MOST_VALUES,
    SHOWN_FROM,
    CodeShape,
    ColumnProfile,
    DateShape,
    NumberShape,
)
from sfumato.recognition.identifiers import identifier_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from sfumato.engines.duckdb.sampled_shapes import AskedColumn

LONGEST_BEGINNING = 12
MOST_DECIMALS = 9
NEARLY_ALL = 0.9
"""From this share on, what is no number or date is odd."""

BUCKETS_PER_DECADE = 40
BUCKET_OFFSET = 20_000
"""A number's bucket is ± this plus ⌊40 · its decimal logarithm⌋; that of 0 is 0."""

_TAIL = Decimal("0.01")


@dataclass(frozen=True, kw_only=True)
class ColumnFacts:
    """The aggregates of all columns, and which column is meant.

    ``asked`` says which shapes were asked for; of the distinct values those were counted that fall
    into one of ``share`` parts.
    """

    name: str
    asked: AskedColumn
    share: int
    facts: Mapping[str, object]

    @property
    def position(self) -> int:
        """The place of the column."""
        return self.asked.position

    def profile(self) -> ColumnProfile:
        """Return the profile of the column."""
        rows = self.facts["rows"]
        assert isinstance(rows, int)
        known, distinct, chosen = map(self._whole, ("known", "distinct", "chosen"))
        numbers = self._numbers() if known else None
        dates = self._dates() if known else None
        odd, expected = (0, "") if numbers or dates else self._odd()
        values = self._counts("values")
        seen = tuple(values) if values else self.asked.sample
        return ColumnProfile(
            name=self.name,
            rows=rows,
            missing=rows - self._whole("given"),
            markers=tuple(sorted(self._counts("markers").items())),
            distinct=distinct * self.share,
            distinct_exact=self.share == 1,
            unique_share=distinct / chosen if chosen else 0.0,
            shortest=self._whole("shortest"),
            longest=self._whole("longest"),
            numbers=numbers,
            dates=dates,
            codes=self._codes() if known else None,
            odd=odd,
            expected=expected,
            identifier=None
            if dates
            else identifier_seen(seen[:MOST_LOOKED_AT], of_numbers=numbers is not None),
            taxonomies=()
            if dates
            else fitting_taxonomies(
                seen, name=self.name, numbers=numbers is not None, complete=bool(values)
            ),
            variants=None if numbers or dates else spelled_alike(values),
            prefixes=_beginnings(values),
            frequent=self._frequent(distinct),
        )

    def _fact(self, name: str) -> object:
        return self.facts.get(f"{name}{self.position}")

    def _whole(self, name: str) -> int:
        value = self._fact(name) or 0
        assert isinstance(value, int)
        return value

    def _counts(self, name: str) -> dict[str, int]:
        found = self._fact(name) or {}
        assert isinstance(found, dict)
        return found

    def _frequent(self, distinct: int) -> tuple[tuple[str, int], ...]:
        if distinct > MOST_VALUES:
            return ()
        shown = [each for each in self._counts("values").items() if each[1] >= SHOWN_FROM]
        return tuple(sorted(shown, key=lambda entry: (-entry[1], entry[0])))

    def _odd(self) -> tuple[int, str]:
        """Return how many rows are no number, or no date, though nearly all are."""
        known = self._whole("known")
        read, unread = most_read(self.asked, self.facts)
        if unread is None or read < known * NEARLY_ALL:
            return 0, ""
        return known - read, "number" if self.asked.style else "date"

    def _numbers(self) -> NumberShape | None:
        if self.asked.style is None or self._fact("number") != self._fact("known"):
            return None
        style = self.asked.style
        assert style is not None
        least = style.parse(str(self._fact("least")))
        greatest = style.parse(str(self._fact("greatest")))
        assert least is not None
        assert greatest is not None
        low, high = bulk({int(bucket): n for bucket, n in self._counts("buckets").items()})
        return NumberShape(
            least=least,
            greatest=greatest,
            whole=self._whole("fractions") == 0,
            decimals=self._whole("decimals"),
            bulk_low=max(least, low),
            bulk_high=min(greatest, high),
            style=style,
            step=_step(map(style.parse, self._counts("values"))),
        )

    def _dates(self) -> DateShape | None:
        fitting = [
            (i, form)
            for i, form in enumerate(self.asked.dates)
            if self._fact_of_form("date", i) == self._fact("known")
        ]
        if not fitting:
            return None
        i, form = fitting[0]
        first, last = self._fact_of_form("first", i), self._fact_of_form("last", i)
        assert isinstance(first, datetime)
        assert isinstance(last, datetime)
        return DateShape(
            format=form.formats,
            unit=form.unit,
            first=first.date(),
            last=last.date(),
            periods=tuple((unit, self._whole_of_form(f"{unit}s", i)) for unit in shapes.PERIODS),
            other_format=fitting[1][1].format if len(fitting) > 1 else None,
        )

    def _fact_of_form(self, name: str, form: int) -> object:
        return self.facts[f"{name}{self.position}_{form}"]

    def _whole_of_form(self, name: str, form: int) -> int:
        value = self._fact_of_form(name, form)
        assert isinstance(value, int)
        return value

    def _codes(self) -> CodeShape | None:
        known, length = self._whole("known"), self._whole("longest")
        if self._whole("code") != known or self._whole("shortest") != length:
            return None
        return CodeShape(
            length=length,
            digits=self._whole("digits") == known,
            leading_zeros=self._whole("zeros") > 0,
        )


def _beginnings(values: Iterable[str]) -> tuple[int, ...]:
    """Return how many different beginnings of 1, 2, … characters some values have.

    >>> _beginnings(["101", "102", "20"])
    (2, 2, 3)
    """
    texts = list(values)
    longest = min(max(map(len, texts), default=0), LONGEST_BEGINNING)
    return tuple(len({text[:length] for text in texts}) for length in range(1, longest + 1))


def _step(numbers: Iterable[Decimal | None]) -> Decimal | None:
    """Return the greatest number that all are multiples of, None if there is none.

    >>> _step(map(Decimal, (10, 25, 40))), _step([Decimal("0.5"), Decimal(2)])
    (Decimal('5'), Decimal('0.5'))
    """
    known = [number for number in numbers if number]
    if not known:
        return None
    scale = max(0, *(-int(number.as_tuple().exponent) for number in known))
    if scale > MOST_DECIMALS:
        return None
    return Decimal(gcd(*(int(number.scaleb(scale)) for number in known))).scaleb(-scale)


def most_read(asked: AskedColumn, facts: Mapping[str, object]) -> tuple[int, str | None]:
    """Return how many rows the shape reads that was asked for, and SQL of those it does not."""
    p = asked.position
    if asked.style is not None:
        read, unread = facts[f"number{p}"], f"n{p} IS NULL"
    elif asked.dates:
        read, unread = facts[f"date{p}_0"], f"d{p}_0 IS NULL"
    else:
        return 0, None
    assert isinstance(read, int)
    return read, unread


def bulk(buckets: Mapping[int, int]) -> tuple[Decimal, Decimal]:
    """Return borders of buckets outside which at most a hundredth of the rows lies at each end.

    >>> low, high = bulk({20_000: 1, 20_040: 300, 20_080: 1})
    >>> round(low), round(high)
    (10, 11)
    """
    total = sum(buckets.values())
    below = 0
    low = high = min(buckets)
    for bucket in sorted(buckets):
        if below <= total * _TAIL:
            low = bucket
        if below < total * (1 - _TAIL):
            high = bucket
        below += buckets[bucket]
    return min(_borders(low)), max(_borders(high))


def _borders(bucket: int) -> tuple[Decimal, Decimal]:
    if bucket == 0:
        return Decimal(0), Decimal(0)
    sign = 1 if bucket > 0 else -1
    exponent = Decimal(abs(bucket) - BUCKET_OFFSET)
    near, far = (Decimal(10) ** (each / BUCKETS_PER_DECADE) for each in (exponent, exponent + 1))
    return sign * near, sign * far


MOST_AT_ONCE = 60
"""DuckDB tells which grouping a row belongs to by the bits of one number."""


@dataclass(frozen=True, kw_only=True)
class GroupedFact:
    """An expression whose values are counted, under a name; rarer values than ``least`` stay."""

    name: str
    sql: str
    least: int = 1


def grouped_counts(
    connection: duckdb.DuckDBPyConnection, rows: str, facts: Sequence[GroupedFact]
) -> dict[str, dict[str, int]]:
    """Return for every fact the texts of its values, nulls left out, with their rows, in one scan.

    The aggregate histogram(…) would do the same more simply, but its memory grows with the rows.
    """
    found: dict[str, dict[str, int]] = {}
    for start in range(0, len(facts), MOST_AT_ONCE):
        found |= _counts(connection, rows, facts[start : start + MOST_AT_ONCE])
    return found


def _counts(
    connection: duckdb.DuckDBPyConnection, rows: str, facts: Sequence[GroupedFact]
) -> dict[str, dict[str, int]]:
    names = [f"g{position}" for position in range(len(facts))]
    given = ", ".join(f"{fact.sql} AS {name}" for fact, name in zip(facts, names, strict=True))
    texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
    sets = ", ".join(f"({name})" for name in names)
    enough = " AND ".join(
        f"({name} IS NULL OR count(*) >= {fact.least})"
        for fact, name in zip(facts, names, strict=True)
    )
    result = connection.execute(
        f"SELECT GROUPING_ID({', '.join(names)}), coalesce({texts}), count(*) "
        f"FROM (SELECT {given} FROM {rows}) GROUP BY GROUPING SETS ({sets}) "
        f"HAVING coalesce({texts}) IS NOT NULL AND {enough}"
    )
    found: dict[str, dict[str, int]] = {fact.name: {} for fact in facts}
    everything = (1 << len(facts)) - 1
    for grouping, text, count in result.fetchall():
        # The bit of the one expression that is grouped by is 0, the first has the highest bit.
        position = len(facts) - (everything ^ int(grouping)).bit_length()
        found[facts[position].name][str(text)] = int(count)
    return found
