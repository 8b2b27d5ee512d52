"""What a suppression tells an intruder, as findings that a publisher must see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.findings.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.classes.classes import Classes
    from sfumato.classes.suppression import Suppression

BY_CRITERION = "suppression-by-criterion"
THRESHOLD_BY_CRITERION = "threshold-by-criterion"
OF_SUPPRESSION = (BY_CRITERION, THRESHOLD_BY_CRITERION)
"""The codes of what a suppression can tell."""


def policy_findings(suppression: Suppression) -> tuple[Finding, ...]:
    """Return what a policy tells, whatever recoding is chosen."""
    if not suppression.tells_of_failing:
        return ()
    said = ", ".join(map(str, suppression.sensitive_criteria))
    return (
        Finding(
            code=BY_CRITERION,
            severity=Severity.WARNING,
            message=f"classes that fail {said} are suppressed: a class that is missing though it "
            "is large enough must have failed, and a register of the people tells who is in it",
            remedy="leave out 'failing', so that suppression goes by size",
        ),
    )


def threshold_findings(classes: Classes, position: int) -> Iterator[Finding]:
    """Yield a finding if a lower threshold of the same recoding fails a sensitive criterion.

    Then the classes in between are missing because of what their people share, though their size
    is all that a reader is told of.
    """
    criteria = classes.suppression.sensitive_criteria
    first = int(np.searchsorted(classes.recoding, classes.recoding[position]))
    if not criteria or position == first:
        return
    failing = np.logical_or.reduce([each.failing(classes.batch) for each in criteria])
    units, least = classes.batch.units, classes.suppression.least_size
    own = classes.batch.recoding_of == classes.recoding[position]
    between = own & (units >= least) & (units < classes.thresholds[position])
    if not (failing & between).any():
        return
    rows = int(classes.sizes[between].sum())
    yield Finding(
        code=THRESHOLD_BY_CRITERION,
        severity=Severity.WARNING,
        message=f"{rows:,} rows are suppressed by size because smaller classes fail "
        f"{', '.join(map(str, criteria))}: who knows the criteria can tell that one of them does",
        remedy="choose a recoding that meets the criteria at its least threshold",
        counts={"rows": rows, "threshold": int(classes.thresholds[position])},
    )
