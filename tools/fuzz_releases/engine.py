"""An engine that opens DuckDB once: most of the time of a small study is opening databases."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import duckdb

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.session import DuckDBSession
from sfumato.engines.duckdb.translated_errors import source_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.engines.messages.rewrite_plan import Target
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True)
class SharedDuckDBEngine(DuckDBEngine):
    """DuckDB in one database for all queries, without the lock that each has for itself."""

    @contextmanager
    def _session(
        self, source: Source, *, beside: Sequence[Source], target: Target | None, ordered: bool
    ) -> Iterator[DuckDBSession]:
        del beside, target
        connection = _database().cursor()
        try:
            connection.execute(f"SET preserve_insertion_order = {'true' if ordered else 'false'}")
            yield DuckDBSession(connection=connection)
        except duckdb.Error as error:
            raise source_error(error, where=str(source)) from None
        finally:
            connection.execute("DETACH DATABASE IF EXISTS origin")
            connection.close()


@cache
def _database() -> duckdb.DuckDBPyConnection:
    database = duckdb.connect(config={"python_enable_replacements": False, "threads": 1})
    database.execute("SET TimeZone = 'UTC'")
    return database
