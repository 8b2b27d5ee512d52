"""What all SQL engines share; they differ in how they open, count and write a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from sfumato.engines.column_names import check_columns
from sfumato.engines.gaps import Capability
from sfumato.engines.messages.released_people import KEPT
from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.engines.sql.block_statistics import block_statistics
from sfumato.engines.sql.coarser import (
    coarser_table,
    combinations,
    distinct_values,
    told_apart_table,
    unreadable_values,
)
from sfumato.engines.sql.facts import about_distinct, table_facts, unique_rows
from sfumato.engines.sql.formulas import unescaped_table
from sfumato.engines.sql.matched import matched_table
from sfumato.engines.sql.opened_table import OpenedTable
from sfumato.engines.sql.people import key_parts, person_minima, with_key
from sfumato.engines.sql.released_people import released_people, released_table
from sfumato.engines.sql.released_rows import intended_content, kept_values, table_digest
from sfumato.engines.sql.session import SqlSession, whole_number
from sfumato.engines.sql.written import written_metrics
from sfumato.errors import SettingsError
from sfumato.sources.csv_dialect import is_compressed
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from sfumato.engines.gaps import Gaps
    from sfumato.engines.messages.block_statistics import BlockQuestion, FoundStatistic
    from sfumato.engines.messages.coarsening import UnreadableValues
    from sfumato.engines.messages.column_facts import TableFacts, TextCounts, UniqueRows
    from sfumato.engines.messages.grouped_counts import (
        AnonymizedTable,
        CoarserValues,
        GroupedCounts,
        PersonKey,
    )
    from sfumato.engines.messages.released_people import PeopleQuestion, ReleasedPeople
    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan, Target
    from sfumato.engines.messages.written_metrics import WrittenMetrics, WrittenQuestion
    from sfumato.engines.sql.opened_table import Relation
    from sfumato.sources.source import Source

SessionT = TypeVar("SessionT", bound=SqlSession)


class SqlEngine(ABC, Generic[SessionT]):
    """Opens a source in a session and runs the SQL that all engines share; see `Engine`.

    ``quick_to_count`` are the kinds of sources whose number of rows is known without reading them.
    """

    gaps: ClassVar[Gaps]
    writes_parts: ClassVar[bool]
    quick_to_count: ClassVar[tuple[type[Source], ...]]

    @property
    def address(self) -> str | None:
        """The address of another host that rows are sent to: none."""
        return None

    @abstractmethod
    def _session(
        self, source: Source, *, beside: Sequence[Source], target: Target | None, ordered: bool
    ) -> AbstractContextManager[SessionT]:
        """Open a session, and translate the engine's errors about a source and a target.

        ``beside`` are the other sources that it reads. With ``ordered`` rows keep the order of
        their table.
        """

    @abstractmethod
    def _relation(self, session: SessionT, source: Source, *, beside: int) -> Relation:
        """Return the relation of a source; ``beside`` numbers those that are opened after it."""

    @abstractmethod
    def _grouped(
        self,
        table: OpenedTable[SessionT],
        columns: Sequence[str],
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        """Return the distinct combinations of columns with their numbers of rows.

        With a person key, whose parts the table has beside its columns, of people too.
        """

    @abstractmethod
    def _write(self, table: OpenedTable[SessionT], plan: RewritePlan, target: Target) -> None:
        """Write the rows that a plan makes of a table, in an order that tells nothing."""

    @contextmanager
    def _opened(
        self,
        source: Source,
        *,
        beside: Sequence[Source] = (),
        target: Target | None = None,
        ordered: bool = False,
    ) -> Iterator[OpenedTable[SessionT]]:
        with self._session(source, beside=beside, target=target, ordered=ordered) as session:
            yield self._table(session, source)

    def _table(
        self, session: SessionT, source: Source, *, beside: int = 0
    ) -> OpenedTable[SessionT]:
        self.gaps.check_source(source)
        relation = self._relation(session, source, beside=beside)
        table = OpenedTable(session=session, relation=relation, where=str(source))
        if isinstance(source, CsvFile) and source.escaped_formulas:
            return unescaped_table(table)
        return table

    def _check_texts(self, table: OpenedTable[SessionT], columns: Sequence[str]) -> None:
        """Refuse columns of types whose values have no text that every engine writes alike."""
        for name in columns:
            if not table.dialect.has_text(table.kinds[name]):
                self.gaps.check(
                    Capability.COUNT_NESTED,
                    where=table.where,
                    column=name,
                    data_type=table.kinds[name],
                )

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order."""
        with self._opened(source) as table:
            return table.names

    def count(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        told_apart: Mapping[str, Sequence[str]] | None = None,
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        """Count the distinct combinations of ``columns``, and people by them."""
        if not columns:
            raise SettingsError(
                "there is nothing to count", code="too-few", expected="at least one column"
            )
        with self._opened(source) as table:
            key = () if person is None else person.columns
            check_columns([*columns, *key], table.names, where=table.where)
            self._check_texts(table, [*columns, *key])
            table = with_key(table, person)
            table = told_apart_table(coarser_table(table, coarser or {}), told_apart or {})
            return self._grouped(table, columns, person)

    def values(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        complete: Sequence[str] = (),
        markers: Sequence[str] = (),
    ) -> Mapping[str, tuple[str | None, ...]]:
        """Return the distinct values of columns."""
        with self._opened(source) as table:
            check_columns([*columns, *complete], table.names, where=table.where)
            return distinct_values(table, columns, complete=complete, markers=markers)

    def combinations(
        self,
        source: Source,
        columns: Sequence[str],
        alternatives: Sequence[CoarserValues],
        *,
        told_apart: Mapping[str, Sequence[str]] | None = None,
    ) -> tuple[int, ...]:
        """Return about how many combinations there are, under each alternative."""
        with self._opened(source) as table:
            check_columns(columns, table.names, where=table.where)
            return combinations(told_apart_table(table, told_apart or {}), columns, alternatives)

    def rows_at_most(self, source: Source) -> int | None:
        """Return a number of rows that the source does not exceed, None if that is not cheap."""
        if isinstance(source, CsvFile):
            parts = parts_of(source.path)
            if is_compressed(parts[0]):
                return None
            # A row has a byte at least for every column: a delimiter, or the end of the line.
            return sum(part.stat().st_size for part in parts) // len(self.columns(source))
        if not isinstance(source, self.quick_to_count):
            return None
        with self._opened(source) as table:
            ((rows,),) = table.session.rows(f"SELECT count(*) FROM {table.sql}")
            return whole_number(rows)

    def unreadable(
        self, source: Source, coarser: CoarserValues, *, most: int
    ) -> Mapping[str, UnreadableValues]:
        """Return the values that the rules of some columns cannot read."""
        with self._opened(source) as table:
            check_columns(list(coarser), table.names, where=table.where)
            return unreadable_values(table, coarser, most=most)

    def person_minima(self, source: Source, person: PersonKey, *, key: str) -> dict[str, str]:
        """Return the least keyed hashes of the people."""
        with self._opened(source) as table:
            check_columns(person.columns, table.names, where=table.where)
            return person_minima(with_key(table, person), key)

    def content(self, source: Source) -> ContentDigest:
        """Return the digest of all rows."""
        with self._opened(source) as table:
            return table_digest(table)

    def count_matched(
        self,
        source: Source,
        columns: Sequence[str],
        others: Sequence[AnonymizedTable],
        *,
        key: str | None = None,
        coarser: CoarserValues | None = None,
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        """Count the rows of the source together with what other tables made of them."""
        if key is None:
            self.gaps.check(Capability.MATCH_BY_ORDER, where=str(source))
        read = [other.source for other in others]
        with self._opened(source, beside=read, ordered=key is None) as table:
            beside = (
                self._table(table.session, other.source, beside=number)
                for number, other in enumerate(others, start=1)
            )
            if person is not None:
                check_columns(person.columns, table.names, where=table.where)
            table = coarser_table(with_key(table, person), coarser or {})
            parts = [table.names[place] for place in key_parts(table)]
            matched = matched_table(table, [*columns, *parts], others, beside, key=key)
            told = [name for name in matched.names if name not in parts]
            return self._grouped(matched, told, person)

    def facts(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        counted: Mapping[str, TextCounts] | None = None,
        outlined: Collection[str] = (),
    ) -> TableFacts:
        """Return what the cells of columns look like, counted in one scan."""
        with self._opened(source) as table:
            return table_facts(
                coarser_table(table, coarser or {}),
                columns,
                counted=counted or {},
                outlined=outlined,
            )

    def about_distinct(
        self,
        source: Source,
        combinations: Sequence[Sequence[str]],
        *,
        coarser: CoarserValues | None = None,
    ) -> tuple[int, ...]:
        """Return about how many distinct values combinations of columns have."""
        with self._opened(source) as table:
            return about_distinct(coarser_table(table, coarser or {}), combinations)

    def unique_rows(
        self,
        source: Source,
        combinations: Sequence[Sequence[str]],
        *,
        coarser: CoarserValues | None = None,
        one_in: int = 1,
    ) -> tuple[UniqueRows, ...]:
        """Return how many rows are alone with their values, for combinations of columns."""
        with self._opened(source) as table:
            coarse = coarser_table(table, coarser or {})
            return unique_rows(coarse, combinations, one_in=one_in)

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> dict[str, dict[tuple[int, str | None], int]]:
        """Return, for every recoded column, how many kept rows have each code and value."""
        with self._opened(source, target=target) as table:
            return kept_values(table, plan)

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
        """Write the rows that ``plan`` makes of the source, in bounded memory."""
        with self._opened(source, target=target) as table:
            if target.format is FileFormat.CSV:
                recoded = {column.name for column in plan.recoded}
                self._check_texts(table, [name for name in plan.columns if name not in recoded])
            self._write(coarser_table(table, plan.coarser), plan, target)

    def intended_content(self, source: Source, plan: RewritePlan, target: Target) -> ContentDigest:
        """Return the digest of what `rewrite` should write, computed from the source again."""
        with self._opened(source, target=target) as table:
            return intended_content(coarser_table(table, plan.coarser), plan, target.format)

    def block_statistics(
        self, source: Source, question: BlockQuestion, target: Target
    ) -> dict[str, dict[int, FoundStatistic]]:
        """Return the statistic of every block that a kept row is in, by the engine's arithmetic."""
        with self._opened(source, target=target) as table:
            return block_statistics(table, question)

    def count_released(
        self,
        source: Source,
        plan: RewritePlan,
        target: Target,
        columns: Sequence[str],
        *,
        person: PersonKey,
        told_apart: Mapping[str, Sequence[str]] | None = None,
    ) -> GroupedCounts:
        """Count the rows that a plan makes of the source, and people by them."""
        with self._opened(source, target=target) as table:
            check_columns(person.columns, table.names, where=table.where)
            released = released_table(table, plan, target.format, person)
            released = told_apart_table(released, told_apart or {})
            return self._grouped(released, [*columns, KEPT], person)

    def released_people(
        self,
        source: Source,
        plan: RewritePlan,
        target: Target,
        question: PeopleQuestion,
    ) -> ReleasedPeople:
        """Return the people of what a plan makes of the source, computed by the engine alone."""
        with self._opened(source, target=target) as table:
            released = released_table(table, plan, target.format, question.person)
            return released_people(released, question)

    def written_metrics(
        self, written: Source, question: WrittenQuestion, target: Target
    ) -> WrittenMetrics:
        """Read a written file back and return its metrics, computed by the engine alone."""
        with self._opened(written, target=target) as table:
            return written_metrics(table, question)
