"""What an intruder knows of a publisher's policy, for the minimality attack."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.classes.suppression import Policy
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.measures.privacy.frequency_l import FrequencyL
from sfumato.measures.risk.alpha import Alpha
from sfumato.risk.attacks.finer_groups import Publisher

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression


def publisher_of(policy: Suppression, *, rows: int) -> Publisher | None:
    """Return what a policy tells: the greatest share of a value, k, and what may be suppressed.

    None if no criterion bounds the share of a value, or if more than size decides which classes
    are suppressed: then nobody can tell which classes a finer recoding would have.

    >>> from sfumato.classes.suppression import Suppression
    >>> from sfumato.front.decisions.criterion import read_criteria
    >>> policy = Suppression(criteria=read_criteria(["k>=5", "frequency-l>=2"]))
    >>> found = publisher_of(policy, rows=100)
    >>> found.most_share, found.k, found.budget
    (Fraction(1, 2), 5, 0)
    """
    least = policy.k if policy.policy is Policy.GIVEN_K else policy.least_size
    if policy.failing or policy.policy is Policy.BELOW_WEIGHTED_K:
        return None
    if policy.policy is Policy.LIMIT and not least:
        return None
    shares = []
    for criterion in policy.criteria:
        if not isinstance(criterion, MeasureCriterion) or criterion.bound <= 0:
            continue
        bound = Fraction(repr(float(criterion.bound)))
        if isinstance(criterion.measure, FrequencyL):
            shares.append(1 / bound)
        elif isinstance(criterion.measure, Alpha):
            shares.append(bound)
    if not shares:
        return None
    budget = policy.budget(rows)
    return Publisher(
        most_share=min(shares), k=max(1, least or 0), budget=rows if budget is None else budget
    )
