"""What both certificates of a release consist of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self, cast

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema, model_validator

from sfumato.classes.suppression import Policy
from sfumato.documents.record import Record
from sfumato.engines.messages.block_statistics import Statistic
from sfumato.errors import SourceError
from sfumato.hierarchies.ground_distance import EqualDistance, GroundDistance, OrderedDistance
from sfumato.microdata.missing import MISSING_LABEL
from sfumato.microdata.output import Output
from sfumato.microdata.roles import MOST_DIGITS, Role
from sfumato.recoding.recoding import read_recoding, stored_recoding
from sfumato.release.certificates.laws import (
    Count,
    Digest,
    IsNumber,
    Size,
    check,
    check_least_sizes,
    check_metrics,
)
from sfumato.release.release_request import ReleasedValues
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from sfumato.recoding.recoding import Recoding


def _as_read(number: float) -> float | int:
    """Return a whole number without a point: 5 rows, not 5.0."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


Metric = Annotated[
    float,
    IsNumber,
    PlainSerializer(_as_read),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}),
]
"""The value of a measure; infinite ones are the texts "inf" and "-inf"."""


def _read_recoding(stored: object) -> Recoding:
    if not isinstance(stored, dict):
        return cast("Recoding", stored)
    try:
        return read_recoding(stored)
    except TypeError as error:
        # pydantic takes only a ValueError for a problem of the document.
        raise ValueError(str(error)) from None


StoredRecoding = Annotated[
    object,
    PlainValidator(_read_recoding),
    PlainSerializer(stored_recoding),
    WithJsonSchema(
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": {"type": "object"},
        }
    ),
]
"""A recoding: its choices by column, under the name of its kind."""


class CsvSettings(Record):
    """How a CSV file is to be read: a reader need not find it out."""

    delimiter: str = Field(description="What separates the fields.")
    quote: str = Field(description="What encloses fields.")
    encoding: str = Field(description="The encoding.")
    header: bool = Field(description="Whether the first line has the names of the columns.")
    escaped_formulas: bool = Field(
        default=False,
        description="Whether an apostrophe stands before texts that a spreadsheet would run.",
    )

    def file(self, path: Path) -> CsvFile:
        """Return a file that is read so."""
        return CsvFile(path=path, **self.model_dump())

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        try:
            self.file(Path("released.csv"))
        except SourceError as error:
            raise ValueError(str(error)) from None
        return self


class ReleasedFile(Record):
    """The file that the certificate is about."""

    file: str = Field(description="The name of the file.")
    sha256: Digest = Field(description="The SHA-256 of the file, or of its parts.")
    parts: Size | None = Field(default=None, description="The number of parts it was written in.")
    rows: Size = Field(description="The rows of the file.")
    starred: Count | None = Field(
        default=None,
        description="Where suppressed rows are kept with * in every quasi-identifier: how many. "
        "If it is 0, rows that have * everywhere are a class like any other.",
    )
    classes: Size = Field(description="The equivalence classes of the other rows.")
    csv: CsvSettings | None = Field(default=None, description="How a CSV file is to be read.")

    @property
    def kept(self) -> int:
        """The rows that are not suppressed."""
        return self.rows - (self.starred or 0)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        check(self.classes <= self.kept, f"{self.kept} rows do not make {self.classes} classes")
        return self


class RecodedColumn(Record):
    """How a quasi-identifier was recoded, and what its cells look like."""

    level: Count | None = Field(
        default=None, description="The level of its hierarchy, if the recoding has levels."
    )
    output: Output | None = Field(
        default=None,
        description="What its labels are in a local recoding: they differ from class to class.",
    )
    labels: Size = Field(description="How many different texts its cells have.")
    blocks: dict[str, str] | None = Field(
        default=None, description="The block that each written statistic stands for."
    )
    examples: list[str | None] | None = Field(default=None, description="Some of its labels.")
    statistic: Statistic | None = Field(
        default=None, description="What a microaggregated release shows of each block."
    )
    digits: Annotated[int, Field(ge=0, le=MOST_DIGITS)] | None = Field(
        default=None, description="The digits of a mean after the point."
    )


class ReleasedColumn(Record):
    """A column of the file: what it can tell about a person, and how its values are compared."""

    role: Literal[Role.QUASI_IDENTIFYING, Role.SENSITIVE, Role.INSENSITIVE] = Field(
        description="What the column can tell about a person."
    )
    label: bool = Field(default=False, description="Whether it is the class label.")
    distance: Literal["equal", "ordered", "hierarchical"] = Field(
        default="equal", description="How far apart values are for t, of a sensitive column."
    )
    order: tuple[str, ...] | None = Field(
        default=None, description="The values in their order, where the publisher declared it."
    )

    @property
    def ground_distance(self) -> GroundDistance | None:
        """The ground distance for t; None where the certificate does not have it."""
        if self.distance == "hierarchical":
            return None
        return OrderedDistance(order=self.order) if self.distance == "ordered" else EqualDistance()

    @model_validator(mode="after")
    def _has_an_order(self) -> Self:
        check(self.order is None or self.distance == "ordered", "values without order have one")
        # It refuses an order that is empty, or names a value twice.
        assert self.ground_distance is not None or self.distance == "hierarchical"
        return self


class MissingMarks(Record):
    """Which texts mean that a value is missing, beside empty fields."""

    markers: tuple[str, ...] = Field(default=(), description="Texts that mean it.")
    label: str = Field(
        default=MISSING_LABEL, min_length=1, description="How a missing value is written."
    )
    count_as_value: bool = Field(
        default=False, description="Whether missing is one more sensitive value."
    )


class SuppressionRule(Record):
    """Which rows were left out."""

    policy: Policy = Field(description="How rows are suppressed.")
    limit: Count | Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None, description="The most rows that may be suppressed: a number or a share."
    )
    k: Size | None = Field(default=None, description="Classes smaller than this are suppressed.")
    criteria: list[str] | None = Field(default=None, description="What every class must meet.")
    failing: bool | None = Field(
        default=None,
        description="In the private certificate: whether classes were suppressed because they "
        "fail the criteria.",
    )
    rows: Literal["drop", "star"] = Field(
        description="Whether suppressed rows are left out, or have * in every quasi-identifier."
    )

    @property
    def met(self) -> list[str]:
        """What every released class is said to meet."""
        return [*(() if self.k is None else (f"k>={self.k}",)), *(self.criteria or ())]


class ProtectedStatement(Record):
    """A predicate that people protect."""

    protect: str = Field(description="The predicate.")
    where: str | None = Field(default=None, description="Who protects it; everybody if left out.")
    damage: float | None = Field(
        default=None, description="The share of a person's harm that comes from it."
    )


PUBLIC: Literal["sfumato public certificate 3"] = "sfumato public certificate 3"


class PublicCertificate(Record):
    """What a reader of the data may know: all of it can be seen in the data."""

    kind: Literal["sfumato public certificate 3"] = Field(description="The kind and its version.")
    tool: str = Field(description="What wrote the release.")
    how_to_check: str = Field(description="The command that compares the file with this.")
    threat_model: str = Field(
        description="The page in the documentation of sfumato that says what the promises cover."
    )
    release: ReleasedFile = Field(description="The file that the certificate is about.")
    columns: dict[Annotated[str, Field(min_length=1)], ReleasedColumn] = Field(
        description="The columns of the file, by name and in their order."
    )
    missing: MissingMarks | None = Field(
        default=None, description="Which values are missing, if not just the empty ones."
    )
    values: ReleasedValues = Field(description="What stands in the cells.")
    local: Literal["labels differ from class to class"] | None = Field(
        default=None, description="Says that the recoding is local, if it is."
    )
    recoding: dict[str, RecodedColumn] = Field(description="The quasi-identifiers, by name.")
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
    counts: Literal["people"] | None = Field(
        default=None,
        description="Says that measures of privacy count people, who may have several rows.",
    )
    metrics: dict[str, Metric] = Field(description="The measures of the released rows.")
    plugins: dict[str, str] | None = Field(
        default=None, description="The packages of metrics that are not built in, with versions."
    )
    metrics_are_of: str = Field(description="The rows that the metrics are about.")
    not_measured: dict[str, str] = Field(description="The measures that are left out, and why.")

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        file, recoded = self.release, self.recoding
        identifiers = {n for n, c in self.columns.items() if c.role is Role.QUASI_IDENTIFYING}
        check(identifiers == set(recoded), "columns and recoding have other quasi-identifiers")
        labels = [name for name, column in self.columns.items() if column.label]
        check(len(labels) <= 1, "several columns are the class label")
        for name, column in recoded.items():
            fits = column.labels <= file.classes
            check(fits, f"{file.classes} classes do not show {column.labels} labels of {name!r}")
        most = math.prod(column.labels for column in recoded.values())
        check(file.classes <= most, f"the labels make {most} classes at most")
        starred = self.suppression.rows == "star"
        check(starred or not file.starred, "suppressed rows are left out, and some are starred")
        people = self.counts == "people"
        check_metrics(self.metrics, rows=file.kept, classes=file.classes, people=people)
        check_least_sizes([*self.suppression.met, *(self.require or ())], self.metrics)
        return self
