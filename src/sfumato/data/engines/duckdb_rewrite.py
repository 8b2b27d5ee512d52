"""The rewrite of rows in DuckDB: lookups joined to the source, a shuffle, a copy.

Memory is bounded by DuckDB's own limit: the sort that shuffles spills into a folder of ours.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.data.engines.sql_text import FLOATING, literal, quoted_name, value_text
from sfumato.data.rewrite_plan import ContentDigest, FileFormat, SuppressedRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from sfumato.data.engines.duckdb_relation import Relation
    from sfumato.data.rewrite_plan import RewritePlan, Target

STAR = "*"
_CHUNK = 100_000

_EXACT_AS_TEXT = (
    "VARCHAR",
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
    "DATE",
    *FLOATING,
)
"""Types whose text can be cast back to the very value, so that rows are joined without casts."""


_AS_TEXT_IN_PARQUET = ("ENUM", "INTERVAL", "TIME WITH TIME ZONE", "UNION", "BIT", "BIGNUM")
"""Types that Parquet does not hold as they are. An ENUM is written with all its values in the
dictionary, those of suppressed people blanked out but counted."""


def rewrite(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    plan: RewritePlan,
    target: Target,
) -> None:
    """Write the rows that stay, in an order that says nothing about that of the source.

    The shuffle takes its entropy from the system and keeps none of it: a recorded seed would
    undo it. The generator of `random` is not cryptographic, so the sort key is not its output
    but a hash of it with a secret.
    """
    rows = _released_rows(connection, relation, kinds, plan, target.format)
    secret = secrets.randbits(63)
    if target.format is FileFormat.PARQUET:
        options = "FORMAT parquet"
    else:
        compression = "gzip" if target.compressed else "none"
        options = (
            f"FORMAT csv, HEADER true, DELIMITER {literal(target.delimiter)}, "
            f"QUOTE '\"', ESCAPE '\"', COMPRESSION {compression}"
        )
    connection.execute(
        f"COPY (SELECT * FROM ({rows}) ORDER BY hash(random(), {secret})) "
        f"TO {literal(str(target.path))} ({options})"
    )


def intended_content(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    plan: RewritePlan,
    file_format: FileFormat,
) -> ContentDigest:
    """Return the digest of the rows that the plan makes of the source."""
    rows = _released_rows(connection, relation, kinds, plan, file_format)
    described = connection.execute(f"DESCRIBE {rows}").fetchall()
    columns = [(quoted_name(str(row[0])), str(row[1])) for row in described]
    return content_digest(connection, f"({rows}) AS intended_rows", columns)


def content_digest(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: Sequence[tuple[str, str]]
) -> ContentDigest:
    """Return the digest of rows, given as SQL with the SQL names and types of their columns.

    Values are hashed as texts, and an empty text as a missing value: CSV cannot tell them apart.
    """
    texts = ", ".join(f"nullif({value_text(name, kind)}, '')" for name, kind in columns)
    found = connection.execute(
        f"SELECT count(*), CAST(coalesce(sum(CAST(hash({texts}) AS HUGEINT)), 0) AS VARCHAR) "
        f"FROM {rows}"
    ).fetchone()
    assert found is not None
    return ContentDigest(rows=int(found[0]), digest=int(found[1]))


def _released_rows(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    plan: RewritePlan,
    file_format: FileFormat,
) -> str:
    """Make the lookup tables, unless they are there, and return the SQL of the rows to write."""
    joined = join_lookups(connection, relation, kinds, plan)
    star = plan.suppressed_rows is SuppressedRows.STAR
    place, kept = joined.place, joined.kept
    position = {column.name: q for q, column in enumerate(plan.recoded)}
    outputs = []
    for name in plan.columns:
        if name in position:
            text = f"lookup{position[name]}.l"
            if plan.recoded[position[name]].numbers and file_format is FileFormat.PARQUET:
                text = f"CAST({text} AS DOUBLE)"
            if star and kept != "true":
                text = f"CASE WHEN {kept} THEN {text} ELSE {literal(STAR)} END"
        else:
            text = _passed_on(place[name], kinds[name], file_format)
            if star and kept != "true" and name in plan.emptied:
                text = f"CASE WHEN {kept} THEN {text} ELSE NULL END"
        outputs.append(f"{text} AS {quoted_name(name)}")
    return f"SELECT {', '.join(outputs)} FROM {joined.sql}"


@dataclass(frozen=True, kw_only=True)
class JoinedRows:
    """The rows of a source joined to the lookups: ``lookup0.b`` is the block of the first column.

    ``sql`` is what to select from, ``place`` the SQL of every column of the source, ``kept`` the
    condition that a row stays; it is "true" where the join leaves the others out.
    """

    sql: str
    place: Mapping[str, str]
    kept: str


def join_lookups(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    plan: RewritePlan,
) -> JoinedRows:
    """Make the lookup tables, unless they are there, and return the rows joined to them."""
    place = {name: f"origin_rows.c{p}" for p, name in enumerate(relation.names)}
    joins = []
    for q, column in enumerate(plan.recoded):
        kind = kinds[column.name]
        joined = kind if kind in _EXACT_AS_TEXT or kind.startswith("DECIMAL") else None
        _make_lookup(connection, q, column.block_of_value, column.labels, joined)
        key = place[column.name] if joined else value_text(place[column.name], kind)
        # Without a missing value among the values, plain equality finds the same rows, sooner.
        equals = "IS NOT DISTINCT FROM" if None in column.block_of_value else "="
        joins.append(f"JOIN lookup{q} ON {key} {equals} lookup{q}.v")
    _make_classes(connection, plan)
    listed = " AND ".join(f"listed_classes.b{q} = lookup{q}.b" for q in range(len(plan.recoded)))
    star = plan.suppressed_rows is SuppressedRows.STAR
    kept = "true"
    if plan.listed_classes.shape[1] or plan.listed_are_kept:
        if star:
            joins.append(f"LEFT JOIN listed_classes ON {listed}")
            present = "IS NOT NULL" if plan.listed_are_kept else "IS NULL"
            kept = f"listed_classes.b0 {present}"
        else:
            joins.append(
                f"{'SEMI' if plan.listed_are_kept else 'ANTI'} JOIN listed_classes ON {listed}"
            )
    complete = " AND ".join(complete_rows(place, kinds, plan.complete, plan.markers)) or "true"
    return JoinedRows(
        sql=f"(SELECT * FROM {relation.sql}) AS origin_rows {' '.join(joins)} WHERE {complete}",
        place=place,
        kept=kept,
    )


def _passed_on(column: str, kind: str, file_format: FileFormat) -> str:
    """Return the SQL of a value that is released as it is."""
    if file_format is FileFormat.CSV:
        # In a CSV file every value is a text: it is written by the rule it was counted by.
        return value_text(column, kind)
    if kind in ("HUGEINT", "UHUGEINT"):
        # Parquet has no such integers, and DuckDB would write them as floating point.
        return f"CAST({column} AS DECIMAL(38, 0))"
    if kind.startswith(_AS_TEXT_IN_PARQUET):
        return f"CAST({column} AS VARCHAR)"
    return column


def complete_rows(
    place: Mapping[str, str],
    kinds: Mapping[str, str],
    columns: Sequence[str],
    markers: Sequence[str],
) -> Iterator[str]:
    """Yield the conditions that a row lacks nothing in some columns."""
    for name in columns:
        text = value_text(place[name], kinds[name])
        yield f"{text} IS NOT NULL"
        if markers:
            yield f"{text} NOT IN ({', '.join(map(literal, markers))})"


def _make_lookup(
    connection: duckdb.DuckDBPyConnection,
    q: int,
    block_of_value: Mapping[str | None, int],
    labels: Sequence[str | None],
    kind: str | None,
) -> None:
    """Make the table from a value of quasi-identifier ``q`` to its block and label.

    With a ``kind`` the value has the type of the column, otherwise it is its text.
    """
    values: list[str | None] = list(block_of_value)
    blocks = list(block_of_value.values())
    if kind in FLOATING and None in block_of_value:
        values.append("nan")
        blocks.append(block_of_value[None])
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE lookup{q} (v {kind or 'VARCHAR'}, b INTEGER, l VARCHAR)"
    )
    for start in range(0, len(values), _CHUNK):
        part = slice(start, start + _CHUNK)
        connection.execute(
            f"INSERT INTO lookup{q} SELECT CAST(unnest(?) AS {kind or 'VARCHAR'}), unnest(?), "
            "unnest(?)",
            [values[part], blocks[part], [labels[block] for block in blocks[part]]],
        )


def _make_classes(connection: duckdb.DuckDBPyConnection, plan: RewritePlan) -> None:
    """Make the table of the classes that the plan lists."""
    names = [f"b{q}" for q in range(len(plan.recoded))]
    columns = ", ".join(f"{name} INTEGER" for name in names)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE listed_classes ({columns})")
    texts = ", ".join("unnest(?)" for _ in names)
    for start in range(0, plan.listed_classes.shape[1], _CHUNK):
        part = plan.listed_classes[:, start : start + _CHUNK]
        connection.execute(f"INSERT INTO listed_classes SELECT {texts}", part.tolist())
