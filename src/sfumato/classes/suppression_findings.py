"""What a suppression tells an intruder, as findings that a publisher must see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.classes.classes import Classes
    from sfumato.classes.suppression import Suppression

BY_CRITERION = "suppression-by-criterion"
THRESHOLD_BY_CRITERION = "threshold-by-criterion"


@dataclass(frozen=True, kw_only=True)
class SuppressionFinding:
    """What was found, and what would help; ``code`` is stable, ``counts`` are its numbers."""

    code: str
    text: str
    remedy: str
    counts: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}"

    def record(self) -> dict[str, object]:
        """Return what JSON and the private certificate say of it."""
        return {
            "code": self.code,
            "counts": dict(self.counts),
            "text": self.text,
            "remedy": self.remedy,
        }


def policy_findings(suppression: Suppression) -> tuple[SuppressionFinding, ...]:
    """Return what a policy tells, whatever recoding is chosen."""
    if not suppression.tells_of_failing:
        return ()
    said = ", ".join(map(str, suppression.sensitive_criteria))
    return (
        SuppressionFinding(
            code=BY_CRITERION,
            text=f"classes that fail {said} are suppressed: a class that is missing though it is "
            "large enough must have failed, and a register of the people tells who is in it",
            remedy="leave out 'failing', so that suppression goes by size",
        ),
    )


def suppression_findings(classes: Classes, position: int) -> tuple[SuppressionFinding, ...]:
    """Return what the suppression of one candidate tells."""
    return (*policy_findings(classes.suppression), *_of_threshold(classes, position))


def _of_threshold(classes: Classes, position: int) -> Iterator[SuppressionFinding]:
    """Yield a finding if a lower threshold of the same recoding fails a sensitive criterion.

    Then the classes in between are missing because of what their people share, though their size
    is all that a reader is told of.
    """
    criteria = classes.suppression.sensitive_criteria
    first = int(np.searchsorted(classes.recoding, classes.recoding[position]))
    if not criteria or position == first:
        return
    failing = np.logical_or.reduce([each.failing(classes.batch) for each in criteria])
    sizes, least = classes.sizes, classes.suppression.least_size
    own = classes.batch.recoding_of == classes.recoding[position]
    between = own & (sizes >= least) & (sizes < classes.thresholds[position])
    if not (failing & between).any():
        return
    rows = int(sizes[between].sum())
    yield SuppressionFinding(
        code=THRESHOLD_BY_CRITERION,
        text=f"{rows:,} rows are suppressed by size because smaller classes fail "
        f"{', '.join(map(str, criteria))}: who knows the criteria can tell that one of them does",
        remedy="choose a recoding that meets the criteria at its least threshold",
        counts={"rows": rows, "threshold": int(classes.thresholds[position])},
    )
