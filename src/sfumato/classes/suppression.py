"""The suppression policies: which classes of a recoding are left out of the release."""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from sfumato.arrays import plain_numbers
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

    @property
    def least_size(self) -> int | None:
        """The size from which on classes meet it, where size alone decides; else None.

        A criterion that is not about size is about sensitive values: that a class fails it is
        something that nobody may be told.
        """
        return None

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
    Suppression goes by size. A criterion about size, such as k>=5, sets the size from which on
    classes are kept; a recoding meets the ``criteria`` if all classes that it keeps do. With
    ``failing`` the classes that fail a criterion are suppressed, within the limit, and no others:
    then a class that is missing though it is large tells what its people share.

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
    failing: bool = False

    def __post_init__(self) -> None:
        plain_numbers(self)
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
        self._check_failing()
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

    def _check_failing(self) -> None:
        if not isinstance(self.failing, bool):
            raise SettingsError.wrong_setting(
                "failing", self.failing, "true or false", code="wrong-type"
            )
        if not self.failing:
            return
        problem = "with 'failing' the classes that fail a criterion are suppressed within a limit"
        if self.policy is not Policy.LIMIT:
            raise self._conflict(
                "policy",
                f"{problem}, and the suppression policy is {self.policy.value!r}",
                remedy="set policy='limit' with the most rows that may be suppressed",
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

    @property
    def least_size(self) -> int:
        """The size from which on classes meet all criteria about size; 0 without such criteria."""
        return max((each.least_size or 0 for each in self.criteria), default=0)

    @property
    def sensitive_criteria(self) -> tuple[ClassCriterion, ...]:
        """The criteria that size does not decide."""
        return tuple(each for each in self.criteria if each.least_size is None)

    @property
    def tells_of_failing(self) -> bool:
        """Whether a class may be missing because it fails a sensitive criterion."""
        return self.failing and bool(self.sensitive_criteria)

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
    limit: float | int,
    *,
    threshold: Threshold | Literal["largest", "every"] = Threshold.LARGEST,
    failing: bool = False,
) -> Suppression:
    """Return the policy that suppresses the smallest classes within a limit.

    A float is a fraction of the rows, an integer a number of rows. With ``failing`` the classes
    that fail the criteria of the study are suppressed instead, which tells of their people.
    """
    chosen = cast("Threshold", threshold)  # checked, and made one, by Suppression
    return Suppression(policy=Policy.LIMIT, limit=limit, threshold=chosen, failing=failing)


def given_k(k: int) -> Suppression:
    """Return the policy that suppresses every class smaller than ``k``."""
    return Suppression(policy=Policy.GIVEN_K, k=k)


BELOW_WEIGHTED_K = Suppression(policy=Policy.BELOW_WEIGHTED_K)
