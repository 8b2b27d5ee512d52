"""What both certificates of a release consist of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, cast

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from sfumato.classes.suppression import Policy
from sfumato.documents.record import Record
from sfumato.engines.messages.block_statistics import Statistic
from sfumato.microdata.output import Output
from sfumato.recoding.recoding import read_recoding, stored_recoding
from sfumato.release.release_request import ReleasedValues

if TYPE_CHECKING:
    from sfumato.recoding.recoding import Recoding


def _as_read(number: float) -> float | int:
    """Return a whole number without a point: 5 rows, not 5.0."""
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


Metric = Annotated[
    float,
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


class ReleasedFile(Record):
    """The file that the certificate is about."""

    file: str = Field(description="The name of the file.")
    sha256: str = Field(description="The SHA-256 of the file, or of its parts.")
    parts: int | None = Field(default=None, description="The number of parts it was written in.")
    rows: int = Field(description="The rows of the file.")
    classes: int = Field(description="The equivalence classes of the file.")
    starred: int | None = Field(
        default=None,
        description="Where suppressed rows are kept with * in every quasi-identifier: how many. "
        "If it is 0, rows that have * everywhere are a class like any other.",
    )
    csv: CsvSettings | None = Field(default=None, description="How a CSV file is to be read.")


class RecodedColumn(Record):
    """How a quasi-identifier was recoded, and what its cells look like."""

    level: int | None = Field(
        default=None, description="The level of its hierarchy, if the recoding has levels."
    )
    output: Output | None = Field(
        default=None,
        description="What its labels are in a local recoding: they differ from class to class.",
    )
    labels: int = Field(description="How many different texts its cells have.")
    blocks: dict[str, str] | None = Field(
        default=None, description="The block that each written statistic stands for."
    )
    examples: list[str | None] | None = Field(default=None, description="Some of its labels.")
    statistic: Statistic | None = Field(
        default=None, description="What a microaggregated release shows of each block."
    )
    digits: int | None = Field(default=None, description="The digits of a mean after the point.")


class SuppressionRule(Record):
    """Which rows were left out."""

    policy: Policy = Field(description="How rows are suppressed.")
    limit: int | float | None = Field(
        default=None, description="The most rows that may be suppressed: a number or a share."
    )
    k: int | None = Field(default=None, description="Classes smaller than this are suppressed.")
    criteria: list[str] | None = Field(default=None, description="What every class must meet.")
    failing: bool | None = Field(
        default=None,
        description="In the private certificate: whether classes were suppressed because they "
        "fail the criteria.",
    )
    rows: Literal["drop", "star"] = Field(
        description="Whether suppressed rows are left out, or have * in every quasi-identifier."
    )


class ProtectedStatement(Record):
    """A predicate that people protect."""

    protect: str = Field(description="The predicate.")
    where: str | None = Field(default=None, description="Who protects it; everybody if left out.")
    damage: float | None = Field(
        default=None, description="The share of a person's harm that comes from it."
    )


PUBLIC: Literal["sfumato public certificate 2"] = "sfumato public certificate 2"


class PublicCertificate(Record):
    """What a reader of the data may know: all of it can be seen in the data."""

    kind: Literal["sfumato public certificate 2"] = Field(description="The kind and its version.")
    tool: str = Field(description="What wrote the release.")
    release: ReleasedFile = Field(description="The file that the certificate is about.")
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
