"""Profiles of columns by aggregates in DuckDB.

A few first rows tell which shapes are worth asking for, a scan of all rows confirms them, another
one counts distinct values, and a last one the rows of each where there are few. Nothing that is
held grows with the rows: of a column with many values those are counted whose hash falls into a
share of all hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.duckdb import shapes as shapes
from sfumato.engines.duckdb.dialect import DIALECT, FLOATING
from sfumato.engines.duckdb.profile_facts import (
    BUCKET_OFFSET,
    BUCKETS_PER_DECADE,
    ColumnFacts,
    GroupedFact,
    grouped_counts,
)
from sfumato.engines.messages.column_profile import MOST_VALUES, SHOWN_FROM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from sfumato.engines.duckdb.session import DuckDBSession
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.sql.opened_table import OpenedTable

FIRST_ROWS = 2_000
MOST_COUNTED = 1 << 16
"""Up to about this many distinct values are counted exactly."""


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A column, and the shapes of its texts that are worth asking for."""

    position: int
    number: bool
    comma: bool
    code: bool
    dates: tuple[shapes.DateForm, ...]


def profile_table(table: OpenedTable[DuckDBSession]) -> tuple[ColumnProfile, ...]:
    """Return the profiles of all columns."""
    connection = table.session.connection
    rows = _texts(table.sql, list(table.kinds.values()))
    columns = _worth_asking(connection, rows, len(table.names))
    facts = _one_row(
        connection,
        ["count(*) AS rows", *(part for column in columns for part in _aggregates(column))],
        _read(columns, rows),
    )
    shares = [_hash_share(_whole(facts, f"about{column.position}")) for column in columns]
    asked = zip(columns, shares, strict=True)
    facts |= _one_row(connection, (part for each in asked for part in _distinct(*each)), rows)
    facts |= grouped_counts(connection, _read(columns, rows), _groups(columns, facts))
    return tuple(
        ColumnFacts(
            name=name, position=column.position, forms=column.dates, share=share, facts=facts
        ).profile()
        for name, column, share in zip(table.names, columns, shares, strict=True)
    )


def _texts(table: str, kinds: Sequence[str]) -> str:
    """Return rows of texts: of column p all as t…p, u…p without and k…p with markers only.

    What several aggregates ask for is a column of its own, so that it is computed once.
    """
    texts = ", ".join(f"{value_text(f'c{p}', kind)} AS t{p}" for p, kind in enumerate(kinds))
    rows = f"(SELECT {texts} FROM {table})"
    marks = ", ".join(f"{shapes.is_marker(f't{p}')} AS m{p}" for p in range(len(kinds)))
    rows = f"(SELECT *, {marks} FROM {rows})"
    parts = ", ".join(
        f"t{p}, CASE WHEN NOT m{p} THEN t{p} END AS u{p}, CASE WHEN m{p} THEN t{p} END AS k{p}"
        for p in range(len(kinds))
    )
    return f"(SELECT {parts} FROM {rows})"


def _read(columns: Sequence[_Asked], rows: str) -> str:
    """Return the rows with the numbers n…p and the dates d…p_i that the texts spell."""
    read = [f"{shapes.number(f'u{c.position}')} AS n{c.position}" for c in columns if c.number]
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


def _worth_asking(
    connection: duckdb.DuckDBPyConnection, rows: str, count: int
) -> tuple[_Asked, ...]:
    """Leave out the shapes that a value of the first rows does not have."""
    connection.execute(f"CREATE TEMP TABLE first AS SELECT * FROM {rows} LIMIT {FIRST_ROWS}")
    parts = []
    for p in range(count):
        known = f"u{p}"
        parts += [
            f"count({shapes.number(known)}) = count({known}) AS number{p}",
            f"{_all(shapes.is_comma_number(known))} AS comma{p}",
            f"{_all(shapes.is_code(known))} AS code{p}",
            f"min(length({known})) IS NOT DISTINCT FROM max(length({known})) AS even{p}",
            f"{_all(shapes.looks_like_date(known))} AS date{p}",
        ]
    looks = _one_row(connection, parts, "first")
    columns = []
    for p in range(count):
        forms = shapes.date_forms() if looks[f"date{p}"] else ()
        if forms:
            parts = [f"{_all(form.looks(f'u{p}'))} AS date{i}" for i, form in enumerate(forms)]
            fitting = _one_row(connection, parts, "first")
            forms = tuple(form for i, form in enumerate(forms) if fitting[f"date{i}"])
        columns.append(
            _Asked(
                position=p,
                number=bool(looks[f"number{p}"]),
                comma=bool(looks[f"comma{p}"]),
                code=bool(looks[f"code{p}"] and looks[f"even{p}"]),
                dates=forms,
            )
        )
    connection.execute("DROP TABLE first")
    return tuple(columns)


def _all(test: str) -> str:
    return f"coalesce(bool_and({test}), true)"


def _aggregates(column: _Asked) -> list[str]:
    p, known = column.position, f"u{column.position}"
    asked = [
        f"count(t{p}) AS given{p}",
        f"count({known}) AS known{p}",
        f"count(k{p}) AS marked{p}",
        f"approx_count_distinct({known}) AS about{p}",
        f"min(length({known})) AS shortest{p}",
        f"max(length({known})) AS longest{p}",
    ]
    if column.number:
        number = f"n{p}"
        asked += [
            f"count({number}) AS number{p}",
            f"count(*) FILTER ({number} <> trunc({number})) AS fractions{p}",
            f"max({shapes.decimals(known)}) AS decimals{p}",
            f"arg_min({known}, {number}) AS least{p}",
            f"arg_max({known}, {number}) AS greatest{p}",
        ]
    if column.comma:
        asked.append(f"count(*) FILTER ({shapes.is_comma_number(known)}) AS comma{p}")
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
        ]
    return asked


def _hash_share(about: int) -> int:
    """Return 2ʲ so that a 2ʲ-th of the values is few enough to count."""
    share = 1
    while about > share * MOST_COUNTED:
        share *= 2
    return share


def _distinct(column: _Asked, share: int) -> list[str]:
    p, known = column.position, f"u{column.position}"
    # Not with FILTER: DuckDB would hold the values that are filtered out, too.
    chosen = f"CASE WHEN hash({known}) % {share} = 0 THEN {known} END"
    return [f"count(DISTINCT {chosen}) AS distinct{p}", f"count({chosen}) AS chosen{p}"]


def _groups(columns: Sequence[_Asked], facts: Mapping[str, object]) -> list[GroupedFact]:
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
        if known and _whole(facts, f"distinct{p}") <= MOST_VALUES:
            groups.append(GroupedFact(name=f"frequent{p}", sql=f"u{p}", least=SHOWN_FROM))
    return groups


def _whole(facts: Mapping[str, object], name: str) -> int:
    value = facts[name]
    assert isinstance(value, int)
    return value
