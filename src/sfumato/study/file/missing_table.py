"""The table ``[missing]`` of a study file: what becomes of missing values."""

from __future__ import annotations

from pydantic import Field

from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy, MissingValues
from sfumato.study.file.table import Table
from sfumato.study.file.values import Texts


class MissingTable(Table):
    """What becomes of missing values."""

    policy: MissingPolicy = Field(
        default=MissingPolicy.CATEGORY,
        strict=False,
        description="A category of its own, an error, or rows that are dropped.",
    )
    markers: Texts = Field(
        default=(),
        description="Texts that mean a missing value. Empty fields always do.",
        examples=[["?"]],
    )
    label: str = Field(
        default=MISSING_LABEL, description="What the category is called.", examples=[MISSING_LABEL]
    )

    def missing(self) -> MissingValues:
        """Return how missing values are treated."""
        return MissingValues(policy=self.policy, markers=self.markers, label=self.label)
