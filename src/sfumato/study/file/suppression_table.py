"""The table ``[suppression]`` of a study file: which rows may be left out."""

from __future__ import annotations

from pydantic import Field

from sfumato.classes.suppression import Policy, Suppression, Threshold
from sfumato.study.file.table import Table
from sfumato.study.file.values import Number


class SuppressionTable(Table):
    """Which rows may be left out of a release."""

    policy: Policy = Field(
        default=Policy.NONE, strict=False, description="How rows are suppressed."
    )
    limit: Number | None = Field(
        default=None,
        description='With the policy "limit": a share of the rows (0.01) or a number of rows '
        "(300).",
        examples=[0.01],
    )
    k: int | None = Field(
        default=None,
        description='With the policy "given-k": classes smaller than this are suppressed.',
        examples=[5],
    )
    threshold: Threshold = Field(
        default=Threshold.LARGEST,
        strict=False,
        description='With the policy "limit": only the largest threshold, or every one.',
    )

    def suppression(self) -> Suppression:
        """Return how rows are suppressed."""
        return Suppression(policy=self.policy, limit=self.limit, k=self.k, threshold=self.threshold)
