"""Every comparator keeps the laws of comparators, and those that break one are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.compare.test_catalogue import TEXTS
from tests.testing.own_members import FirstRow

from sfumato.compare.catalogue import COMPARATORS, comparator
from sfumato.testing.comparators import (
    COMPARATOR_LAWS,
    check_comparator,
    check_never_prefers_the_dominated,
    check_prefers_the_dominating,
    numbers_of_properties,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.vectors.common_refinement import CommonRefinement

# An origin of its own does not fit all vectors that are drawn.
MEMBERS = [*(comparator(text) for text in TEXTS if "origin" not in text), FirstRow()]


@pytest.mark.parametrize("law", COMPARATOR_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_law(law: Callable[[Comparator], None], member: Comparator) -> None:
    law(member)


def test_every_comparator_is_a_member() -> None:
    assert {member.name for member in MEMBERS} == {*COMPARATORS.built_in, FirstRow.name}


def test_what_a_comparator_takes_is_found_out() -> None:
    assert numbers_of_properties(comparator("mean")) == [1]
    assert numbers_of_properties(comparator("dominance")) == [1, 2]
    assert numbers_of_properties(comparator("goal(goals=1 0.5)")) == [2]


@dataclass(frozen=True, kw_only=True)
class Biased(FirstRow):
    """Adds something to whoever comes first."""

    def values(self, pair: CommonRefinement) -> tuple[float, float]:
        first, second = super().values(pair)
        return first + 1, second


@dataclass(frozen=True, kw_only=True)
class Contrary(FirstRow):
    """Prefers the worse value."""

    def sign(self, pair: CommonRefinement) -> float:
        return -self.margin(pair)


@pytest.mark.parametrize("wrong", [Biased(), Contrary()], ids=lambda each: type(each).__name__)
def test_what_breaks_a_law_is_found(wrong: Comparator) -> None:
    with pytest.raises(AssertionError):
        check_comparator(wrong)


@pytest.mark.slow  # only many draws find the broken law
def test_laws_of_dominance_are_for_some() -> None:
    check_never_prefers_the_dominated(FirstRow())
    with pytest.raises(AssertionError):
        check_prefers_the_dominating(FirstRow())
