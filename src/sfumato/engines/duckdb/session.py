"""The SQL that engines share, run by DuckDB and spelled its way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.text import FLOATING, literal, quoted_name, value_text
from sfumato.engines.sql.session import fits_in_32_bits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from sfumato.engines.sql.session import Values

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

_KINDS = {str: "VARCHAR", int: "INTEGER", float: "DOUBLE"}


class DuckDBDialect:
    """DuckDB's own spelling."""

    def literal(self, value: str) -> str:
        """Return a text as an SQL literal."""
        return literal(value)

    def quoted_name(self, value: str) -> str:
        """Return a name in quotes."""
        return quoted_name(value)

    def value_text(self, column: str, kind: str) -> str:
        """Return the SQL of a value's text."""
        return value_text(column, kind)

    def passed_on(self, column: str, kind: str) -> str:
        """Return the SQL of a value that goes to a Parquet file as it is."""
        if kind in ("HUGEINT", "UHUGEINT"):
            # Parquet has no such integers, and DuckDB would write them as floating point.
            return f"CAST({column} AS DECIMAL(38, 0))"
        if kind.startswith(_AS_TEXT_IN_PARQUET):
            return f"CAST({column} AS VARCHAR)"
        return column

    def join_kind(self, kind: str) -> str | None:
        """Return the type by which values are looked up, None if it is their text."""
        return kind if kind in _EXACT_AS_TEXT or kind.startswith("DECIMAL") else None

    def digest(self, texts: Sequence[str]) -> str:
        """Return the SQL of a sum of hashes of rows of texts."""
        return f"CAST(coalesce(sum(CAST(hash({', '.join(texts)}) AS HUGEINT)), 0) AS VARCHAR)"

    def combinations(self, texts: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of texts there are."""
        return f"approx_count_distinct(hash({', '.join(texts)}))"


@dataclass(frozen=True, kw_only=True, eq=False)
class DuckDBSession:
    """A connection whose temporary tables are ours."""

    connection: duckdb.DuckDBPyConnection
    dialect: DuckDBDialect = field(default_factory=DuckDBDialect)

    def named(self, table: str) -> str:
        """Return what a table of ours is called in a query."""
        return table

    def materialize(self, table: str, query: str) -> None:
        """Make a table of the rows of a query."""
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {query}")

    def fill(
        self, table: str, columns: Mapping[str, Values], *, kinds: Mapping[str, str] | None = None
    ) -> None:
        """Make a table of values; texts are converted to ``kinds``."""
        given = {name: _kind_of(values) for name, values in columns.items()} | dict(kinds or {})
        listing = ", ".join(f"{name} {kind}" for name, kind in given.items())
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} ({listing})")
        parts = ", ".join(f"CAST(unnest(?) AS {kind})" for kind in given.values())
        length = len(next(iter(columns.values())))
        for start in range(0, length, _CHUNK):
            part = [list(values[start : start + _CHUNK]) for values in columns.values()]
            self.connection.execute(f"INSERT INTO {table} SELECT {parts}", part)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the rows of a query."""
        return self.connection.execute(query).fetchall()

    def types(self, query: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a query."""
        described = self.connection.execute(f"DESCRIBE {query}").fetchall()
        return [(str(row[0]), str(row[1])) for row in described]


def _kind_of(values: Values) -> str:
    """Return the type of values from Python; where there are none it does not matter."""
    found = next((type(value) for value in values if value is not None), None)
    if found is int and not fits_in_32_bits(values):
        return "BIGINT"
    return "INTEGER" if found is None and not len(values) else _KINDS[found or str]
