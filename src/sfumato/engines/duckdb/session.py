"""The SQL that engines share, run by DuckDB: a connection whose temporary tables are ours."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.documents.private_folder import private_folder
from sfumato.engines.duckdb.dialect import DIALECT, DuckDBDialect
from sfumato.engines.duckdb.foreign_databases import ForeignDatabase
from sfumato.engines.duckdb.kept_connections import kept
from sfumato.engines.duckdb.relation import files_of
from sfumato.engines.sql.session import fits_in_32_bits
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from sfumato.engines.messages.rewrite_plan import Target
    from sfumato.engines.sql.session import Values
    from sfumato.sources.source import Source


REWRITE_MEMORY = "1500MB"
"""The memory that DuckDB may take for a rewrite, where nobody set another limit."""


@contextmanager
def connected(
    sources: Sequence[Source],
    *,
    memory_limit: str | None = None,
    threads: int | None = None,
    target: Target | None = None,
    ordered: bool = False,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a database in memory that reads ``sources`` and writes ``target``, nothing else.

    A view of a source database, or a name in it, could otherwise read any file of this machine
    into a release, or send one away. A rewrite spills into the folder of its target.
    """
    named = [*(path for source in sources for path in files_of(source))]
    found = (ForeignDatabase.of(source) for source in sources)
    if target is not None:
        named.append(str(target.path))
    limits = _Limits(
        files=tuple(named),
        spill=None if target is None else target.spill,
        memory=memory_limit or (REWRITE_MEMORY if target is not None else None),
        threads=threads,
        ordered=ordered,
        foreign=tuple(dict.fromkeys(database for database in found if database is not None)),
    )
    with kept(limits, lambda: _connected(limits)) as connection:
        yield connection


@dataclass(frozen=True, kw_only=True)
class _Limits:
    """What a connection may read and write, and what it may take; never changed afterwards."""

    files: tuple[str, ...]
    spill: Path | None
    memory: str | None
    threads: int | None
    ordered: bool
    foreign: tuple[ForeignDatabase, ...] = ()


@contextmanager
def _connected(limits: _Limits) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    with ExitStack() as stack:
        # What memory cannot hold goes to a private folder that is removed, never to the working
        # folder, which is DuckDB's own choice.
        try:
            folder = limits.spill or stack.enter_context(private_folder())
        except OSError as error:
            raise SettingsError.unwritable(
                tempfile.gettempdir(), error, remedy="name another folder in TMPDIR"
            ) from None
        connection = stack.enter_context(
            duckdb.connect(
                config={
                    # Nothing is ever fetched from the net, and nothing loads an extension but the
                    # name of the source's own system, before this is locked.
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                    "allow_community_extensions": False,
                    "allow_persistent_secrets": False,
                    # A name in a view is never a variable of this program.
                    "python_enable_replacements": False,
                    # What is read is what is in the file, not what was.
                    "enable_external_file_cache": False,
                    "temp_directory": str(folder),
                }
            )
        )
        try:
            if limits.memory is not None:
                connection.execute("SET memory_limit = ?", [limits.memory])
        except duckdb.Error:
            raise SettingsError.wrong_setting(
                "memory_limit", limits.memory, "a size like '2GB'", code="not-a-size"
            ) from None
        if limits.threads is not None:
            connection.execute("SET threads = ?", [limits.threads])
        ordered = "true" if limits.ordered else "false"
        connection.execute(f"SET preserve_insertion_order = {ordered}")
        # Moments with a time zone would be written as the clock of this machine shows them.
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        for database in limits.foreign:
            database.attach(connection)
        listing = ", ".join(map(DIALECT.literal, limits.files))
        connection.execute(f"SET allowed_paths = [{listing}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


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
        if all(isinstance(values, np.ndarray) for values in columns.values()):
            # Long lists of codes go there without a Python object for each.
            self.connection.register("given_codes", dict(columns))
            self.materialize(table, "SELECT * FROM given_codes")
            self.connection.unregister("given_codes")
            return
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
