"""The distributed engine: Apache Spark."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_columns
from sfumato.engines.spark import session as spark_session
from sfumato.engines.spark.error_text import error_text, writing_error_text
from sfumato.engines.spark.relation import relation_of
from sfumato.engines.spark.sql import SparkSql
from sfumato.engines.sql.session import whole_number
from sfumato.errors import ReleaseError, SettingsError, SourceError, shown
from sfumato.sources.csv_dialect import is_compressed
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CsvFile, ParquetFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession

    from sfumato.engines.messages.block_question import BlockQuestion, FoundStatistic
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.grouped_counts import CoarserValues, GroupedCounts
    from sfumato.engines.messages.matched_rows import AnonymizedTable
    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan, Target
    from sfumato.engines.messages.written_metrics import WrittenMetrics, WrittenQuestion
    from sfumato.engines.sql.relation import Relation
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True)
class SparkEngine:
    """Counts and rewrites with Spark, where the rows are: only the count table comes back.

    ``session`` is a running session; ``remote`` the address of a Spark Connect server
    (``sc://host:15002``, no Java is needed here); ``master`` that of a cluster, or ``local[*]``,
    which is also taken if nothing is said. Nothing is started before it is needed.
    """

    session: SparkSession | None = field(default=None, repr=False, compare=False)
    master: str | None = None
    remote: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("session", "master", "remote") if getattr(self, name)]
        if len(given) > 1:
            raise SettingsError(f"Spark is where {' and '.join(given)} say; give one of them")
        if self.session is not None and not hasattr(self.session, "createDataFrame"):
            raise SettingsError(
                f"the session is {shown(self.session)}; give a SparkSession that is running"
            )
        if self.remote is not None and not self.remote.startswith("sc://"):
            raise SettingsError(
                f"remote is {self.remote!r}; write the address of a Spark Connect server, such as "
                "'sc://host:15002'. The address of a cluster is its master"
            )
        if self.master is not None and self.master.startswith("sc://"):
            raise SettingsError(
                f"master is {self.master!r}, the address of a Spark Connect server; give it as "
                "remote"
            )

    @property
    def writes_parts(self) -> bool:
        """Whether a release is a folder of parts: every executor writes its own."""
        return True

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
        from sfumato.engines.spark.count import grouped, text_of
        from sfumato.engines.sql.coarser import coarser_relation
        from sfumato.engines.sql.told_apart import told_apart_relation

        if not columns:
            raise SettingsError("there is nothing to count: name at least one column")
        with self._opened(source) as (sql, relation):
            check_columns(columns, relation.names, where=str(source))
            kinds = _kinds(sql, relation)
            for name in columns:
                # Below, a column may be given texts in place of values that have none.
                text_of(sql, relation, name, kinds, where=str(source))
            if told_apart:
                relation = told_apart_relation(sql.dialect, relation, kinds, told_apart)
                kinds = _kinds(sql, relation)
            if coarser:
                relation = coarser_relation(sql, relation, kinds, coarser)
                kinds = _kinds(sql, relation)
            return grouped(sql, relation, columns, kinds, where=str(source))

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

        with self._opened(source) as (sql, relation):
            check_columns([*columns, *complete], relation.names, where=str(source))
            return distinct_values(
                sql,
                relation,
                _kinds(sql, relation),
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

        with self._opened(source) as (sql, relation):
            check_columns(columns, relation.names, where=str(source))
            kinds = _kinds(sql, relation)
            relation = told_apart_relation(sql.dialect, relation, kinds, told_apart or {})
            return combinations(sql, relation, _kinds(sql, relation), columns, alternatives)

    def rows_at_most(self, source: Source) -> int | None:
        """Return a number of rows that the source does not exceed, None if that is not cheap."""
        if isinstance(source, CsvFile) and not is_compressed(parts_of(source.path)[0]):
            # A row has a byte at least for every column: a delimiter, or the end of the line.
            size = sum(part.stat().st_size for part in parts_of(source.path))
            return size // len(self.columns(source))
        if not isinstance(source, ParquetFile):
            return None
        with self._opened(source) as (sql, relation):
            ((rows,),) = sql.rows(f"SELECT count(*) FROM {relation.sql}")
            return whole_number(rows)

    def count_matched(
        self,
        source: Source,
        columns: Sequence[str],
        others: Sequence[AnonymizedTable],
        *,
        key: str | None = None,
    ) -> GroupedCounts:
        """Count the rows of the source together with what other tables made of them."""
        from sfumato.engines.spark.count import grouped
        from sfumato.engines.sql.matched import matched_relation

        if key is None:
            raise SettingsError(
                "on Spark rows have no order by which they could be matched; name a key column "
                "that both tables have"
            )
        with self._opened(source) as (sql, relation):

            def opened(other: Source) -> Relation:
                return relation_of(sql, other, view=f"other{len(others)}")

            matched = matched_relation(
                sql, source, relation, columns, others, opened=opened, key=key
            )
            kinds = _kinds(sql, matched)
            return grouped(sql, matched, matched.names, kinds, where=str(source))

    def content(self, source: Source) -> ContentDigest:
        """Return the digest of all rows."""
        from sfumato.engines.sql.released_rows import content_digest

        with self._opened(source) as (sql, relation):
            kinds = _kinds(sql, relation)
            columns = [(f"c{p}", kinds[name]) for p, name in enumerate(relation.names)]
            return content_digest(sql, relation.sql, columns)

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """Refuse: columns are looked at by DuckDB, of which a sample of the rows is enough."""
        raise SettingsError(
            f"{source} cannot be looked at through Spark; write some thousand of its rows to a "
            "Parquet file, and let DuckDB propose the study"
        )

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> dict[str, dict[str | None, int]]:
        """Return, for every recoded column, how many kept rows have each of its values."""
        from sfumato.engines.sql.kept_values import kept_values

        with self._opened(source, target=target) as (sql, relation):
            return kept_values(sql, relation, _kinds(sql, relation), plan)

    def block_statistics(
        self, source: Source, question: BlockQuestion, target: Target
    ) -> dict[str, dict[int, FoundStatistic]]:
        """Return the statistic of every block that a kept row is in, by Spark's arithmetic."""
        from sfumato.engines.sql.block_statistics import block_statistics

        with self._opened(source, target=target) as (sql, relation):
            return block_statistics(sql, relation, _kinds(sql, relation), question)

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
        """Let the cluster write the rows that ``plan`` makes of the source, as parts."""
        from sfumato.engines.spark.rewrite import rewrite

        with self._opened(source, target=target) as (sql, relation):
            rewrite(sql, relation, _kinds(sql, relation), plan, target, where=str(source))

    def intended_content(self, source: Source, plan: RewritePlan, target: Target) -> ContentDigest:
        """Return the digest of what `rewrite` should write, computed from the source again."""
        from sfumato.engines.sql.released_rows import intended_content

        with self._opened(source, target=target) as (sql, relation):
            return intended_content(sql, relation, _kinds(sql, relation), plan, target.format)

    def written_metrics(
        self, written: Source, question: WrittenQuestion, target: Target
    ) -> WrittenMetrics:
        """Read written parts back and return their metrics, computed by the cluster alone."""
        from sfumato.engines.sql.written import written_metrics

        with self._opened(written, target=target) as (sql, relation):
            return written_metrics(sql, relation, _kinds(sql, relation), question)

    def connected(self) -> SparkSession:
        """Return the session, started if need be."""
        if self.session is None:
            with spark_session.quiet():
                return spark_session.session_at(master=self.master, remote=self.remote)
        if spark_session.is_stopped(self.session):
            raise SourceError(
                "the Spark session was stopped; start one and make the engine anew: "
                "SparkEngine(session=…)"
            )
        return self.session

    @contextmanager
    def _opened(
        self, source: Source, *, target: Target | None = None
    ) -> Iterator[tuple[SparkSql, Relation]]:
        with ExitStack() as stack:
            stack.enter_context(spark_session.quiet())
            session = self.connected()
            from py4j.protocol import Py4JError
            from pyspark.errors import PySparkException

            try:
                stack.enter_context(spark_session.settled(session))
                sql = SparkSql(session)
                stack.callback(sql.close)
                yield sql, relation_of(sql, source)
            except (PySparkException, Py4JError, OSError, AttributeError) as error:
                if isinstance(error, AttributeError) and not spark_session.is_stopped(session):
                    raise
                said = writing_error_text(error) if target is not None else None
                if said is not None:
                    raise ReleaseError(said) from None
                raise SourceError(error_text(error, where=str(source))) from None


def _kinds(sql: SparkSql, relation: Relation) -> dict[str, str]:
    types = sql.types(f"SELECT * FROM {relation.sql}")
    return dict(zip(relation.names, (kind for _, kind in types), strict=True))
