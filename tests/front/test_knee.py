from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.front.made_front import made_front

from sfumato.front.decisions.knee import balances, knee

if TYPE_CHECKING:
    from collections.abc import Sequence

TWO = ("k", "normalized-loss")


def knee_id(names: tuple[str, ...], values: Sequence[Sequence[float]]) -> int | None:
    found = knee(made_front(names, values))
    return None if found is None else found.id


def test_the_farthest_from_the_line_between_the_extremes() -> None:
    # By hand on the risk scale: gains of k are 0, 1/2, 4/5, 9/10, 1 over 0 to 1 - 1/1000.
    values = [(1, 0.0), (2, 0.2), (5, 0.25), (10, 0.5), (1000, 1.0)]
    assert knee_id(TWO, values) == 2


def test_it_is_the_distance_by_geometry() -> None:
    rng = random.Random(5)
    for _ in range(50):
        loss = sorted(rng.random() for _ in range(12))
        privacy = sorted(rng.randint(1, 10**6) for _ in range(12))
        if len(set(privacy)) < 12:
            continue
        points = [(-1 / k, value) for k, value in zip(privacy, loss, strict=True)]
        (x1, y1), (x2, y2) = points[0], points[-1]
        scaled = [((x - x1) / (x2 - x1), (y - y1) / (y2 - y1)) for x, y in points]
        # The line runs from (0, 0) to (1, 1); better lies to its right and below.
        distances = [(x - y) / math.sqrt(2) for x, y in scaled]
        best = max(distances)
        expected = distances.index(best) if best > 1e-9 else None
        assert knee_id(TWO, list(zip(privacy, loss, strict=True))) == expected


def test_a_logarithm_would_favour_the_far_end() -> None:
    """Adult's front in short: the step to 9,782 is worth little to anyone, and costs much."""
    values = [(1, 0.0), (3, 0.219), (10, 0.32), (43, 0.444), (3516, 0.781), (9782, 0.875)]
    assert knee_id(TWO, [*values, (30162, 1.0)]) == 2


def test_linear_metrics_keep_their_scale() -> None:
    assert knee_id(("distinct-l", "normalized-loss"), [(1, 0.0), (4, 0.2), (5, 1.0)]) == 1
    assert knee_id(("t", "loss"), [(0.1, 100.0), (0.2, 10.0), (0.9, 0.0)]) == 1


def test_a_front_below_the_line_has_none() -> None:
    assert knee_id(TWO, [(1, 0.0), (2, 0.9), (1000, 1.0)]) is None
    assert knee_id(TWO, [(1, 0.0), (1000, 1.0)]) is None


def test_degenerate_fronts() -> None:
    assert knee_id(TWO, []) is None
    assert knee_id(TWO, [(4, 0.3)]) == 0
    assert knee_id(TWO, [(4, 0.3), (4, 0.3)]) == 0
    constant = [(1, 0.0, 5.0), (4, 0.2, 5.0), (50, 1.0, 5.0)]
    assert knee_id((*TWO, "height"), constant) == knee_id(TWO, [row[:2] for row in constant])


def test_infinite_values_count_as_the_worst_finite_one() -> None:
    values = [(math.inf, 0.0), (9.0, 0.05), (2.0, 0.1), (1.0, 1.0)]
    assert knee_id(("protection", "normalized-loss"), values) == 2
    assert knee_id(("protection", "normalized-loss"), [(math.inf, 0.0), (1.0, 1.0)]) is None


def test_ties_go_to_the_lowest_id() -> None:
    values = [(1, 0.0), (4, 0.2), (4, 0.2), (100, 1.0)]
    assert knee_id(TWO, values) == 1


def test_objectives_that_say_the_same_do_not_outvote_the_loss() -> None:
    values = [(1.0, 0.0), (2.0, 0.2), (5.0, 0.25), (10.0, 0.5), (1000.0, 1.0)]
    three = [(k, k, loss) for k, loss in values]
    assert knee_id(("k", "weighted-k", "normalized-loss"), three) == knee_id(TWO, values)


def test_one_kind_of_objectives_is_weighed_one_by_one() -> None:
    values = [(0.0, 10.0, 3.0), (2.0, 2.0, 3.0), (10.0, 0.0, 3.0), (10.0, 10.0, 0.0)]
    assert knee_id(("gl", "sl", "height"), values) == 1


def test_among_some_solutions_the_scale_is_theirs() -> None:
    front = made_front(TWO, [(1, 0.0), (5, 0.25), (6, 0.4), (20, 0.45), (1000, 1.0)])
    assert knee(front) == front[1]
    assert knee(front, among=front.solutions[1:]) == front[3]


@given(
    st.lists(st.tuples(st.integers(1, 10**6), st.floats(0, 1, width=32)), min_size=1, max_size=30)
)
def test_no_solution_is_better_balanced(values: list[tuple[int, float]]) -> None:
    front = made_front(TWO, values)
    found = knee(front)
    balance = balances(front)
    if found is None:
        assert max(balance) <= 1 + 1e-9
    else:
        assert balance[found.id] >= max(balance) - 1e-9
