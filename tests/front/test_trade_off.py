from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.front.made_front import made_front, own_metrics
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.decisions.trade_off import MOST_SENTENCES, between, neighbours, trade_offs

TWO = ("k", "normalized-loss")
VALUES = [(1, 0.0), (5, 0.21), (12, 0.218), (13, 0.3), (700, 0.3004), (30162, 1.0)]


def test_the_sentences_of_the_milestones() -> None:
    front = made_front(TWO, VALUES)
    assert [each.sentence for each in trade_offs(front, own_metrics(front))] == [
        "from k = 1 to k = 5 costs 21.0 percentage points more loss",
        "from k = 5 to k = 12 costs 0.8 percentage points more loss",
        "from k = 12 to k = 700 costs 8.2 percentage points more loss",
        "from k = 700 to k = 30,162 costs 70.0 percentage points more loss",
    ]


def test_a_way_inside_a_flat_region_is_marked() -> None:
    front = made_front(TWO, VALUES)
    assert [each.flat for each in trade_offs(front, own_metrics(front))] == [
        False,
        True,
        False,
        False,
    ]


def test_small_and_other_amounts() -> None:
    front = made_front(TWO, [(1, 0.0), (2, 0.0004), (3, 0.00042), (4, 0.01042)])
    metrics = own_metrics(front)
    said = [between(front, front[n], front[n + 1], metrics).price for n in range(3)]
    assert said == [
        "costs 0.04 percentage points more loss",
        "costs less than 0.01 percentage points more loss",
        "costs 1.0 percentage point more loss",
    ]
    other = made_front(("t", "dm"), [(0.5, 100), (0.25, 1300)])
    assert trade_offs(other, own_metrics(other))[0].sentence == (
        "from t = 0.5 to t = 0.25 costs 1,200 more dm"
    )


def test_loss_in_cells_is_told_in_percent_where_it_can() -> None:
    front = made_front(("k", "loss"), [(1, 0.0), (2, 40.0)])
    assert trade_offs(front, own_metrics(front))[0].price == "costs 40 more loss"
    metrics = [{**s.values, "normalized-loss": s.values["loss"] / 200} for s in front]
    assert trade_offs(front, metrics)[0].price == "costs 20.0 percentage points more loss"


def test_infinite_privacy_and_loss() -> None:
    front = made_front(("protection", "c-avg"), [(math.inf, 1.0), (2.0, 5.0), (1.0, math.inf)])
    metrics = own_metrics(front)
    assert between(front, front[0], front[1], metrics).sentence == (
        "from protection = infinite to protection = 2 costs 4 more c-avg"
    )
    assert between(front, front[1], front[2], metrics).price == "makes c-avg infinite"


def test_neighbours() -> None:
    front = made_front(TWO, VALUES)
    around = neighbours(front, own_metrics(front))
    assert around[0].down is None
    assert around[-1].up is None
    for place, each in enumerate(around):
        assert each.up is None or (each.up.start, each.up.end) == (place, place + 1)
        assert each.down is None or (each.down.start, each.down.end) == (place - 1, place)


def test_neighbours_of_a_solution_that_is_there_for_another_objective() -> None:
    values = [(1, 0.0, 0.9), (5, 0.2, 0.9), (12, 0.3, 0.9), (4, 0.25, 0.1), (30, 0.9, 0.9)]
    front = made_front((*TWO, "t"), values)
    around = neighbours(front, own_metrics(front))[3]
    assert around.up is not None
    assert around.up.sentence == (
        "from k = 4 to k = 5 takes 5.0 percentage points off the loss, and t rises from 0.1 to 0.9"
    )
    assert around.down is not None
    assert around.down.start == 0


def test_another_loss_pays_where_no_privacy_does() -> None:
    values = [(1, 0.0, 9.0), (5, 0.2, 9.0), (4, 0.25, 1.0)]
    front = made_front((*TWO, "dm"), values)
    up = neighbours(front, own_metrics(front))[2].up
    assert up is not None
    assert up.sentence.endswith("5.0 percentage points off the loss and gives up another objective")


THREE = ("k", "distinct-l", "t", "normalized-loss")
FALLING = [
    (1, 1, 0.9, 0.0),
    (5, 3, 0.5, 0.3),
    (6, 2, 0.6, 0.301),
    (12, 2, 0.60001, 0.302),
    (24, 2, 0.4, 0.303),
    (99, 9, 0.0, 1.0),
]


def test_privacy_that_falls_is_said_and_is_no_bargain() -> None:
    front = made_front(THREE, FALLING)
    ways = [between(front, front[n], front[n + 1], own_metrics(front)) for n in range(5)]
    assert [way.sentence.partition(" more loss")[2] for way in ways] == [
        "",
        ", and distinct-l falls from 3 to 2 and t rises from 0.5 to 0.6",
        ", and t rises slightly from 0.6",
        "",
        "",
    ]
    assert [way.flat for way in ways] == [False, False, False, True, False]
    around = neighbours(front, own_metrics(front))
    assert [None if each.up is None else each.up.flat for each in around] == [
        False,
        False,
        False,
        True,
        False,
        None,
    ]
    whole = between(front, front[1], front[4], own_metrics(front))
    assert whole.sentence.endswith("more loss, and distinct-l falls from 3 to 2")
    assert not whole.flat


def test_fronts_without_a_trade_off() -> None:
    front = made_front(("k", "t"), [(1, 0.1), (2, 0.2)])
    metrics = own_metrics(front)
    assert trade_offs(front, metrics) == ()
    assert [(n.up, n.down) for n in neighbours(front, metrics)] == [(None, None)] * 2
    with raises(SettingsError, code="missing-setting", key="objectives"):
        between(front, front[0], front[1], metrics)
    single = made_front(TWO, [(3, 0.1)])
    assert trade_offs(single, own_metrics(single)) == ()


@given(
    st.sampled_from(["k", "distinct-l"]),
    st.lists(st.integers(1, 10**7), min_size=1, max_size=40, unique=True),
    st.lists(st.floats(0, 1, width=32), min_size=40, max_size=40, unique=True),
)
def test_milestones_lead_from_end_to_end(name: str, counts: list[int], losses: list[float]) -> None:
    front = made_front(
        (name, "normalized-loss"), list(zip(sorted(counts), sorted(losses), strict=False))
    )
    told = trade_offs(front, own_metrics(front))
    assert len(told) <= MOST_SENTENCES
    if len(front) > 1:
        assert (told[0].start, told[-1].end) == (0, len(front) - 1)
    assert all(one.end == other.start for one, other in pairwise(told))
    assert all(each.start < each.end for each in told)
