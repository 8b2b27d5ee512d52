"""The table ``[release]`` of a study file: what the released table looks like."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.release.released_values import ReleasedValues
from sfumato.study.file.table import Table

SuppressedRows = Literal["drop", "star"]


class ReleaseTable(Table):
    """What the released table looks like."""

    suppressed: SuppressedRows = Field(
        default="drop",
        description="Whether suppressed rows are left out, or stay with * in all "
        "quasi-identifiers.",
    )
    values: ReleasedValues = Field(
        default=ReleasedValues.GENERALIZED,
        strict=False,
        description="Whether cells show the label of their block or its statistic.",
    )
