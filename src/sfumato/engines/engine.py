"""What sfumato asks of an engine that touches rows, role by role.

A caller names the role that it needs. What only some engines can do is in `gaps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sfumato.engines.gaps import Capability

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.engines.gaps import Gaps
    from sfumato.engines.messages.block_statistics import (
        BlockQuestion,
        FoundStatistic,
        KeptValues,
    )
    from sfumato.engines.messages.coarsening import UnreadableValues
    from sfumato.engines.messages.column_facts import TableFacts, TextCounts, UniqueRows
    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.grouped_counts import (
        AnonymizedTable,
        CoarserValues,
        GroupedCounts,
        PersonKey,
    )
    from sfumato.engines.messages.joint_counts import JointCounts, JointQuestion
    from sfumato.engines.messages.released_people import PeopleQuestion, ReleasedPeople
    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan, Target
    from sfumato.engines.messages.written_metrics import WrittenMetrics, WrittenQuestion
    from sfumato.sources.source import Source


class CountingEngine(Protocol):
    """Counts rows where they are; only combinations of values and their counts come back."""

    def columns(self, source: Source) -> tuple[str, ...]:
        """Return the names of the source's columns in order, upper and lower case kept apart."""
        ...

    def count(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        told_apart: Mapping[str, Sequence[str]] | None = None,
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        """Count the distinct combinations of ``columns`` with one GROUP BY.

        Values are returned as text, missing ones (null, not a number) as None, whole numbers
        without a decimal point whatever their type. Columns that are not asked for are not read.
        Inside the GROUP BY, values that ``coarser`` lists, or has a rule for, are replaced by
        others. Of the columns in ``told_apart`` only these texts and missing values are told
        apart; all other texts come as one that is not among them, so that they never leave the
        engine. With a ``person`` key it says who the rows of every combination are about, by
        numbers; nothing of the keys leaves the engine. A row without a key is refused.
        """
        ...

    def values(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        complete: Sequence[str] = (),
        markers: Sequence[str] = (),
    ) -> Mapping[str, tuple[str | None, ...]]:
        """Return the distinct values of columns, as `count` would.

        Rows with a missing value, or a marker of one, in a column of ``complete`` are left out.
        """
        ...

    @property
    def address(self) -> str | None:
        """The address of another host that rows are sent to; None if they stay where they are."""
        ...

    def rows_at_most(self, source: Source) -> int | None:
        """Return a number of rows that the source does not exceed, None if that is not cheap."""
        ...

    def combinations(
        self,
        source: Source,
        columns: Sequence[str],
        alternatives: Sequence[CoarserValues],
        *,
        told_apart: Mapping[str, Sequence[str]] | None = None,
    ) -> tuple[int, ...]:
        """Return about how many combinations `count` would return, under each alternative."""
        ...

    def unreadable(
        self, source: Source, coarser: CoarserValues, *, most: int
    ) -> Mapping[str, UnreadableValues]:
        """Return the values that the rules of ``coarser`` cannot read, ``most`` of each column.

        Columns without such values are left out, and so are missing values.
        """
        ...

    def person_minima(self, source: Source, person: PersonKey, *, key: str) -> Mapping[str, str]:
        """Return the least keyed hashes of the people: 12 digits by the first 3, hexadecimal.

        The hash of a person is a SHA-256 with ``key`` before the parts of the person key.
        """
        ...

    def content(self, source: Source) -> ContentDigest:
        """Return the digest of all rows, which tells whether a table is still the same."""
        ...


class MatchingEngine(Protocol):
    """Matches the rows of a source with those of tables that others anonymized."""

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
        """Count ``columns`` together with the recoded columns of tables that others anonymized.

        Values of the source that ``coarser`` lists are replaced by others first.

        Rows are matched by the values of ``key``, or by their order if it is None. The columns of
        the other tables are named by `matched_column` and `presence_column`; what does not match
        is refused. With a ``person`` key people are counted, as in `count`.
        """
        ...


class ExaminingEngine(Protocol):
    """Counts what may single out rows, by aggregates that do not grow with the rows.

    Values that ``coarser`` lists are replaced by others first, as a release will replace them.
    """

    def facts(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        counted: Mapping[str, TextCounts] | None = None,
        outlined: Collection[str] = (),
    ) -> TableFacts:
        """Return what the cells of columns look like, counted in one scan.

        Columns whose texts were ``counted`` before, as they are released, are not read again. Of
        columns that are ``outlined`` only the cells and the values are counted.
        """
        ...

    def about_distinct(
        self,
        source: Source,
        combinations: Sequence[Sequence[str]],
        *,
        coarser: CoarserValues | None = None,
    ) -> tuple[int, ...]:
        """Return about how many distinct values combinations of columns have."""
        ...

    def unique_rows(
        self,
        source: Source,
        combinations: Sequence[Sequence[str]],
        *,
        coarser: CoarserValues | None = None,
        one_in: int = 1,
    ) -> tuple[UniqueRows, ...]:
        """Return how many rows are alone with their values, for combinations of columns.

        With ``one_in`` only the rows of one in so many combinations of values are counted.
        """
        ...


class RewritingEngine(Protocol):
    """Writes the rows that a plan makes of a source."""

    @property
    def writes_parts(self) -> bool:
        """Whether `rewrite` writes a folder of parts, as clusters do, and not one file."""
        ...

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> Mapping[str, KeptValues]:
        """Return, for every recoded column, how many kept rows have each code and value.

        Codes are blocks, or ``listed_labels`` where a plan has them. Values are the texts that
        `count` returns. What is kept is what ``plan`` says; its labels do not matter.
        """
        ...

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
        """Write the rows that ``plan`` makes of the source, shuffled, in bounded memory."""
        ...


class VerifyingEngine(Protocol):
    """Computes what a written file must show, from the source and from the file, by SQL alone."""

    def intended_content(self, source: Source, plan: RewritePlan, target: Target) -> ContentDigest:
        """Return the digest of what `rewrite` should write, computed from the source again."""
        ...

    def block_statistics(
        self, source: Source, question: BlockQuestion, target: Target
    ) -> Mapping[str, Mapping[int, FoundStatistic]]:
        """Return the statistic of every block that a kept row is in, by the engine's arithmetic.

        It checks what was made of `kept_values`, so that it shares nothing with it.
        """
        ...

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
        """Count the rows that a plan makes of the source, and people by them.

        The last column says which rows are kept; suppressed rows have ``*`` as labels and their
        own values. Everything else is as in `count`.
        """
        ...

    def released_people(
        self, source: Source, plan: RewritePlan, target: Target, question: PeopleQuestion
    ) -> ReleasedPeople:
        """Return the people of what a plan makes of the source, computed by the engine alone."""
        ...

    def written_metrics(
        self, written: Source, question: WrittenQuestion, target: Target
    ) -> WrittenMetrics:
        """Read a written file back and return its metrics, computed by the engine alone."""
        ...


class Engine(
    CountingEngine, MatchingEngine, ExaminingEngine, RewritingEngine, VerifyingEngine, Protocol
):
    """Counts, matches, rewrites and verifies rows where they are. No row ever reaches Python."""

    @property
    def gaps(self) -> Gaps:
        """What this engine cannot do though others can."""
        ...


@runtime_checkable
class ProfilingEngine(Protocol):
    """Describes the columns of a source."""

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """Return what every column looks like, by aggregates that do not grow with the rows."""
        ...

    def joint_counts(self, source: Source, question: JointQuestion) -> JointCounts:
        """Count every two columns of a question together, in one scan."""
        ...


def profile(engine: Engine, source: Source) -> tuple[ColumnProfile, ...]:
    """Return what every column looks like; refuse an engine that cannot tell."""
    engine.gaps.check(Capability.PROFILE, where=str(source))
    assert isinstance(engine, ProfilingEngine), "an engine without this gap has the role"
    return engine.profile(source)


def joint_counts(engine: Engine, source: Source, question: JointQuestion) -> JointCounts:
    """Count every two columns of a question together; refuse an engine that cannot."""
    engine.gaps.check(Capability.PROFILE, where=str(source))
    assert isinstance(engine, ProfilingEngine), "an engine without this gap has the role"
    return engine.joint_counts(source, question)
