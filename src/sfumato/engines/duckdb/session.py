"""The SQL that engines share, run by DuckDB: a connection whose temporary tables are ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.engines.duckdb.dialect import DIALECT, DuckDBDialect
from sfumato.engines.sql.session import fits_in_32_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from sfumato.engines.sql.session import Values

_CHUNK = 100_000
_KINDS = {str: "VARCHAR", int: "INTEGER", float: "DOUBLE"}


@dataclass(frozen=True, kw_only=True, eq=False)
class DuckDBSession:
    """A connection whose temporary tables are ours."""

    connection: duckdb.DuckDBPyConnection
    dialect: ClassVar[DuckDBDialect] = DIALECT

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
