"""The embedded engine: DuckDB."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.column_names import check_columns
from sfumato.engines.duckdb.error_text import error_text, is_about_writing, writing_error_text
from sfumato.engines.duckdb.profile import profile_relation
from sfumato.engines.duckdb.relation import relation_of
from sfumato.engines.duckdb.session import DuckDBSession
from sfumato.engines.duckdb.text import FLOATING, value_text
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import ReleaseError, SettingsError, SourceError
from sfumato.sources.csv_dialect import is_compressed
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from sfumato.engines.messages.block_question import BlockQuestion, FoundStatistic
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.engines.messages.matched_rows import AnonymizedTable
    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan, Target
    from sfumato.engines.messages.written_metrics import WrittenMetrics, WrittenQuestion
    from sfumato.engines.sql.relation import Relation
    from sfumato.sources.source import Source

REWRITE_MEMORY = "1500MB"
"""The memory that DuckDB may take for a rewrite, where nobody set another limit."""


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

    @property
    def writes_parts(self) -> bool:
        """Whether a release is a folder of parts: it is one file."""
        return False

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order."""
        with self._opened(source) as (_, relation):
            return relation.names

    def count(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        told_apart: Mapping[str, Sequence[str]] | None = None,
    ) -> GroupedCounts:
        """Count the distinct combinations of ``columns``; see `Engine.count`."""
        if not columns:
            raise SettingsError("there is nothing to count: name at least one column")
        with self._opened(source) as (connection, relation):
            check_columns(columns, relation.names, where=str(source))
            if told_apart:
                from sfumato.engines.sql.told_apart import told_apart_relation

                kinds = _all_kinds(connection, relation)
                dialect = DuckDBSession(connection=connection).dialect
                relation = told_apart_relation(dialect, relation, kinds, told_apart)
            if coarser:
                from sfumato.engines.sql.coarser import coarser_relation

                session = DuckDBSession(connection=connection)
                kinds = _all_kinds(connection, relation)
                relation = coarser_relation(session, relation, kinds, coarser)
            return _grouped(connection, relation, columns)

    def values(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        complete: Sequence[str] = (),
        markers: Sequence[str] = (),
    ) -> Mapping[str, tuple[str | None, ...]]:
        """Return the distinct values of columns."""
        from sfumato.engines.sql.coarser import distinct_values

        with self._opened(source) as (connection, relation):
            check_columns([*columns, *complete], relation.names, where=str(source))
            return distinct_values(
                DuckDBSession(connection=connection),
                relation,
                _all_kinds(connection, relation),
                columns,
                complete=complete,
                markers=markers,
            )

    def combinations(
        self,
        source: Source,
        columns: Sequence[str],
        alternatives: Sequence[CoarserValues],
        *,
        told_apart: Mapping[str, Sequence[str]] | None = None,
    ) -> tuple[int, ...]:
        """Return about how many combinations there are, under each alternative."""
        from sfumato.engines.sql.coarser import combinations
        from sfumato.engines.sql.told_apart import told_apart_relation

        with self._opened(source) as (connection, relation):
            check_columns(columns, relation.names, where=str(source))
            kinds = _all_kinds(connection, relation)
            dialect = DuckDBSession(connection=connection).dialect
            relation = told_apart_relation(dialect, relation, kinds, told_apart or {})
            return combinations(
                DuckDBSession(connection=connection),
                relation,
                _all_kinds(connection, relation),
                columns,
                alternatives,
            )

    def rows_at_most(self, source: Source) -> int | None:
        """Return a number of rows that the source does not exceed, None if that is not cheap."""
        if isinstance(source, CsvFile):
            # A row has a byte at least for every column: a delimiter, or the end of the line.
            if is_compressed(source.path):
                return None
            return source.path.stat().st_size // len(self.columns(source))
        with self._opened(source) as (connection, relation):
            found = connection.execute(f"SELECT count(*) FROM {relation.sql}").fetchone()
            assert found is not None
            return int(found[0])

    def count_matched(
        self,
        source: Source,
        columns: Sequence[str],
        others: Sequence[AnonymizedTable],
        *,
        key: str | None = None,
    ) -> GroupedCounts:
        """Count the rows of the source together with what other tables made of them."""
        from sfumato.engines.sql.matched import matched_relation

        with self._opened(source) as (connection, relation):
            if key is None:
                connection.execute("SET preserve_insertion_order = true")

            def opened(other: Source) -> Relation:
                connection.execute("DETACH DATABASE IF EXISTS origin")
                return relation_of(connection, other)

            session = DuckDBSession(connection=connection)
            matched = matched_relation(
                session, source, relation, columns, others, opened=opened, key=key
            )
            return _grouped(connection, matched, matched.names)

    def content(self, source: Source) -> ContentDigest:
        """Return the digest of all rows."""
        from sfumato.engines.sql.released_rows import content_digest

        with self._opened(source) as (connection, relation):
            kinds = _all_kinds(connection, relation)
            columns = [(f"c{p}", kinds[name]) for p, name in enumerate(relation.names)]
            return content_digest(DuckDBSession(connection=connection), relation.sql, columns)

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """Return what every column looks like."""
        with self._opened(source) as (connection, relation):
            kinds = _kinds(connection, relation, range(len(relation.names)))
            return profile_relation(connection, relation, kinds)

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> dict[str, dict[str | None, int]]:
        """Return, for every recoded column, how many kept rows have each of its values."""
        from sfumato.engines.sql.kept_values import kept_values

        with self._opened(source, target=target) as (connection, relation):
            session = DuckDBSession(connection=connection)
            return kept_values(session, relation, _all_kinds(connection, relation), plan)

    def block_statistics(
        self, source: Source, question: BlockQuestion, target: Target
    ) -> dict[str, dict[int, FoundStatistic]]:
        """Return the statistic of every block that a kept row is in, by DuckDB's arithmetic."""
        from sfumato.engines.sql.block_statistics import block_statistics

        with self._opened(source, target=target) as (connection, relation):
            session = DuckDBSession(connection=connection)
            return block_statistics(session, relation, _all_kinds(connection, relation), question)

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
        """Write the rows that ``plan`` makes of the source, shuffled, in bounded memory."""
        from sfumato.engines.duckdb.rewrite import rewrite

        with self._opened(source, target=target) as (connection, relation):
            rewrite(connection, relation, _all_kinds(connection, relation), plan, target)

    def intended_content(self, source: Source, plan: RewritePlan, target: Target) -> ContentDigest:
        """Return the digest of what `rewrite` should write, computed from the source again."""
        from sfumato.engines.sql.released_rows import intended_content

        with self._opened(source, target=target) as (connection, relation):
            kinds = _all_kinds(connection, relation)
            session = DuckDBSession(connection=connection)
            return intended_content(session, relation, kinds, plan, target.format)

    def written_metrics(
        self, written: Source, question: WrittenQuestion, target: Target
    ) -> WrittenMetrics:
        """Read a written file back and return its metrics, computed by DuckDB alone."""
        from sfumato.engines.sql.written import written_metrics

        with self._opened(written, target=target) as (connection, relation):
            kinds = _all_kinds(connection, relation)
            session = DuckDBSession(connection=connection)
            return written_metrics(session, relation, kinds, question)

    @contextmanager
    def _opened(
        self, source: Source, *, target: Target | None = None
    ) -> Iterator[tuple[duckdb.DuckDBPyConnection, Relation]]:
        import duckdb

        with ExitStack() as stack:
            # What memory cannot hold goes to a private folder that is removed, never to the
            # working folder, which is DuckDB's own choice.
            spill = (
                str(target.spill)
                if target is not None
                else stack.enter_context(TemporaryDirectory(prefix="sfumato-"))
            )
            connection = stack.enter_context(
                duckdb.connect(
                    config={
                        # Nothing is ever fetched from the net, not even an extension.
                        "autoinstall_known_extensions": False,
                        "temp_directory": spill,
                    }
                )
            )
            limit = self.memory_limit or (REWRITE_MEMORY if target is not None else None)
            try:
                if limit is not None:
                    connection.execute("SET memory_limit = ?", [limit])
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
            except (duckdb.InterruptException, RuntimeError) as error:
                # What DuckDB makes of a signal whose handler raised KeyboardInterrupt.
                if "interrupt" in str(error).lower():
                    raise KeyboardInterrupt from None
                raise
            except duckdb.Error as error:
                if target is not None and is_about_writing(error, target.spill.parent):
                    raise ReleaseError(writing_error_text(error)) from None
                raise SourceError(error_text(error, where=str(source))) from None


def _grouped(
    connection: duckdb.DuckDBPyConnection, relation: Relation, columns: Sequence[str]
) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows."""
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
            f"t FROM (SELECT v, {value_text('v', kind)} AS t FROM "
            f"(SELECT DISTINCT c{p} AS v FROM grouped))"
        )
    codes = ", ".join(f"CAST(v{p}.i AS INTEGER) AS i{p}" for p in positions)
    joins = " ".join(f"JOIN v{p} ON grouped.c{p} IS NOT DISTINCT FROM v{p}.v" for p in positions)
    arrays = connection.execute(f"SELECT {codes}, n FROM grouped {joins}").fetchnumpy()
    grouped = {}
    for name, p in zip(columns, positions, strict=True):
        texts = connection.execute(f"SELECT t FROM v{p} ORDER BY i").fetchall()
        grouped[name] = GroupedColumn(
            values=tuple(text for (text,) in texts),
            codes=np.asarray(arrays[f"i{p}"], dtype=np.int32),
        )
    return GroupedCounts(columns=grouped, counts=np.asarray(arrays["n"], dtype=np.int64))


def _all_kinds(connection: duckdb.DuckDBPyConnection, relation: Relation) -> dict[str, str]:
    kinds = _kinds(connection, relation, range(len(relation.names)))
    return dict(zip(relation.names, kinds, strict=True))


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
