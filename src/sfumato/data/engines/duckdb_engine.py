"""The embedded engine: DuckDB."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.csv_dialect import CsvDialect, csv_dialect
from sfumato.data.engines.unknown_columns import check_columns
from sfumato.data.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.data.source import CsvFile, DatabaseTable, MemoryTable, ParquetFile, Source
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb


@dataclass(frozen=True, kw_only=True)
class DuckDBEngine:
    """Counts files and tables with DuckDB, inside this process.

    ``memory_limit`` such as "2GB" and ``threads`` are DuckDB's own settings; None leaves them.
    """

    memory_limit: str | None = None
    threads: int | None = None

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order."""
        with self._opened(source) as (_, _, names):
            return names

    def count(self, source: Source, columns: Sequence[str]) -> GroupedCounts:
        """Count the distinct combinations of ``columns``."""
        with self._opened(source) as (connection, relation, names):
            check_columns(columns, names, where=str(source))
            positions = [names.index(name) for name in columns]
            asked = ", ".join(self._value(connection, relation, p) for p in positions)
            connection.execute(
                f"CREATE TEMP TABLE grouped AS SELECT {asked}, count(*) AS n "
                f"FROM {relation} GROUP BY ALL"
            )
            for p in positions:
                connection.execute(
                    f"CREATE TEMP TABLE v{p} AS SELECT v, row_number() OVER (ORDER BY t) - 1 AS i, "
                    f"t FROM (SELECT v, CAST(v AS VARCHAR) AS t FROM "
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

    @staticmethod
    def _value(connection: duckdb.DuckDBPyConnection, relation: str, position: int) -> str:
        """Return the SQL of a column's value; what is not a number counts as missing."""
        described = connection.execute(f"DESCRIBE SELECT c{position} FROM {relation}").fetchall()
        kind = str(described[0][1])
        if kind in ("DOUBLE", "FLOAT"):
            return f"CASE WHEN isnan(c{position}) THEN NULL ELSE c{position} END AS c{position}"
        return f"c{position}"

    @contextmanager
    def _opened(
        self, source: Source
    ) -> Iterator[tuple[duckdb.DuckDBPyConnection, str, tuple[str, ...]]]:
        """Open the source as a relation whose columns are c0, c1, … whatever their names are."""
        import duckdb

        with duckdb.connect(":memory:") as connection:
            if self.memory_limit is not None:
                connection.execute("SET memory_limit = ?", [self.memory_limit])
            if self.threads is not None:
                connection.execute("SET threads = ?", [self.threads])
            connection.execute("SET preserve_insertion_order = false")
            try:
                relation, names = self._relation(connection, source)
                yield connection, relation, names
            except duckdb.Error as error:
                raise SourceError(_without_rows(str(source), str(error))) from None

    def _relation(
        self, connection: duckdb.DuckDBPyConnection, source: Source
    ) -> tuple[str, tuple[str, ...]]:
        if isinstance(source, CsvFile):
            dialect = csv_dialect(source)
            return _csv_relation(source.path, dialect), dialect.columns
        if isinstance(source, ParquetFile):
            _must_exist(source.path)
            table = f"read_parquet({_text(str(source.path))})"
        elif isinstance(source, DatabaseTable):
            _must_exist(source.path)
            connection.execute(f"ATTACH {_text(str(source.path))} AS origin (READ_ONLY)")
            tables = [
                str(name)
                for (name,) in connection.execute(
                    "SELECT table_name FROM information_schema.tables "
                    "WHERE table_catalog = 'origin' ORDER BY table_name"
                ).fetchall()
            ]
            if source.table not in tables:
                raise SourceError(
                    f"{source.path} has no table {source.table!r}; its tables are "
                    f"{', '.join(map(repr, tables)) or 'none'}"
                )
            table = f"origin.{_name(source.table)}"
        else:
            assert isinstance(source, MemoryTable)
            connection.register("origin", source.table)
            table = "origin"
        described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        names = tuple(str(row[0]) for row in described)
        listed = ", ".join(f"c{position}" for position in range(len(names)))
        return f"(SELECT * FROM {table}) AS origin_rows({listed})", names


def _csv_relation(path: Path, dialect: CsvDialect) -> str:
    kinds = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(dialect.columns)))
    return (
        f"read_csv({_text(str(path))}, auto_detect = false, header = "
        f"{'true' if dialect.header else 'false'}, delim = {_text(dialect.delimiter)}, "
        f"quote = {_text(dialect.quote)}, escape = {_text(dialect.quote)}, "
        f"encoding = {_text(dialect.encoding)}, columns = {{{kinds}}})"
    )


def _must_exist(path: Path) -> None:
    if not path.exists():
        raise SourceError(f"there is no file {path}")


def _text(value: str) -> str:
    """Return ``value`` as an SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


def _name(value: str) -> str:
    """Return ``value`` as a quoted SQL name."""
    return '"' + value.replace('"', '""') + '"'


def _without_rows(where: str, message: str) -> str:
    """Return what is wrong and where, without the line of data that DuckDB quotes."""
    line = re.search(r"CSV Error on Line: (\d+)", message)
    if line is None:
        return f"{where} cannot be read: {message.splitlines()[0]}"
    if "unicode" in message.lower() or "encod" in message.lower():
        return (
            f"{where}, line {line[1]}: the text is not in the expected encoding; set "
            "encoding='latin-1' or 'utf-16', or convert the file to utf-8"
        )
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if counts is not None:
        return (
            f"{where}, line {line[1]}: the row has {counts[2]} fields and the first line has "
            f"{counts[1]}; mend the line, or set the delimiter and quote if they were misread"
        )
    kind = next(
        (text for text in message.splitlines()[1:] if text and "Original Line" not in text), ""
    )
    return f"{where}, line {line[1]} cannot be read: {kind.split(':')[0]}"
