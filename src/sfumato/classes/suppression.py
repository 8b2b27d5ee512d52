"""The suppression policies: which classes of a recoding are left out of the release."""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried, CountTable


class ClassCriterion(ABC):
    """A condition that a class meets or fails by itself, like k>=5; str() is its text.

    Every criterion is *inherited*: if all classes of a recoding meet it, all classes of a coarser
    one do (docs/method.md, "Criteria and their minimal recodings"), unless `not_inherited` says
    why it is not.
    """

    @abstractmethod
    def __str__(self) -> str:
        """Return the text of the criterion."""

    @abstractmethod
    def check(self, table: CountTable) -> None:
        """Refuse a table without what the criterion is about."""

    @abstractmethod
    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the class tables must carry."""

    @abstractmethod
    def failing(self, batch: ClassBatch) -> Flags:
        """Say of every class of a batch whether it fails."""

    @abstractmethod
    def not_inherited(self, table: CountTable) -> str | None:
        """Return why a coarser recoding can fail what a finer one meets; None if it cannot."""

    @abstractmethod
    def not_inherited_by_parts(self, table: CountTable) -> str | None:
        """Return why a class can fail though one of its parts does not; None if it cannot.

        Where it cannot, the rows in failing classes only ever become fewer along generalization,
        so that "it is met once at most so many rows are suppressed" is inherited too.
        """


class Policy(enum.StrEnum):
    """Which rule decides what is suppressed (docs/suppression.md)."""

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

    ``limit`` is a number of rows if it is an integer, and a fraction of them if it is a float.
    With ``criteria`` the classes that fail one of them are suppressed within the limit, and no
    others.

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
        object.__setattr__(self, "policy", _member(Policy, self.policy, "policy"))
        object.__setattr__(self, "threshold", _member(Threshold, self.threshold, "threshold"))
        object.__setattr__(self, "criteria", tuple(self.criteria))
        self._check_goes_with("limit", Policy.LIMIT, "limit=0.01 (a fraction) or limit=300 (rows)")
        self._check_goes_with("k", Policy.GIVEN_K, "a k like k=5")
        if self.threshold is Threshold.EVERY and self.policy is not Policy.LIMIT:
            raise self._conflict(
                "threshold",
                f"threshold 'every' has no meaning under suppression policy {self.policy.value!r}",
                remedy="it goes with policy='limit'",
            )
        if self.criteria:
            self._check_criteria()
        if self.limit is not None:
            self._check_limit(self.limit)
        whole = isinstance(self.k, int) and not isinstance(self.k, bool)
        if self.k is not None and not (whole and self.k >= 1):
            raise SettingsError.wrong_setting(
                "k", self.k, "a whole number from 1 up", code="out-of-range"
            )

    def _check_goes_with(self, key: str, policy: Policy, example: str) -> None:
        """Refuse a parameter without the policy that it belongs to, and the policy without it."""
        given = getattr(self, key)
        if (given is not None) == (self.policy is policy):
            return
        what = f"needs a {key}" if given is None else f"takes no {key}, got {given}"
        problem = f"suppression policy {self.policy.value!r} {what}"
        remedy = f"set policy={policy.value!r} with {example}"
        if given is None:
            raise SettingsError(problem, code="missing-setting", key=key, remedy=remedy)
        raise self._conflict(key, problem, remedy=remedy)

    def _check_criteria(self) -> None:
        problem = "criteria say which classes are suppressed"
        if self.policy in (Policy.GIVEN_K, Policy.BELOW_WEIGHTED_K):
            raise self._conflict(
                "policy",
                f"{problem}, and so does suppression policy {self.policy.value!r}, by their size",
                remedy="set policy='limit' with the most rows that may be suppressed, or 'none'",
            )
        if self.threshold is Threshold.EVERY:
            raise self._conflict(
                "threshold",
                f"{problem}, so that there is no choice of thresholds",
                remedy="leave out threshold='every'",
            )

    def _conflict(self, key: str, problem: str, *, remedy: str) -> SettingsError:
        """Return the error for a setting that does not go with the others."""
        given = shown(getattr(self, key))
        return SettingsError(
            problem, code="conflicting-settings", key=key, found=given, remedy=remedy
        )

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the criteria need."""
        return tuple(column for each in self.criteria for column in each.carries(table))

    @staticmethod
    def _check_limit(limit: float | int) -> None:
        number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if not number or (isinstance(limit, float) and not math.isfinite(limit)):
            code, remedy = "not-a-number", None
        elif isinstance(limit, float) and limit > 1:
            code = "out-of-range"
            remedy = f"a number of rows is a whole number, like {math.ceil(limit)}"
        elif limit < 0:
            code, remedy = "out-of-range", None
        else:
            return
        raise SettingsError(
            f"the suppression limit is {shown(limit)}",
            code=code,
            key="limit",
            found=shown(limit),
            expected="a fraction of the rows from 0.0 to 1.0, or a whole number of rows",
            remedy=remedy,
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


def _member(family: type[enum.StrEnum], value: str, key: str) -> enum.StrEnum:
    try:
        return family(value)
    except ValueError:
        raise SettingsError.unknown_choice(key, value, family) from None


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
