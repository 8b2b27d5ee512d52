"""Every measure keeps the laws of measures, and measures that break one are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pytest
from tests.testing.own_members import KeptClasses

from sfumato.measures.catalogue import MEASURES, every_measure, measure
from sfumato.measures.measure import Measure, Monotone
from sfumato.testing.measures import (
    MEASURE_LAWS,
    check_bounds,
    check_description,
    check_measure,
    check_monotone,
    check_path_independence,
    check_seen_from,
    check_values,
)
from sfumato.testing.small_tables import small_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes

# Those that need no parameter, of a table with one sensitive column, and those that need some.
MEMBERS = (
    *every_measure(small_tables()[0]),
    measure("recursive-l(c=2)"),
    measure("information-gain(column=label)"),
    measure("gain-per-anonymity(column=label)"),
    measure("level(column=q0)"),
    measure("query-error(queries=5)"),
    KeptClasses(free=2),
)


@pytest.mark.parametrize("law", MEASURE_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("member", MEMBERS, ids=str)
def test_law(law: Callable[[Measure], None], member: Measure) -> None:
    law(member)


def test_every_measure_is_a_member() -> None:
    assert {member.name for member in MEMBERS} == {*MEASURES.built_in, KeptClasses.name}


@dataclass(frozen=True, kw_only=True)
class Untrue(KeptClasses):
    """Says that it rises, and it falls."""

    monotone: ClassVar[Monotone] = Monotone.RISES


@dataclass(frozen=True, kw_only=True)
class Overrated(KeptClasses):
    """Has a bound that does not allow for suppression."""

    def evidence(self, candidates: Classes, budget: int) -> Floats:  # noqa: ARG002
        return self.evaluate(candidates).reshape(-1, 1)


@dataclass(frozen=True, kw_only=True)
class Undefined(KeptClasses):
    """Is not a number where nothing is kept."""

    def evaluate(self, candidates: Classes) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(candidates.kept_classes / candidates.kept_classes)


@dataclass(frozen=True, kw_only=True)
class Neighbourly(KeptClasses):
    """Depends on the other candidates of its batch."""

    def evaluate(self, candidates: Classes) -> Floats:
        return np.full(candidates.count, float(candidates.batch.recodings))


@dataclass(frozen=True, kw_only=True)
class Speechless(KeptClasses):
    """Has no unit."""

    unit: ClassVar[str] = ""


@dataclass(frozen=True, kw_only=True)
class Nosy(KeptClasses):
    """Looks at labels and does not say so."""

    def evaluate(self, candidates: Classes) -> Floats:
        return candidates.sum_kept(candidates.extents(0)).astype(np.float64)


@pytest.mark.parametrize(
    ("law", "wrong"),
    [
        (check_monotone, Untrue()),
        (check_bounds, Overrated()),
        (check_values, Undefined()),
        (check_path_independence, Neighbourly()),
        (check_description, Speechless()),
        (check_seen_from, Nosy()),
    ],
    ids=lambda each: getattr(each, "__name__", type(each).__name__),
)
def test_what_breaks_a_law_is_found(law: Callable[[Measure], None], wrong: Measure) -> None:
    with pytest.raises(AssertionError):
        law(wrong)


def test_all_laws_are_checked_together() -> None:
    check_measure(KeptClasses())
    with pytest.raises(AssertionError):
        check_measure(Untrue())
