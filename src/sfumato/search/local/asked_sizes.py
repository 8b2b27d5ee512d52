"""For which k local recodings are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from sfumato.errors import SettingsError
from sfumato.search.local.class_rules import class_rules
from sfumato.search.setting_checks import check_whole

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class AskedSizes:
    """The least and the largest k that recodings are made for."""

    least_k: Annotated[int, "The least k that recodings are made for."] = 2
    largest_k: Annotated[int, "The largest k that recodings are made for."] = 100

    def __post_init__(self) -> None:
        check_whole("least_k", self.least_k, least=1)
        check_whole("largest_k", self.largest_k, least=1)
        if self.least_k > self.largest_k:
            raise SettingsError.wrong_setting(
                "largest_k",
                self.largest_k,
                f"at least least_k, {self.least_k}",
                code="out-of-range",
            )


def asked_sizes(problem: Problem, asked: AskedSizes) -> tuple[int, ...]:
    """Return every k to make recodings for: a single one if k is not among the objectives."""
    criteria = class_rules(problem.table, 1, problem.suppression.criteria)[0].k
    least = max(asked.least_k, criteria)
    largest = min(max(asked.largest_k, least), problem.table.rows)
    least = min(least, largest)
    if "k" not in problem.names:
        return (least,)
    return tuple(range(least, largest + 1))
