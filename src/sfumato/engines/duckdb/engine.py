"""The embedded engine: DuckDB."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.engines.duckdb.connection import connected
from sfumato.engines.duckdb.count import grouped
from sfumato.engines.duckdb.gaps import GAPS
from sfumato.engines.duckdb.relation import relation_of
from sfumato.engines.duckdb.rewrite import rewrite
from sfumato.engines.duckdb.session import DuckDBSession
from sfumato.engines.duckdb.translated_errors import is_about_writing, release_error, source_error
from sfumato.engines.sql.engine import SqlEngine
from sfumato.errors import SettingsError
from sfumato.sources.source import DatabaseTable, MemoryTable, ParquetFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.engines.gaps import Gaps
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.engines.sql.opened_table import OpenedTable, Relation
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True)
class DuckDBEngine(SqlEngine[DuckDBSession]):
    """Counts files and tables with DuckDB, inside this process; a release is one file.

    ``memory_limit``, like "2GB", and ``threads`` are DuckDB's own settings; None leaves them.
    """

    gaps: ClassVar[Gaps] = GAPS
    writes_parts: ClassVar[bool] = False
    quick_to_count: ClassVar[tuple[type[Source], ...]] = (ParquetFile, DatabaseTable, MemoryTable)

    memory_limit: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise SettingsError.wrong_setting(
                "threads", self.threads, "at least 1", code="out-of-range"
            )

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """Return what every column looks like."""
        from sfumato.engines.duckdb.profile import profile_table

        with self._opened(source) as table:
            return profile_table(table)

    @contextmanager
    def _session(
        self, source: Source, *, target: Target | None, ordered: bool
    ) -> Iterator[DuckDBSession]:
        import duckdb

        with connected(
            memory_limit=self.memory_limit,
            threads=self.threads,
            spill=None if target is None else target.spill,
            ordered=ordered,
        ) as connection:
            try:
                yield DuckDBSession(connection=connection)
            except (duckdb.InterruptException, RuntimeError) as error:
                # What DuckDB makes of a signal whose handler raised KeyboardInterrupt.
                if "interrupt" in str(error).lower():
                    raise KeyboardInterrupt from None
                raise
            except duckdb.Error as error:
                if target is not None and is_about_writing(error, target.spill.parent):
                    raise release_error(error) from None
                raise source_error(error, where=str(source)) from None

    def _relation(self, session: DuckDBSession, source: Source, *, beside: int) -> Relation:
        if beside:
            session.connection.execute("DETACH DATABASE IF EXISTS origin")
        return relation_of(session.connection, source)

    def _grouped(self, table: OpenedTable[DuckDBSession], columns: Sequence[str]) -> GroupedCounts:
        return grouped(table, columns)

    def _write(self, table: OpenedTable[DuckDBSession], plan: RewritePlan, target: Target) -> None:
        rewrite(table, plan, target)
