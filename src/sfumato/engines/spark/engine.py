"""The distributed engine: Apache Spark."""

from __future__ import annotations

import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts, GroupedPeople
from sfumato.engines.spark import connection as spark
from sfumato.engines.spark.dialect import GAPS
from sfumato.engines.spark.relation import relation_of
from sfumato.engines.spark.rewrite import rewrite
from sfumato.engines.spark.session import SparkSqlSession
from sfumato.engines.spark.translated_errors import release_error, source_error
from sfumato.engines.sql.engine import SqlEngine
from sfumato.engines.sql.people import group_people, key_parts
from sfumato.errors import SettingsError, SourceError
from sfumato.sources.source import ParquetFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import SparkSession

    from sfumato.engines.gaps import Gaps
    from sfumato.engines.messages.grouped_counts import PersonKey
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.engines.sql.opened_table import OpenedTable, Relation
    from sfumato.sources.source import Source


_ON_THIS_MACHINE = re.compile(r"local(-cluster)?(\[[^]]*\])?|yarn")
"""Masters without an address; YARN is where the settings of this machine say."""


def grouped(
    table: OpenedTable[SparkSqlSession], columns: Sequence[str], person: PersonKey | None = None
) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows, and of people."""
    sql = table.session
    positions = [table.names.index(name) for name in columns]
    texts = [table.text(name) for name in columns]
    given = ", ".join(f"{text} AS t{p}" for p, text in zip(positions, texts, strict=True))
    names = ", ".join(f"t{p}" for p in positions)
    if person is None:
        sql.materialize(
            "grouped",
            f"SELECT {names}, count(*) AS n FROM (SELECT {given} FROM {table.sql}) "
            f"GROUP BY {names}",
        )
    else:
        parts = ", ".join(f"c{place}" for place in key_parts(table))
        rows = f"(SELECT {given}, {parts} FROM {table.sql}) AS texts"
        group_people(table, [f"t{p}" for p in positions], rows, person)
    made = sql.named("grouped")
    sets = ", ".join(f"collect_set(t{p}), count_if(t{p} IS NULL) > 0" for p in positions)
    (found,) = sql.rows(f"SELECT {sets} FROM {made}")
    values: dict[str, tuple[str | None, ...]] = {}
    joins, codes = [], []
    for q, (name, p) in enumerate(zip(columns, positions, strict=True)):
        known = sorted(found[2 * q])  # type: ignore[call-overload]
        values[name] = (*known, None) if found[2 * q + 1] else tuple(known)
        sql.fill(f"values{p}", {"v": values[name], "i": list(range(len(values[name])))})
        joins.append(
            f"JOIN {sql.named(f'values{p}')} AS values{p} "
            f"ON grouped.t{p} IS NOT DISTINCT FROM values{p}.v"
        )
        codes.append(f"values{p}.i AS i{p}")
    hint = f"/*+ BROADCAST({', '.join(f'values{p}' for p in positions)}) */"
    arrays = sql.arrow(
        f"SELECT {hint} {', '.join(codes)}, n{'' if person is None else ', person, people'} "
        f"FROM {made} AS grouped {' '.join(joins)}"
    )
    return GroupedCounts(
        columns={
            name: GroupedColumn(
                values=values[name], codes=arrays[f"i{p}"].to_numpy().astype(np.int32, copy=False)
            )
            for name, p in zip(columns, positions, strict=True)
        },
        counts=arrays["n"].to_numpy().astype(np.int64, copy=False),
        people=None
        if person is None
        else GroupedPeople(
            persons=arrays["person"].to_numpy().astype(np.int64, copy=False),
            counts=arrays["people"].to_numpy().astype(np.int64, copy=False),
        ),
    )


@dataclass(frozen=True, kw_only=True)
class SparkEngine(SqlEngine[SparkSqlSession]):
    """Counts and rewrites with Spark, where the rows are: only the count table comes back.

    ``session`` is a running session; ``remote`` the address of a Spark Connect server
    (``sc://host:15002``, no Java is needed here); ``master`` that of a cluster, or ``local[*]``,
    which is the default. Nothing is started before it is needed. A release is a
    folder of parts: every executor writes its own.
    """

    gaps: ClassVar[Gaps] = GAPS
    writes_parts: ClassVar[bool] = True
    quick_to_count: ClassVar[tuple[type[Source], ...]] = (ParquetFile,)

    session: SparkSession | None = field(default=None, repr=False, compare=False)
    master: str | None = None
    remote: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("session", "master", "remote") if getattr(self, name)]
        if len(given) > 1:
            raise SettingsError(
                f"Spark is given as {' and '.join(given)}",
                code="conflicting-settings",
                key=given[1],
                remedy="give one of them",
            )
        if self.session is not None and not hasattr(self.session, "createDataFrame"):
            raise SettingsError.wrong_setting(
                "session", self.session, "a SparkSession that is running", code="wrong-type"
            )
        if self.remote is not None and not self.remote.startswith("sc://"):
            raise SettingsError(
                code="not-an-address",
                key="remote",
                found=repr(self.remote),
                expected="the address of a Spark Connect server, like 'sc://host:15002'",
                remedy="the address of a cluster is its master",
            )
        if self.master is not None and self.master.startswith("sc://"):
            raise SettingsError(
                f"master is {self.master!r}, the address of a Spark Connect server",
                code="not-an-address",
                key="master",
                found=repr(self.master),
                remedy="give it as remote",
            )

    @property
    def address(self) -> str | None:
        """The address that rows are sent to; None on this machine, and where its settings say."""
        if self.remote is not None:
            return self.remote
        here = self.master is None or _ON_THIS_MACHINE.fullmatch(self.master) is not None
        return None if here else self.master

    def connected(self) -> SparkSession:
        """Return the session, started if need be."""
        if self.session is None:
            with spark.quiet():
                return spark.session_at(master=self.master, remote=self.remote)
        if spark.is_stopped(self.session):
            raise SourceError(
                "the Spark session was stopped",
                code="lost-session",
                remedy="start one and make a new engine: SparkEngine(session=…)",
            )
        return self.session

    @contextmanager
    def _session(
        self,
        source: Source,
        *,
        beside: Sequence[Source],  # noqa: ARG002 (its session reads what it may read)
        target: Target | None,
        ordered: bool,
    ) -> Iterator[SparkSqlSession]:
        assert not ordered, "rows on a cluster have no order, which is one of the gaps"
        with ExitStack() as stack:
            stack.enter_context(spark.quiet())
            session = self.connected()
            from py4j.protocol import Py4JError
            from pyspark.errors import PySparkException

            try:
                stack.enter_context(spark.settled(session))
                sql = SparkSqlSession(session)
                stack.callback(sql.close)
                yield sql
            except (PySparkException, Py4JError, OSError, AttributeError) as error:
                if isinstance(error, AttributeError) and not spark.is_stopped(session):
                    raise
                unwritten = release_error(error) if target is not None else None
                raise unwritten or source_error(error, where=str(source)) from None

    def _relation(self, session: SparkSqlSession, source: Source, *, beside: int) -> Relation:
        return relation_of(session, source, view=f"other{beside}" if beside else "origin")

    def _grouped(
        self,
        table: OpenedTable[SparkSqlSession],
        columns: Sequence[str],
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        return grouped(table, columns, person)

    def _write(
        self, table: OpenedTable[SparkSqlSession], plan: RewritePlan, target: Target
    ) -> None:
        rewrite(table, plan, target)
