"""The private certificate of a release, for the publisher alone."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from sfumato.documents.record import Record
from sfumato.release.certificates.parts import (
    Metric,
    ProtectedStatement,
    RecodedColumn,
    ReleasedFile,
    SuppressionRule,
)
from sfumato.release.released_values import ReleasedValues
from sfumato.release.suppressed_totals import SuppressedStatement, SuppressedTotals

PRIVATE: Literal["sfumato private certificate 1"] = "sfumato private certificate 1"


class PrivateColumn(RecodedColumn):
    """How a quasi-identifier was recoded, also where the release does not show it."""

    cuts: tuple[int, ...] | None = Field(
        default=None, description="The leaves at which a new block begins, if there are no levels."
    )
    block_labels: tuple[str, ...] | None = Field(
        default=None, description="The label of every block."
    )
    block_of_value: dict[str, int] | None = Field(
        default=None, description="The number of the block that each written statistic stands for."
    )
    blocks_of_one_value: int | None = Field(
        default=None, description="How many blocks show a value because all their rows have it."
    )


class CertifiedSource(Record):
    """Where the rows came from."""

    path: str | None = Field(default=None, description="The file.")
    sha256: str | None = Field(default=None, description="The SHA-256 of the file.")
    table: str | None = Field(default=None, description="What it is, if not a file.")


class CertifiedSearch(Record):
    """The search that the recoding was chosen from."""

    run: str = Field(description="The run folder.")
    created: str = Field(description="When the search ran, in UTC.")
    method: str = Field(description="The search method.")
    exact: bool = Field(description="Whether its front is exact.")
    evaluations: int = Field(description="How many recodings it evaluated.")
    nodes: int | str = Field(description="How many recodings there are.")
    seed: int = Field(description="The seed of the search.")
    solution: int = Field(description="The number of the solution that was released.")
    objectives: dict[str, Metric] = Field(description="The objective values of the solution.")


class SuppressedStatementRecord(Record):
    """What is known of a predicate among the suppressed rows."""

    satisfied: int = Field(description="The suppressed rows that satisfy the predicate.")
    damage: Metric = Field(description="The sum of the damages of the people who protect it.")


class SuppressedRecord(Record):
    """What is known of the suppressed rows, in totals."""

    rows: int = Field(description="The number of suppressed rows.")
    classes: int = Field(description="The number of suppressed classes.")
    squares: int = Field(description="The sum of the squared sizes of these classes.")
    values: dict[str, dict[str, int]] = Field(
        description="The rows of every value of every sensitive column and of the class label."
    )
    statements: dict[str, SuppressedStatementRecord] = Field(
        default={}, description="What is known of every protected predicate."
    )

    def totals(self) -> SuppressedTotals:
        """Return the totals."""
        return SuppressedTotals(
            rows=self.rows,
            classes=self.classes,
            squares=self.squares,
            values=self.values,
            statements={
                predicate: SuppressedStatement(satisfied=each.satisfied, damage=each.damage)
                for predicate, each in self.statements.items()
            },
        )


class PrivateCertificateRecord(Record):
    """What the publisher should keep: settings, source, and metrics of all rows.

    A publisher who releases from Python may add what else is worth remembering.
    """

    model_config = ConfigDict(extra="allow")

    kind: Literal["sfumato private certificate 1"] = Field(description="The kind and its version.")
    note: str = Field(description="Why the certificate is private.")
    tool: str = Field(description="What wrote the release.")
    created: str = Field(description="When the release was written, in UTC.")
    release: ReleasedFile = Field(description="The file that the certificate is about.")
    source: CertifiedSource = Field(description="Where the rows came from.")
    search: CertifiedSearch | None = Field(
        default=None, description="The search that the recoding was chosen from."
    )
    settings: str | None = Field(default=None, description="The study file, as it was written.")
    source_rows: int = Field(description="The rows of the source that were counted.")
    rows_left_out_as_incomplete: int = Field(description="The rows dropped for missing values.")
    values: ReleasedValues = Field(description="What stands in the cells.")
    recoding: dict[str, PrivateColumn] = Field(description="The quasi-identifiers, by name.")
    minimum_levels: dict[str, int] | None = Field(
        default=None, description="The finest level that each quasi-identifier could have."
    )
    threshold: int = Field(description="Classes smaller than this were suppressed.")
    suppression: SuppressionRule = Field(description="Which rows were left out.")
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
    suppressed: SuppressedRecord = Field(description="What is known of the suppressed rows.")
