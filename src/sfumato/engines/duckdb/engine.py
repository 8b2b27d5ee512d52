"""The embedded engine: DuckDB."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.engines.duckdb.dialect import FLOATING, GAPS
from sfumato.engines.duckdb.relation import relation_of
from sfumato.engines.duckdb.session import DuckDBSession, connected
from sfumato.engines.duckdb.translated_errors import is_about_writing, release_error, source_error
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts, GroupedPeople
from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.engines.sql.engine import SqlEngine
from sfumato.engines.sql.formulas import escaped_rows
from sfumato.engines.sql.people import group_people
from sfumato.engines.sql.released_rows import released_rows
from sfumato.errors import SettingsError
from sfumato.sources.source import DatabaseTable, MemoryTable, ParquetFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.engines.gaps import Gaps
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.grouped_counts import PersonKey
    from sfumato.engines.messages.joint_counts import JointCounts, JointQuestion
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.engines.sql.opened_table import OpenedTable, Relation
    from sfumato.sources.source import Source


def grouped(
    table: OpenedTable[DuckDBSession], columns: Sequence[str], person: PersonKey | None = None
) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows, and of people."""
    session = table.session
    kinds = {table.names.index(name): table.kinds[name] for name in columns}
    asked = ", ".join(f"c{p}" for p in kinds)
    if person is None:
        session.materialize(
            "grouped", f"SELECT {asked}, count(*) AS n FROM {table.sql} GROUP BY ALL"
        )
    else:
        group_people(table, [f"c{p}" for p in kinds], table.sql, person)
    rows = "grouped"
    if any(kind in FLOATING for kind in kinds.values()):
        rows = "without_nan"
        session.materialize(rows, _without_nan("grouped", kinds, people=person is not None))
    for p, kind in kinds.items():
        session.materialize(
            f"v{p}",
            "SELECT v, row_number() OVER (ORDER BY t) - 1 AS i, "
            f"t FROM (SELECT v, {table.dialect.value_text('v', kind)} AS t FROM "
            f"(SELECT DISTINCT c{p} AS v FROM {rows}))",
        )
    codes = ", ".join(f"CAST(v{p}.i AS INTEGER) AS i{p}" for p in kinds)
    joins = " ".join(f"JOIN v{p} ON {rows}.c{p} IS NOT DISTINCT FROM v{p}.v" for p in kinds)
    counted = "n" if person is None else "n, person, people"
    arrays = session.connection.execute(
        f"SELECT {codes}, {counted} FROM {rows} {joins}"
    ).fetchnumpy()
    found = {}
    for name, p in zip(columns, kinds, strict=True):
        texts = session.connection.execute(f"SELECT t FROM v{p} ORDER BY i").fetchall()
        found[name] = GroupedColumn(
            values=tuple(text for (text,) in texts),
            codes=np.asarray(arrays[f"i{p}"], dtype=np.int32),
        )
    return GroupedCounts(
        columns=found,
        counts=np.asarray(arrays["n"], dtype=np.int64),
        people=None
        if person is None
        else GroupedPeople(
            persons=np.asarray(arrays["person"], dtype=np.int64),
            counts=np.asarray(arrays["people"], dtype=np.int64),
        ),
    )


def _without_nan(rows: str, kinds: Mapping[int, str], *, people: bool) -> str:
    """Return the SQL of the groups in which what is not a number is missing.

    While the source is read is too early: DuckDB takes from the statistics of a Parquet file,
    which ignore NaN, that a column has none, and isnan(…) is never asked.
    """
    values = ", ".join(
        f"CASE WHEN isnan(c{p}) THEN NULL ELSE c{p} END AS c{p}" if kind in FLOATING else f"c{p}"
        for p, kind in kinds.items()
    )
    # Somebody who was in two of the groups is in one now, and still one person.
    of_people = (
        ", person, "
        "CAST(CASE WHEN any_value(person) < 0 THEN sum(people) ELSE 1 END AS BIGINT) AS people"
        if people
        else ""
    )
    return f"SELECT {values}, CAST(sum(n) AS BIGINT) AS n{of_people} FROM {rows} GROUP BY ALL"


def rewrite(table: OpenedTable[DuckDBSession], plan: RewritePlan, target: Target) -> None:
    """Write the rows that stay, in an order that says nothing about that of the source.

    The shuffle takes its entropy from the system and keeps none of it: a recorded seed would
    undo it. The generator of `random` is not cryptographic, so the sort key is not its output
    but a hash of it with a salt. Memory is bounded by DuckDB's own limit: the sort spills into a
    folder of ours.

    The schema of a Parquet file says of a column that nothing is missing where DuckDB knows it of
    the source, suppressed rows included. A condition that it does not see through leaves that open.
    """
    literal = table.dialect.literal
    rows = released_rows(table, plan, target.format)
    if target.escape_formulas:
        rows = escaped_rows(table.session, rows)
    salt = secrets.randbits(63)
    # Without DuckDB's temporary file beside it: this one path is all that may be written.
    if target.format is FileFormat.PARQUET:
        options = "FORMAT parquet, USE_TMP_FILE false"
    else:
        compression = "gzip" if target.compressed else "none"
        options = (
            f"FORMAT csv, HEADER true, DELIMITER {literal(target.delimiter)}, "
            f"QUOTE '\"', ESCAPE '\"', COMPRESSION {compression}, USE_TMP_FILE false"
        )
    places = [f"c{place}" for place in range(len(plan.columns))]
    cells = ", ".join(
        f"CASE WHEN drawn >= 0 THEN {place} END AS {table.dialect.quoted_name(name)}"
        for place, name in zip(places, plan.columns, strict=True)
    )
    table.session.connection.execute(
        f"COPY (SELECT {cells} FROM (SELECT *, random() AS drawn FROM ({rows}) "
        f"AS released({', '.join(places)})) ORDER BY hash(drawn, {salt})) "
        f"TO {literal(str(target.path))} ({options})"
    )


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

    def joint_counts(self, source: Source, question: JointQuestion) -> JointCounts:
        """Count every two columns of a question together."""
        from sfumato.engines.duckdb.joint_counts import joint_counts

        with self._opened(source) as table:
            return joint_counts(table, question)

    @contextmanager
    def _session(
        self, source: Source, *, beside: Sequence[Source], target: Target | None, ordered: bool
    ) -> Iterator[DuckDBSession]:
        import duckdb

        with connected(
            (source, *beside),
            memory_limit=self.memory_limit,
            threads=self.threads,
            target=target,
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

    def _grouped(
        self,
        table: OpenedTable[DuckDBSession],
        columns: Sequence[str],
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        return grouped(table, columns, person)

    def _write(self, table: OpenedTable[DuckDBSession], plan: RewritePlan, target: Target) -> None:
        rewrite(table, plan, target)
