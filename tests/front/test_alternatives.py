"""What could be had instead of a choice: by hand, and against a plain reading on random fronts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.decisions.alternatives import Tolerance, alternatives
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.recoding.levels import Levels

if TYPE_CHECKING:
    from collections.abc import Sequence

OBJECTIVES = {
    "k": Direction.HIGHER,
    "distinct-l": Direction.HIGHER,
    "normalized-loss": Direction.LOWER,
}


def front_of(points: Sequence[tuple[float, ...]]) -> Front:
    return Front(
        objectives=OBJECTIVES,
        solutions=tuple(
            Solution(
                id=place,
                recoding=Levels.of({"age": place}),
                values=dict(zip(OBJECTIVES, point, strict=True)),
                suppressed=0,
                threshold=1,
            )
            for place, point in enumerate(points)
        ),
    )


FRONT = front_of([(2, 2, 0.10), (5, 3, 0.20), (6, 2, 0.195), (7, 3, 0.205), (12, 3, 0.29)])


def ids(solutions: Sequence[Solution]) -> list[int]:
    return [solution.id for solution in solutions]


def test_a_guessed_k_may_have_more_for_nothing() -> None:
    found = alternatives(FRONT, {"k": 4, "normalized-loss": 0.2})
    assert ids(found.at_no_cost) == [2, 1]
    assert ids(found.more_privacy) == [3]
    assert found.region is None


def test_a_solution_has_nothing_for_nothing_but_something_for_little() -> None:
    found = alternatives(FRONT, FRONT[1])
    assert found.at_no_cost == ()
    assert ids(found.more_privacy) == [3]
    assert ids(alternatives(FRONT, FRONT[1], tolerance=Tolerance(loss=0.1)).more_privacy) == [4, 3]
    # Solution 2 has a third less diversity; a tenth is the usual tolerance.
    assert found.less_loss == ()
    assert ids(alternatives(FRONT, FRONT[1], tolerance=Tolerance(privacy=0.4)).less_loss) == [2]
    assert ids(alternatives(FRONT, FRONT[1], tolerance=Tolerance(privacy=0.6)).less_loss) == [0, 2]


@given(
    points=st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 4), st.integers(0, 20)), min_size=1, max_size=12
    ),
    loss=st.integers(0, 10),
    privacy=st.integers(0, 10),
    which=st.integers(0, 11),
)
def test_it_is_the_plain_reading(
    points: list[tuple[int, int, int]], loss: int, privacy: int, which: int
) -> None:
    values = np.array([(k, ell, cells / 64) for k, ell, cells in points], dtype=np.float64)
    good = nondominated(values, tuple(OBJECTIVES.values()))
    front = front_of([tuple(row) for row in values[good].tolist()])
    chosen = front[which % len(front)]
    tolerance = Tolerance(loss=loss / 64, privacy=privacy / 16)
    found = alternatives(front, chosen, tolerance=tolerance)
    assert found.at_no_cost == ()
    for other in front:
        if other is chosen:
            continue
        gained = [other.values[n] - chosen.values[n] for n in ("k", "distinct-l")]
        added = other.values["normalized-loss"] - chosen.values["normalized-loss"]
        given_up = [
            (chosen.values[n] - other.values[n]) / chosen.values[n] for n in ("k", "distinct-l")
        ]
        assert (other in found.more_privacy) == (
            min(gained) >= 0 and max(gained) > 0 and 0 < added <= tolerance.loss
        )
        assert (other in found.less_loss) == (
            added < 0 and max(given_up) <= tolerance.privacy + 1e-12
        )


@pytest.mark.parametrize(
    ("wished", "code", "key", "found", "suggestion"),
    [
        ({"K": 5}, "unknown-objective", "wished", "'K'", "k"),
        ({}, "unknown-objective", "wished", "nothing", None),
        ({"k": math.nan}, "not-a-number", "k", "nan", None),
    ],
)
def test_bad_wishes_teach(
    wished: dict[str, float], code: str, key: str, found: str, suggestion: str | None
) -> None:
    with raises(SettingsError, code=code, key=key, found=found, suggestion=suggestion):
        alternatives(FRONT, wished)


def test_bad_tolerances_teach() -> None:
    with raises(SettingsError, code="out-of-range", key="loss", found="1.5"):
        Tolerance(loss=1.5)
