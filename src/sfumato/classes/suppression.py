"""The suppression policies: which classes of a recoding are left out of the release."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.classes.class_criterion import ClassCriterion
    from sfumato.microdata.count_table import Carried, CountTable


class Policy(enum.StrEnum):
    """The four policies (docs/suppression.md)."""

    NONE = "none"
    LIMIT = "limit"
    GIVEN_K = "given-k"
    BELOW_WEIGHTED_K = "below-weighted-k"


class Threshold(enum.StrEnum):
    """Under a limit: the largest threshold within it, or every one, each a point of its own."""

    LARGEST = "largest"
    EVERY = "every"


@dataclass(frozen=True, kw_only=True)
class Suppression:
    """A suppression policy and its parameter, checked when it is made.

    ``limit`` written as an integer is a number of rows, as a float a fraction of them. With
    ``criteria`` the classes that fail one of them are suppressed within the limit, and no others.

    >>> Suppression(policy=Policy.LIMIT, limit=0.01).budget(30162)
    301
    >>> Suppression(policy=Policy.LIMIT, limit=0.29).budget(100)
    29
    """

    policy: Policy = Policy.NONE
    limit: float | int | None = None
    k: int | None = None
    threshold: Threshold = Threshold.LARGEST
    criteria: tuple[ClassCriterion, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", _member(Policy, self.policy, "suppression policy"))
        object.__setattr__(self, "threshold", _member(Threshold, self.threshold, "threshold"))
        if (self.limit is not None) != (self.policy is Policy.LIMIT):
            raise SettingsError(
                f"suppression policy {self.policy.value!r} "
                + ("needs a limit" if self.limit is None else f"takes no limit, got {self.limit}")
                + "; set policy='limit' with limit=0.01 (a fraction) or limit=300 (rows)"
            )
        if (self.k is not None) != (self.policy is Policy.GIVEN_K):
            raise SettingsError(
                f"suppression policy {self.policy.value!r} "
                + ("needs a k" if self.k is None else f"takes no k, got {self.k}")
                + "; set policy='given-k' with k=5, for example"
            )
        if self.threshold is Threshold.EVERY and self.policy is not Policy.LIMIT:
            raise SettingsError(
                f"threshold 'every' has no meaning under suppression policy "
                f"{self.policy.value!r}; it goes with policy='limit'"
            )
        object.__setattr__(self, "criteria", tuple(self.criteria))
        if self.criteria:
            self._check_criteria()
        if self.limit is not None:
            self._check_limit(self.limit)
        if self.k is not None and (
            isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1
        ):
            raise SettingsError(f"k is {self.k!r}; it must be a whole number from 1 up")

    def _check_criteria(self) -> None:
        if self.policy in (Policy.GIVEN_K, Policy.BELOW_WEIGHTED_K):
            raise SettingsError(
                f"criteria say which classes are suppressed, and so does suppression policy "
                f"{self.policy.value!r}, by their size alone; set policy='limit' with the most "
                "rows that may go, or 'none'"
            )
        if self.threshold is Threshold.EVERY:
            raise SettingsError(
                "criteria say which classes are suppressed, so that there is no choice of "
                "thresholds; leave out threshold='every'"
            )

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the criteria need."""
        return tuple(column for each in self.criteria for column in each.carries(table))

    @staticmethod
    def _check_limit(limit: float | int) -> None:
        number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if not number or (isinstance(limit, float) and not math.isfinite(limit)):
            raise SettingsError(
                f"the suppression limit is {limit!r}; give a fraction of rows from 0.0 to 1.0 or "
                "a whole number of rows"
            )
        if limit < 0:
            raise SettingsError(f"the suppression limit is {limit}; it cannot be negative")
        if isinstance(limit, float) and limit > 1:
            raise SettingsError(
                f"the suppression limit is {limit}; as a fraction it must be at most 1.0 (for a "
                f"number of rows write it as a whole number, e.g. {math.ceil(limit)})"
            )

    def budget(self, rows: int) -> int | None:
        """Return how many of ``rows`` may be suppressed, or None if the policy sets no bound.

        A fraction is taken in decimal arithmetic, as it is written.
        """
        if self.policy is Policy.NONE:
            return 0
        if self.policy is not Policy.LIMIT:
            return None
        assert self.limit is not None
        if isinstance(self.limit, int):
            return min(self.limit, rows)
        return int(
            (Decimal(repr(float(self.limit))) * rows).to_integral_value(rounding="ROUND_FLOOR")
        )


def _member(family: type[enum.StrEnum], value: str, what: str) -> enum.StrEnum:
    try:
        return family(value)
    except ValueError:
        known = ", ".join(member.value for member in family)
        raise SettingsError(f"{value!r} is no {what}; choose one of {known}") from None


NO_SUPPRESSION = Suppression()


def limited(
    limit: float | int, *, threshold: Threshold | Literal["largest", "every"] = Threshold.LARGEST
) -> Suppression:
    """Return the policy that suppresses the smallest classes within a limit.

    A float is a fraction of the rows, an integer a number of rows.
    """
    chosen = cast("Threshold", threshold)  # checked, and made one, by Suppression
    return Suppression(policy=Policy.LIMIT, limit=limit, threshold=chosen)


def given_k(k: int) -> Suppression:
    """Return the policy that suppresses every class smaller than ``k``."""
    return Suppression(policy=Policy.GIVEN_K, k=k)


BELOW_WEIGHTED_K = Suppression(policy=Policy.BELOW_WEIGHTED_K)
