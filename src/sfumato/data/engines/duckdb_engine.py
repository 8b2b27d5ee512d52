"""The embedded engine: DuckDB."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.engines.duckdb_error_text import error_text
from sfumato.data.engines.duckdb_relation import Relation, relation_of
from sfumato.data.engines.unknown_columns import check_columns
from sfumato.data.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

    from sfumato.data.source import Source

FLOATING = ("DOUBLE", "FLOAT")


@dataclass(frozen=True, kw_only=True)
class DuckDBEngine:
    """Counts files and tables with DuckDB, inside this process.

    ``memory_limit`` such as "2GB" and ``threads`` are DuckDB's own settings; None leaves them.
    """

    memory_limit: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise SettingsError(f"threads is {self.threads}; an engine needs at least 1")

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order."""
        with self._opened(source) as (_, relation):
            return relation.names

    def count(self, source: Source, columns: Sequence[str]) -> GroupedCounts:
        """Count the distinct combinations of ``columns``."""
        if not columns:
            raise SettingsError("there is nothing to count: name at least one column")
        with self._opened(source) as (connection, relation):
            check_columns(columns, relation.names, where=str(source))
            positions = [relation.names.index(name) for name in columns]
            kinds = _kinds(connection, relation, positions)
            asked = ", ".join(f"c{p}" for p in positions)
            connection.execute(
                f"CREATE TEMP TABLE grouped AS SELECT {asked}, count(*) AS n "
                f"FROM {relation.sql} GROUP BY ALL"
            )
            if any(kind in FLOATING for kind in kinds):
                _merge_not_a_number(connection, positions, kinds)
            for p, kind in zip(positions, kinds, strict=True):
                connection.execute(
                    f"CREATE TEMP TABLE v{p} AS SELECT v, row_number() OVER (ORDER BY t) - 1 AS i, "
                    f"t FROM (SELECT v, {_text('v', kind)} AS t FROM "
                    f"(SELECT DISTINCT c{p} AS v FROM grouped))"
                )
            codes = ", ".join(f"CAST(v{p}.i AS INTEGER) AS i{p}" for p in positions)
            joins = " ".join(
                f"JOIN v{p} ON grouped.c{p} IS NOT DISTINCT FROM v{p}.v" for p in positions
            )
            arrays = connection.execute(f"SELECT {codes}, n FROM grouped {joins}").fetchnumpy()
            grouped = {}
            for name, p in zip(columns, positions, strict=True):
                texts = connection.execute(f"SELECT t FROM v{p} ORDER BY i").fetchall()
                grouped[name] = GroupedColumn(
                    values=tuple(text for (text,) in texts),
                    codes=np.asarray(arrays[f"i{p}"], dtype=np.int32),
                )
            return GroupedCounts(columns=grouped, counts=np.asarray(arrays["n"], dtype=np.int64))

    @contextmanager
    def _opened(self, source: Source) -> Iterator[tuple[duckdb.DuckDBPyConnection, Relation]]:
        import duckdb

        # Nothing is ever fetched from the net, not even an extension.
        with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
            try:
                if self.memory_limit is not None:
                    connection.execute("SET memory_limit = ?", [self.memory_limit])
            except duckdb.Error:
                raise SettingsError(
                    f"memory_limit is {self.memory_limit!r}; write a size such as '2GB'"
                ) from None
            if self.threads is not None:
                connection.execute("SET threads = ?", [self.threads])
            connection.execute("SET preserve_insertion_order = false")
            # Moments with a time zone would be written as the clock of this machine shows them.
            connection.execute("SET TimeZone = 'UTC'")
            try:
                yield connection, relation_of(connection, source)
            except duckdb.Error as error:
                raise SourceError(error_text(error, where=str(source))) from None


def _kinds(
    connection: duckdb.DuckDBPyConnection, relation: Relation, positions: Sequence[int]
) -> list[str]:
    asked = ", ".join(f"c{position}" for position in positions)
    described = connection.execute(f"DESCRIBE SELECT {asked} FROM {relation.sql}").fetchall()
    return [str(row[1]) for row in described]


def _merge_not_a_number(
    connection: duckdb.DuckDBPyConnection, positions: Sequence[int], kinds: Sequence[str]
) -> None:
    """Let what is not a number be missing, in the groups.

    While the source is read is too early: DuckDB takes from the statistics of a Parquet file,
    which ignore NaN, that a column has none, and isnan(…) is never asked.
    """
    values = ", ".join(
        f"CASE WHEN isnan(c{p}) THEN NULL ELSE c{p} END AS c{p}" if kind in FLOATING else f"c{p}"
        for p, kind in zip(positions, kinds, strict=True)
    )
    connection.execute("ALTER TABLE grouped RENAME TO with_nan")
    connection.execute(
        f"CREATE TEMP TABLE grouped AS SELECT {values}, CAST(sum(n) AS BIGINT) AS n "
        "FROM with_nan GROUP BY ALL"
    )


def _text(column: str, kind: str) -> str:
    """Return the SQL of a value's text.

    A whole number has no decimal point though it be floating: pandas turns 39 into 39.0 where a
    column has gaps.
    """
    text = f"CAST({column} AS VARCHAR)"
    if kind in FLOATING:
        whole = f"{column} = trunc({column}) AND abs({column}) < 1e15"
        return f"CASE WHEN {whole} THEN CAST(CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
    return text
