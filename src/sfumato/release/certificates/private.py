"""The private certificate of a release, for the publisher alone."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from sfumato.documents.record import Record
from sfumato.findings.finding import Severity
from sfumato.release.certificates.laws import (
    Count,
    Digest,
    Size,
    check,
    check_least_sizes,
    check_metrics,
    check_whole_table,
)
from sfumato.release.certificates.public import (
    Metric,
    ProtectedStatement,
    RecodedColumn,
    ReleasedFile,
    StoredRecoding,
    SuppressionRule,
)
from sfumato.release.release_request import ReleasedValues
from sfumato.release.suppressed_records import SuppressedRecord, SuppressedRecords

PRIVATE: Literal["sfumato private certificate 3"] = "sfumato private certificate 3"


_OF_ALL_ROWS = ("dm", "s-k", "weighted-k")
"""Sums that also count the suppressed rows."""


class PrivateColumn(RecodedColumn):
    """How a quasi-identifier was recoded, also where the release does not show it."""

    block_labels: tuple[str | None, ...] | None = Field(
        default=None, description="The labels by number, where they are made of values."
    )
    label_sizes: tuple[Size, ...] | None = Field(
        default=None,
        description="How many domain values each of these labels covers, in a local recoding.",
    )
    block_of_value: dict[str, Count] | None = Field(
        default=None, description="The number of the block that each written statistic stands for."
    )
    class_values: tuple[str, ...] | None = Field(
        default=None,
        description="The statistic of every class of a local recoding, in the order of its labels.",
    )
    blocks_of_one_value: Count | None = Field(
        default=None, description="How many blocks show a value because all their rows have it."
    )
    squared_error: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="SSE/SST of the statistics over the released rows, for numbers and dates.",
    )


class CertifiedSource(Record):
    """Where the rows came from."""

    path: str | None = Field(default=None, description="The file.")
    sha256: Digest | None = Field(default=None, description="The SHA-256 of the file.")
    table: str | None = Field(default=None, description="What it is, if not a file.")


class CertifiedSearch(Record):
    """The search that the recoding was chosen from."""

    run: str = Field(description="The run folder.")
    created: str = Field(description="When the search ran, in UTC.")
    method: str = Field(description="The search method.")
    exact: bool = Field(description="Whether its front is exact.")
    evaluations: Count = Field(description="How many recodings it evaluated.")
    nodes: int | str = Field(description="How many recodings there are.")
    seed: int = Field(description="The seed of the search.")
    solution: Count = Field(description="The number of the solution that was released.")
    objectives: dict[str, Metric] = Field(description="The objective values of the solution.")


class SuppressedCombination(Record):
    """Suppressed rows that have the same sensitive values and satisfy the same statements."""

    values: tuple[str, ...] = Field(default=(), description="Their values, by column.")
    rows: Size = Field(description="How many rows there are.")
    satisfies: tuple[bool, ...] = Field(
        default=(), description="Of every predicate, whether they satisfy it."
    )
    applies: tuple[bool, ...] = Field(
        default=(), description="Of every rule, whether it is about them."
    )
    damages: tuple[Metric, ...] = Field(
        default=(), description="Of every predicate, what it costs them if it is inferred."
    )


class SuppressedRows(Record):
    """What is known of the suppressed rows, without their quasi-identifiers."""

    rows: Count = Field(description="The number of suppressed rows.")
    class_sizes: dict[Size, Size] = Field(
        description="How many classes of which size were suppressed."
    )
    columns: tuple[str, ...] = Field(description="The columns that the records have values of.")
    predicates: tuple[str, ...] = Field(
        default=(), description="The predicates that somebody protects."
    )
    records: tuple[SuppressedCombination, ...] = Field(description="The suppressed rows.")

    @classmethod
    def of(cls, suppressed: SuppressedRecords) -> SuppressedRows:
        """Return the suppressed rows as the certificate has them."""
        return cls(
            rows=suppressed.rows,
            class_sizes=dict(sorted(suppressed.class_sizes.items())),
            columns=suppressed.columns,
            predicates=suppressed.predicates,
            records=tuple(SuppressedCombination(**vars(each)) for each in suppressed.records),
        )

    def suppressed(self) -> SuppressedRecords:
        """Return the suppressed rows."""
        return SuppressedRecords(
            columns=self.columns,
            predicates=self.predicates,
            class_sizes=self.class_sizes,
            records=tuple(SuppressedRecord(**each.model_dump()) for each in self.records),
        )

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        rows = sum(size * classes for size, classes in self.class_sizes.items())
        check(rows == self.rows, f"the classes have {rows} rows, and {self.rows} are suppressed")
        rows = sum(each.rows for each in self.records)
        check(rows == self.rows, f"the records have {rows} rows, and {self.rows} are suppressed")
        for each in self.records:
            check(len(each.values) == len(self.columns), "a record has other columns")
            check(len(each.satisfies) == len(self.predicates), "a record has other predicates")
        return self


class CertifiedFinding(Record):
    """What the publisher was told before the release was written; it has no value of the data."""

    code: str = Field(description="What kind of finding it is.")
    severity: Severity = Field(description="Whether it is a warning.")
    columns: tuple[str, ...] = Field(description="The columns that it is about.")
    counts: dict[str, Metric] = Field(description="The numbers of the message.")
    message: str = Field(description="What was found.")
    remedy: str = Field(description="What would help.")


class ComposedWith(Record):
    """An earlier release of the same people."""

    id: str = Field(description="Its entry in the ledger.")
    file: str = Field(description="Where it was written.")
    created: str = Field(description="When it was written, in UTC.")
    k: int = Field(description="Its k.")
    shared: float = Field(
        description="About which share of the smaller source is in the other too."
    )
    changed: int = Field(
        default=0,
        description="The groups of people that both show, but for fewer than the required k.",
    )
    lacking: str | None = Field(
        default=None, description="Why its classes cannot be found again, if so."
    )


class JointClasses(Record):
    """What the release shows together with earlier ones of the same people."""

    ledger: bool = Field(description="Whether the ledger was asked.")
    k: int | None = Field(default=None, description="The k of the joint classes.")
    alone: int | None = Field(
        default=None, description="How many people, or rows, are alone in a joint class."
    )
    classes: int | None = Field(default=None, description="The number of joint classes.")
    values: dict[str, Metric] = Field(
        default={}, description="The measures of the policy, of the joint classes."
    )
    require: list[str] = Field(default=[], description="What the joint classes must meet.")
    missed: list[str] = Field(default=[], description="What of it they miss.")
    adds: bool = Field(
        default=False, description="Whether it tells people apart whom earlier ones do not."
    )
    differencing: bool = Field(
        default=False, description="Whether statistics of a few follow from those of many."
    )
    accepted: bool = Field(
        default=False, description="Whether it would have been refused and was accepted."
    )
    earlier: list[ComposedWith] = Field(
        default=[], description="The earlier releases of the same people."
    )


class PrivateCertificateRecord(Record):
    """What the publisher should keep: settings, source, and metrics of all rows.

    A publisher who releases from Python may add what else is worth remembering.
    """

    model_config = ConfigDict(extra="allow")

    kind: Literal["sfumato private certificate 3"] = Field(description="The kind and its version.")
    note: str = Field(description="Why the certificate is private.")
    tool: str = Field(description="What wrote the release.")
    threat_model: str = Field(
        description="The page in the documentation of sfumato that says what the promises cover."
    )
    created: str = Field(description="When the release was written, in UTC.")
    release: ReleasedFile = Field(description="The file that the certificate is about.")
    source: CertifiedSource = Field(description="Where the rows came from.")
    search: CertifiedSearch | None = Field(
        default=None, description="The search that the recoding was chosen from."
    )
    plugins: dict[str, str] | None = Field(
        default=None, description="Members of other packages that took part, with their versions."
    )
    settings: str | None = Field(default=None, description="The study file, as it was written.")
    source_rows: Size = Field(description="The rows of the source that were counted.")
    counts: Literal["people"] | None = Field(
        default=None,
        description="Says that measures of privacy count people, who may have several rows.",
    )
    people: Size | None = Field(
        default=None, description="The people of the source, if they are counted."
    )
    people_in_several_cells: Count | None = Field(
        default=None,
        description="The people whose rows differ in quasi-identifiers, if they are counted.",
    )
    rows_left_out_as_incomplete: Count = Field(description="The rows dropped for missing values.")
    values: ReleasedValues = Field(description="What stands in the cells.")
    chosen: StoredRecoding = Field(description="The recoding, as an audit needs it.")
    recoding: dict[str, PrivateColumn] = Field(description="The quasi-identifiers, by name.")
    minimum_levels: dict[str, Count] | None = Field(
        default=None, description="The finest level that each quasi-identifier could have."
    )
    threshold: Count = Field(description="Classes smaller than this were suppressed.")
    changed: dict[str, str] | None = Field(
        default=None, description="How the values of other columns were changed, by name."
    )
    suppression: SuppressionRule = Field(description="Which rows were left out.")
    require: list[str] | None = Field(
        default=None, description="The policy that the release meets."
    )
    statements: list[ProtectedStatement] | None = Field(
        default=None, description="The predicates that the release keeps confidential."
    )
    metrics_before: dict[str, Metric] = Field(description="The measures of the source as it is.")
    metrics: dict[str, Metric] = Field(
        description="The measures of the recoding, suppressed rows included."
    )
    metrics_of_released_rows: dict[str, Metric] = Field(
        description="The measures of the released rows."
    )
    recomputed_from_the_file_by_sql: list[str] = Field(
        description="The measures that were recomputed from the written file."
    )
    recomputed_from_the_source_by_sql: list[str] | None = Field(
        default=None, description="What was recomputed from the source."
    )
    suppressed: SuppressedRows = Field(description="What is known of the suppressed rows.")
    composition: JointClasses | None = Field(
        default=None, description="What the release shows together with earlier ones."
    )
    findings: list[CertifiedFinding] = Field(
        default=[], description="What the publisher was told before the release was written."
    )

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        file, gone = self.release, self.suppressed.rows
        kept = self.source_rows - gone
        check(kept >= 1, f"{gone} of {self.source_rows} rows are suppressed: none is left")
        check(
            file.kept == kept,
            f"{self.source_rows} rows without {gone} suppressed ones are {kept}, and the file is "
            f"said to have {file.kept}",
        )
        starred = gone if self.suppression.rows == "star" else 0
        check(
            (file.starred or 0) == starred, f"{starred} rows are starred, and the file has others"
        )
        if self.people is not None:
            check(self.people <= self.source_rows, "there are more people than rows")
            several = self.people_in_several_cells or 0
            check(several <= self.people, "more people are in several cells than there are")
        if self.values is ReleasedValues.MICROAGGREGATED:
            for name, each in self.recoding.items():
                told = each.block_of_value is not None or each.class_values is not None
                check(told and each.statistic is not None, f"column {name!r} has no statistic")
        people = self.counts == "people"
        released = self.metrics_of_released_rows
        check_metrics(self.metrics_before, rows=self.source_rows, people=people)
        check_metrics(released, rows=kept, classes=file.classes, people=people)
        check_metrics(
            {name: value for name, value in self.metrics.items() if name not in _OF_ALL_ROWS},
            rows=kept,
            classes=file.classes,
            people=people,
        )
        check_whole_table(
            self.metrics, released, rows=self.source_rows, suppressed=gone, people=people
        )
        met = [*self.suppression.met, *(self.require or ())]
        check_least_sizes(met, self.metrics)
        check_least_sizes(met, released)
        return self
