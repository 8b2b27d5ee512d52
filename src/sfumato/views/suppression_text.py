"""A suppression policy in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy, Threshold
from sfumato.errors.listing import counted
from sfumato.views.written_numbers import share_text

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression


def suppression_text(suppression: Suppression, rows: int) -> str:
    """Return what a policy allows to be suppressed in a table of so many records.

    >>> from sfumato.classes.suppression import limited
    >>> suppression_text(limited(0.01), 30162)
    'at most 301 records (0.998 %), smallest classes first'
    """
    if suppression.policy is Policy.NONE:
        return "none"
    if suppression.policy is Policy.GIVEN_K:
        return f"every class of fewer than {counted(suppression.k or 0, 'record')}"
    if suppression.policy is Policy.BELOW_WEIGHTED_K:
        return "every class smaller than the weighted-k of the recoding"
    budget = suppression.budget(rows) or 0
    amount = f"at most {counted(budget, 'record')} ({share_text(budget, rows)})"
    if suppression.criteria:
        return f"classes that do not meet the criteria, {amount}"
    every = ", all thresholds within it tried" if suppression.threshold is Threshold.EVERY else ""
    return f"{amount}, smallest classes first{every}"
