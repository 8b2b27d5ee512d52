"""The public certificate of a release, which goes with the data."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.documents.record import Record
from sfumato.release.certificates.parts import (
    Metric,
    ProtectedStatement,
    RecodedColumn,
    ReleasedFile,
    SuppressionRule,
)
from sfumato.release.released_values import ReleasedValues

PUBLIC: Literal["sfumato public certificate 2"] = "sfumato public certificate 2"


class PublicCertificate(Record):
    """What a reader of the data may know: all of it can be seen in the data."""

    kind: Literal["sfumato public certificate 2"] = Field(description="The kind and its version.")
    tool: str = Field(description="What wrote the release.")
    release: ReleasedFile = Field(description="The file that the certificate is about.")
    values: ReleasedValues = Field(description="What stands in the cells.")
    recoding: dict[str, RecodedColumn] = Field(description="The quasi-identifiers, by name.")
    suppression: SuppressionRule = Field(description="Which rows were left out.")
    statements: list[ProtectedStatement] | None = Field(
        default=None, description="The predicates that the release keeps confidential."
    )
    metrics: dict[str, Metric] = Field(description="The measures of the released rows.")
    plugins: dict[str, str] | None = Field(
        default=None, description="The packages of metrics that are not built in, with versions."
    )
    metrics_are_of: str = Field(description="The rows that the metrics are about.")
    not_measured: dict[str, str] = Field(description="The measures that are left out, and why.")
