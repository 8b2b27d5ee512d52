"""Databases of other systems, read by DuckDB's own extensions where they are installed.

An extension is loaded by its name, and the database attached read-only, before the configuration
of a connection is locked: afterwards DuckDB attaches databases of its own format only. Nothing is
installed here, because that would fetch a program from the net.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.errors import SourceError
from sfumato.sources.source import DatabaseTable, PostgresTable, is_sqlite

if TYPE_CHECKING:
    import duckdb

    from sfumato.sources.source import Source

_SYSTEMS = {"sqlite": "SQLite", "postgres": "Postgres"}


@dataclass(frozen=True, kw_only=True)
class ForeignDatabase:
    """A database, and the extension of DuckDB that reads it: ``sqlite`` or ``postgres``."""

    extension: str
    address: str

    @classmethod
    def of(cls, source: Source) -> ForeignDatabase | None:
        """Return the database of another system that a source is in, None if it is in none."""
        if isinstance(source, PostgresTable):
            return cls(extension="postgres", address=source.address)
        if isinstance(source, DatabaseTable) and is_sqlite(source.path):
            return cls(extension="sqlite", address=str(source.path.absolute()))
        return None

    @property
    def catalog(self) -> str:
        """The name under which it is attached."""
        return f"foreign_{hashlib.sha256(self.address.encode()).hexdigest()[:16]}"

    @property
    def default_schema(self) -> str:
        """The schema whose tables are called by their names alone."""
        return "public" if self.extension == "postgres" else "main"

    def attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Load the extension and attach the database; refuse what cannot be loaded or opened."""
        import duckdb

        try:
            connection.execute(f"LOAD {self.extension}")
        except duckdb.Error as error:
            raise self._not_loaded(str(error)) from None
        try:
            for statement in self.statements():
                connection.execute(statement)
        except duckdb.Error as error:
            # Nothing of a table was read yet: the message quotes no value.
            first = str(error).splitlines()[0].split(": ", 1)[-1]
            raise SourceError(
                f"the database cannot be opened: {first}",
                code="unreadable-file",
                file=self.address,
                remedy="is it there, and may you read it?",
            ) from None

    def statements(self) -> tuple[str, ...]:
        """Return the SQL that attaches the database, after its extension is loaded.

        Columns of SQLite hold values of any type; they are read as the texts that they are.

        >>> ForeignDatabase(extension="sqlite", address="/data/people.sqlite").statements()[0]
        'SET GLOBAL sqlite_all_varchar = true'
        """
        texts = ("SET GLOBAL sqlite_all_varchar = true",) if self.extension == "sqlite" else ()
        return (
            *texts,
            f"ATTACH {DIALECT.literal(self.address)} AS {self.catalog} "
            f"(TYPE {self.extension}, READ_ONLY)",
        )

    def _not_loaded(self, message: str) -> SourceError:
        system, missing = _SYSTEMS[self.extension], "Install it first" in message
        why = "is not installed" if missing else "cannot be loaded"
        return SourceError(
            f"DuckDB reads {system} with its extension {self.extension!r}, which {why}",
            code="missing-extension",
            file=self.address,
            found=self.extension,
            remedy=f"install it once: python -c \"import duckdb; duckdb.sql('INSTALL "
            f"{self.extension}')\" (this downloads it; sfumato never does), or write the rows to "
            "a Parquet or CSV file",
        )
