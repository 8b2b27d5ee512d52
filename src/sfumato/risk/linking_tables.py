"""Sources side by side in one DuckDB connection, with all cells as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.engines.duckdb.relation import relation_of
from sfumato.engines.duckdb.translated_errors import source_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from sfumato.engines.sql.opened_table import Relation
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True)
class TextSource:
    """A source and, for each of its columns, the SQL of the text of a cell."""

    source: Source
    relation: Relation
    sql: dict[str, str]

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection, source: Source) -> TextSource:
        """Open a source; what it needs is attached to the connection."""
        import duckdb

        try:
            relation = relation_of(connection, source)
            described = connection.execute(f"DESCRIBE SELECT * FROM {relation.sql}").fetchall()
        except duckdb.Error as error:
            raise source_error(error, where=str(source)) from None
        sql = {
            name: DIALECT.value_text(f"c{position}", str(column[1]))
            for position, (name, column) in enumerate(zip(relation.names, described, strict=True))
        }
        return cls(source=source, relation=relation, sql=sql)

    def select(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        columns: Sequence[str],
        *,
        secret: str | None = None,
        payload: Sequence[str] = (),
    ) -> None:
        """Make a table of the texts of ``columns`` as k0, k1, …, the secret, and the payload."""
        import duckdb

        asked = [f"{self.sql[name]} AS k{place}" for place, name in enumerate(columns)]
        if secret is not None:
            asked.append(f"{self.sql[secret]} AS secret")
            cells = ", ".join(f"coalesce({self.sql[name]}, '')" for name in payload)
            asked.append(f"[{cells}] AS payload")
        try:
            connection.execute(
                f"CREATE TEMP TABLE {table} AS SELECT {', '.join(asked)} FROM {self.relation.sql}"
            )
        except duckdb.Error as error:
            raise source_error(error, where=str(self.source)) from None


def distinct_cells(
    connection: duckdb.DuckDBPyConnection, table: str, position: int
) -> list[str | None]:
    """Return the different cells of a column of a table that `TextSource.select` made."""
    found = connection.execute(f"SELECT DISTINCT k{position} FROM {table}").fetchall()
    return [value for (value,) in found]


def store_lookup(
    connection: duckdb.DuckDBPyConnection, table: str, pairs: Sequence[tuple[str | None, str]]
) -> None:
    """Make a lookup table from cells to labels."""
    connection.execute(f"CREATE TEMP TABLE {table} (cell VARCHAR, label VARCHAR)")
    connection.execute(
        f"INSERT INTO {table} SELECT unnest(?), unnest(?)",
        [[cell for cell, _ in pairs], [label for _, label in pairs]],
    )
