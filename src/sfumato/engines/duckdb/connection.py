"""A connection of DuckDB with the settings that our SQL relies on."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

REWRITE_MEMORY = "1500MB"
"""The memory that DuckDB may take for a rewrite, where nobody set another limit."""


@contextmanager
def connected(
    *, memory_limit: str | None, threads: int | None, spill: Path | None, ordered: bool
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a database in memory; a rewrite has a private folder to ``spill`` into."""
    import duckdb

    with ExitStack() as stack:
        # What memory cannot hold goes to a private folder that is removed, never to the working
        # folder, which is DuckDB's own choice.
        folder = spill or stack.enter_context(TemporaryDirectory(prefix="sfumato-"))
        connection = stack.enter_context(
            duckdb.connect(
                config={
                    # Nothing is ever fetched from the net, not even an extension.
                    "autoinstall_known_extensions": False,
                    "temp_directory": str(folder),
                }
            )
        )
        limit = memory_limit or (REWRITE_MEMORY if spill is not None else None)
        try:
            if limit is not None:
                connection.execute("SET memory_limit = ?", [limit])
        except duckdb.Error:
            raise SettingsError.wrong_setting(
                "memory_limit", memory_limit, "a size like '2GB'", code="not-a-size"
            ) from None
        if threads is not None:
            connection.execute("SET threads = ?", [threads])
        connection.execute(f"SET preserve_insertion_order = {'true' if ordered else 'false'}")
        # Moments with a time zone would be written as the clock of this machine shows them.
        connection.execute("SET TimeZone = 'UTC'")
        yield connection
