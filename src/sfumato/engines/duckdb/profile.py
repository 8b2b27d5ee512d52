"""Profiles of columns by aggregates in DuckDB.

A few first rows tell which shapes are worth asking for, a scan of all rows confirms them, another
one counts distinct values, and a last one the rows of each where there are few. Nothing that is
held grows with the rows: of a column with many values those are counted whose hash falls into a
share of all hashes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.duckdb import shapes
from sfumato.engines.duckdb.dialect import DIALECT, FLOATING
from sfumato.engines.duckdb.profile_facts import (
    BUCKET_OFFSET,
    BUCKETS_PER_DECADE,
    NEARLY_ALL,
    ColumnFacts,
    GroupedFact,
    grouped_counts,
    most_read,
)
from sfumato.engines.duckdb.sampled_shapes import AskedColumn, asked_column
from sfumato.engines.messages.column_profile import MOST_EXAMINED, SHOWN_FROM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from sfumato.engines.duckdb.session import DuckDBSession
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.sql.opened_table import OpenedTable

FIRST_ROWS = 2_000
MOST_EXCEPTIONS = 200
MOST_ODD = 5
MOST_COUNTED = 1 << 16
"""Up to about this many distinct values are counted exactly."""


def profile_table(table: OpenedTable[DuckDBSession]) -> tuple[ColumnProfile, ...]:
    """Return the profiles of all columns.

    Where most values of a column are numbers or dates, what the others are is looked at: another
    way to write them is asked for, and a few frequent texts are markers of missing values.
    """
    connection = table.session.connection
    markers: dict[int, tuple[str, ...]] = {}
    rows = _texts(table.sql, list(table.kinds.values()), markers)
    columns = _worth_asking(connection, rows, len(table.names))
    facts = _shape_facts(connection, columns, rows)
    corrected = _with_exceptions(connection, columns, facts, rows)
    if corrected != columns:
        columns = corrected
        facts = _shape_facts(connection, columns, rows)
    markers = _odd_markers(connection, columns, facts, rows)
    if markers:
        rows = _texts(table.sql, list(table.kinds.values()), markers)
        facts = _shape_facts(connection, columns, rows)
    shares = [_hash_share(_whole(facts, f"about{column.position}")) for column in columns]
    asked = zip(columns, shares, strict=True)
    facts |= _one_row(connection, (part for each in asked for part in _distinct(*each)), rows)
    facts |= grouped_counts(connection, _read(columns, rows), _groups(columns, facts))
    return tuple(
        ColumnFacts(name=name, asked=column, share=share, facts=facts).profile()
        for name, column, share in zip(table.names, columns, shares, strict=True)
    )


def _texts(table: str, kinds: Sequence[str], odd: Mapping[int, Sequence[str]]) -> str:
    """Return rows of texts: of column p all as t…p, u…p without and k…p with markers only.

    ``odd`` has more markers of some columns.

    What several aggregates ask for is a column of its own, so that it is computed once.
    """
    texts = ", ".join(f"{value_text(f'c{p}', kind)} AS t{p}" for p, kind in enumerate(kinds))
    rows = f"(SELECT {texts} FROM {table})"
    marks = ", ".join(f"{_is_marker(f't{p}', odd.get(p, ()))} AS m{p}" for p in range(len(kinds)))
    rows = f"(SELECT *, {marks} FROM {rows})"
    parts = ", ".join(
        f"t{p}, CASE WHEN NOT m{p} THEN t{p} END AS u{p}, CASE WHEN m{p} THEN t{p} END AS k{p}"
        for p in range(len(kinds))
    )
    return f"(SELECT {parts} FROM {rows})"


def _is_marker(text: str, more: Sequence[str]) -> str:
    if not more:
        return shapes.is_marker(text)
    return f"({shapes.is_marker(text)} OR {text} IN ({', '.join(map(DIALECT.literal, more))}))"


def _read(columns: Sequence[AskedColumn], rows: str) -> str:
    """Return the rows with the numbers n…p and the dates d…p_i that the texts spell."""
    read = [
        f"{shapes.number(f'u{column.position}', column.style)} AS n{column.position}"
        for column in columns
        if column.style
    ]
    read += [
        f"{form.moment(f'u{column.position}')} AS d{column.position}_{i}"
        for column in columns
        for i, form in enumerate(column.dates)
    ]
    return f"(SELECT {', '.join(['*', *read])} FROM {rows})"


def value_text(column: str, kind: str) -> str:
    """Return the SQL of the text of a value as a profile has it."""
    if kind not in FLOATING:
        return DIALECT.value_text(column, kind)
    # What is not a number is missing. The statistics of a Parquet file ignore it, so that DuckDB
    # neither asks isnan(…) nor sees that it is not whole; a number that was a text has none.
    number = f"try_cast(CAST({column} AS VARCHAR) AS DOUBLE)"
    return f"nullif({DIALECT.value_text(number, kind)}, 'nan')"


def _one_row(
    connection: duckdb.DuckDBPyConnection, parts: Iterable[str], rows: str
) -> dict[str, object]:
    result = connection.execute(f"SELECT {', '.join(parts)} FROM {rows}")
    names = [description[0] for description in result.description]
    row = result.fetchone()
    assert row is not None
    return dict(zip(names, row, strict=True))


def _shape_facts(
    connection: duckdb.DuckDBPyConnection, columns: Sequence[AskedColumn], rows: str
) -> dict[str, object]:
    return _one_row(
        connection,
        ["count(*) AS rows", *(part for column in columns for part in _aggregates(column))],
        _read(columns, rows),
    )


def _worth_asking(
    connection: duckdb.DuckDBPyConnection, rows: str, count: int
) -> tuple[AskedColumn, ...]:
    """Leave out the shapes that a value of the first rows does not have."""
    parts = (
        f"list(DISTINCT u{p} ORDER BY u{p}) FILTER (u{p} IS NOT NULL) AS sample{p}"
        for p in range(count)
    )
    found = _one_row(connection, parts, f"(SELECT * FROM {rows} LIMIT {FIRST_ROWS})")
    return tuple(asked_column(p, _texts_of(found[f"sample{p}"])) for p in range(count))


def _texts_of(found: object) -> list[str]:
    return [str(text) for text in found] if isinstance(found, list) else []


def _with_exceptions(
    connection: duckdb.DuckDBPyConnection,
    columns: Sequence[AskedColumn],
    facts: Mapping[str, object],
    rows: str,
) -> tuple[AskedColumn, ...]:
    """Ask again for columns whose first rows looked like numbers or dates, unlike later ones."""
    asked = []
    for column in columns:
        p, known = column.position, _whole(facts, f"known{column.position}")
        if column.style and _whole(facts, f"number{p}") < known:
            unread = f"n{p} IS NULL"
        elif column.dates and all(
            _whole(facts, f"date{p}_{i}") < known for i in range(len(column.dates))
        ):
            unread = f"d{p}_0 IS NULL"
        else:
            asked.append(column)
            continue
        found = connection.execute(
            f"SELECT DISTINCT u{p} FROM {_read([column], rows)} "
            f"WHERE {unread} AND u{p} IS NOT NULL ORDER BY 1 LIMIT {MOST_EXCEPTIONS}"
        ).fetchall()
        others = [str(text) for (text,) in found]
        again = asked_column(p, [*others, *column.sample])
        # If no shape has them all, most have the one that was asked for: the others are odd.
        asked.append(again if again.style or again.dates else column)
    return tuple(asked)


def _odd_markers(
    connection: duckdb.DuckDBPyConnection,
    columns: Sequence[AskedColumn],
    facts: dict[str, object],
    rows: str,
) -> dict[int, tuple[str, ...]]:
    """Return the texts of nearly numeric columns that mean missing values: few and frequent."""
    markers = {}
    for column in columns:
        p, known = column.position, _whole(facts, f"known{column.position}")
        read, unread = most_read(column, facts)
        if unread is None or not known * NEARLY_ALL <= read < known:
            continue
        found = connection.execute(
            f"SELECT u{p}, count(*) FROM {_read([column], rows)} WHERE {unread} "
            f"AND u{p} IS NOT NULL GROUP BY 1 ORDER BY 2 LIMIT {MOST_ODD + 1}"
        ).fetchall()
        if len(found) <= MOST_ODD and all(count >= SHOWN_FROM for _, count in found):
            markers[p] = tuple(sorted(str(text) for text, _ in found))
    return markers


def _aggregates(column: AskedColumn) -> list[str]:
    p, known = column.position, f"u{column.position}"
    asked = [
        f"count(t{p}) AS given{p}",
        f"count({known}) AS known{p}",
        f"count(k{p}) AS marked{p}",
        f"approx_count_distinct({known}) AS about{p}",
        f"min(length({known})) AS shortest{p}",
        f"max(length({known})) AS longest{p}",
    ]
    if column.style:
        number = f"n{p}"
        asked += [
            f"count({number}) AS number{p}",
            f"count(*) FILTER ({number} <> trunc({number})) AS fractions{p}",
            f"max({shapes.decimals(shapes.plain_number(known, column.style))}) AS decimals{p}",
            f"arg_min({known}, {number}) AS least{p}",
            f"arg_max({known}, {number}) AS greatest{p}",
        ]
    if column.code:
        asked += [
            f"count(*) FILTER ({shapes.is_code(known)}) AS code{p}",
            f"count(*) FILTER ({shapes.is_digits(known)}) AS digits{p}",
            f"count(*) FILTER (starts_with({known}, '0')) AS zeros{p}",
        ]
    for i in range(len(column.dates)):
        asked += [
            f"count(d{p}_{i}) AS date{p}_{i}",
            f"min(d{p}_{i}) AS first{p}_{i}",
            f"max(d{p}_{i}) AS last{p}_{i}",
            *(
                f"count(DISTINCT date_trunc('{unit}', d{p}_{i})) AS {unit}s{p}_{i}"
                for unit in shapes.PERIODS
            ),
        ]
    return asked


def _hash_share(about: int) -> int:
    """Return 2ʲ so that a 2ʲ-th of the values is few enough to count."""
    share = 1
    while about > share * MOST_COUNTED:
        share *= 2
    return share


def _distinct(column: AskedColumn, share: int) -> list[str]:
    p, known = column.position, f"u{column.position}"
    # Not with FILTER: DuckDB would hold the values that are filtered out, too.
    chosen = f"CASE WHEN hash({known}) % {share} = 0 THEN {known} END"
    return [f"count(DISTINCT {chosen}) AS distinct{p}", f"count({chosen}) AS chosen{p}"]


def _groups(columns: Sequence[AskedColumn], facts: Mapping[str, object]) -> list[GroupedFact]:
    """Return what is counted by value: markers, buckets of numbers, and few frequent values."""
    groups = []
    for column in columns:
        p, known = column.position, _whole(facts, f"known{column.position}")
        if _whole(facts, f"marked{p}"):
            groups.append(GroupedFact(name=f"markers{p}", sql=f"k{p}"))
        if known and facts.get(f"number{p}") == known:
            bucket = (
                f"CASE WHEN n{p} = 0 THEN 0 ELSE CAST(sign(n{p}) * ({BUCKET_OFFSET} + "
                f"floor(log10(abs(n{p})) * {BUCKETS_PER_DECADE})) AS INTEGER) END"
            )
            groups.append(GroupedFact(name=f"buckets{p}", sql=bucket))
        if known and _whole(facts, f"distinct{p}") <= MOST_EXAMINED:
            groups.append(GroupedFact(name=f"values{p}", sql=f"u{p}"))
    return groups


def _whole(facts: Mapping[str, object], name: str) -> int:
    value = facts[name]
    assert isinstance(value, int)
    return value
