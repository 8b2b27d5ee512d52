from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.front.made_front import made_front, own_metrics
from tests.raised import raises

from sfumato.errors import SettingsError, UnmetError
from sfumato.front.decisions.picking import pick, select

if TYPE_CHECKING:
    from collections.abc import Mapping

VALUES = [(1, 0.0), (4, 0.3), (8, 0.31), (16, 0.32), (64, 0.7), (256, 0.74), (1024, 1.0)]
FRONT = made_front(("k", "normalized-loss"), VALUES, suppressed=[0, 9, 3, 100, 50, 2, 0])
METRICS: list[Mapping[str, float]] = [
    {**s.values, "t": 1 - s.id / 10, "recursive-l(c=3)": float(s.id), "dm": 10.0 - s.id}
    for s in FRONT
]


def picked(rule: str) -> int:
    return pick(rule, FRONT, METRICS).solution.id


def test_picking_from_a_part_of_a_front() -> None:
    part = replace(FRONT, solutions=FRONT.solutions[2:])
    assert pick("t<=0.6", part, METRICS[2:]).solution.id == picked("t<=0.6") == 4
    assert pick("5", part, METRICS[2:]).solution.id == 5


def selected(rule: str) -> list[int]:
    return [solution.id for solution in select(rule, FRONT, METRICS)]


@pytest.mark.parametrize(
    ("rule", "id", "reason"),
    [
        ("3", 3, "solution 3: as asked"),
        ("id=3", 3, "solution 3: as asked"),
        ("k>=5", 2, "solution 2: least normalized-loss among 5 with k>=5"),
        ("k>16", 4, "solution 4: least normalized-loss among 3 with k>16"),
        ("normalized-loss<=0.5", 3, "solution 3: greatest k among 4 with normalized-loss<=0.5"),
        ("t<=0.6", 4, "solution 4: least normalized-loss among 3 with t<=0.6"),
        ("recursive-l(c=3)>=2", 2, None),
        ("recursive-l( c = 3.0 )>=2", 2, None),
        ("suppressed<=10", 6, "solution 6: greatest k among 5 with suppressed<=10"),
        ("k>=5,suppressed<=10", 2, None),
        ("k>=5 and normalized-loss<=0.7", 2, None),
        ("k>=5,k<=100,suppressed>=60", 3, None),
        ("dm<=6", 6, "solution 6: greatest k among 3 with dm<=6"),
        (
            "knee",
            3,
            "solution 3: the knee of the front, the best balance of 1/k against normalized-loss",
        ),
        (
            "k>=5,knee",
            3,
            "solution 3: the knee of the 5 solutions with k>=5, the best balance of 1/k against "
            "normalized-loss",
        ),
        ("k>=100,flat", 5, None),
    ],
)
def test_what_a_rule_picks(rule: str, id: int, reason: str | None) -> None:  # noqa: A002
    found = pick(rule, FRONT, METRICS)
    assert found.solution.id == id
    assert reason is None or found.reason == reason


def test_flat_takes_the_far_end_of_the_best_region() -> None:
    assert pick("flat", FRONT, METRICS).reason == (
        "solution 3: the far end of the flat region from k = 4 (solution 1) to k = 16, which adds "
        "2.0 percentage points of normalized-loss"
    )


@pytest.mark.parametrize(
    ("rule", "ids"),
    [
        ("k>=5", [2, 3, 4, 5, 6]),
        ("k>=5,normalized-loss<0.7", [2, 3]),
        ("flat", [1, 2, 3, 4, 5]),
        ("flat,k>=10", [3, 4, 5]),
        ("knee", [3]),
        ("5", [5]),
    ],
)
def test_what_a_rule_selects(rule: str, ids: list[int]) -> None:
    assert selected(rule) == ids


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("k>=500000", "no solution has k>=500000; the largest k is 1024 (solution 6)"),
        (
            "normalized-loss<0",
            "no solution has normalized-loss<0; the least normalized-loss is 0 (solution 0)",
        ),
        (
            "k>=50,normalized-loss<=0.4",
            "no solution has k>=50 and normalized-loss<=0.4; with normalized-loss<=0.4 the "
            "largest k is 16 (solution 3); with k>=50 the least normalized-loss is 0.7 (solution "
            "4)",
        ),
        (
            "k>=50,t<=0.1",
            "no solution has k>=50 and t<=0.1; the least t is 0.4 (solution 6)",
        ),
        ("id=2,k>=50", "solution 2 lacks k>=50; its k is 8"),
        ("k>=1000,flat", "no flat region has k>=1000; the flat regions end at solution 3, 5"),
        ("k>=100,knee", "there is no knee in the 2 solutions with k>=100"),
    ],
)
def test_what_is_not_there_is_told_with_how_near(rule: str, message: str) -> None:
    for ask in (pick, select):
        with pytest.raises(UnmetError) as caught:
            ask(rule, FRONT, METRICS)
        # What is told here is computed: how near the front comes.
        assert str(caught.value).startswith(message)


def test_rounding_does_not_hide_what_is_missing() -> None:
    front = made_front(("k", "normalized-loss"), [(2, 0.2000000001)])
    with pytest.raises(UnmetError, match=r"is 0\.2000000001 \(solution 0\)"):
        pick("normalized-loss<=0.2", front, own_metrics(front))


@pytest.mark.parametrize(
    ("rule", "code", "character", "found", "suggestion"),
    [
        ("99", "unknown-solution", None, "99", None),
        ("normalised-loss<=0.2", "unknown-metric", 1, "'normalised-loss'", "normalized-loss"),
        ("k>=5,tt<=0.2", "unknown-metric", 6, "'tt'", "t"),
        ("K>=5", "unknown-metric", 1, "'K'", "k"),
        ("banana>=5", "unknown-metric", 1, "'banana'", None),
        ("k>=1,5", "not-a-rule", 6, None, None),
        ("recursive-l(c=4)>=2", "unmeasured-metric", 1, "'recursive-l(c=4)'", None),
        ("recursive-l(d=4)>=2", "unknown-metric", 1, "'recursive-l(d=4)'", None),
        ("k>=5%", "not-a-rule", 5, None, None),
    ],
)
def test_wrong_rules(
    rule: str, code: str, character: int | None, found: str | None, suggestion: str | None
) -> None:
    with raises(SettingsError, code=code, character=character, found=found) as caught:
        pick(rule, FRONT, METRICS)
    assert caught.value.suggestion == suggestion


def test_ties_go_to_the_lowest_id() -> None:
    front = made_front(("k", "loss"), [(2, 1.0), (5, 3.0), (5, 3.0), (5, 3.0)])
    found = pick("k>=3", front, own_metrics(front))
    assert found.reason == (
        "solution 1: least loss among 3 with k>=3, the first of 3 with the same objectives"
    )


def test_later_objectives_break_ties() -> None:
    values = [(2, 5.0, 0.4), (9, 5.0, 0.5), (9, 5.0, 0.3)]
    front = made_front(("k", "loss", "t"), values)
    assert pick("k>=2", front, own_metrics(front)).solution.id == 2


def test_without_an_objective_of_the_sought_kind_the_others_decide() -> None:
    front = made_front(("k", "t"), [(2, 0.1), (5, 0.2), (9, 0.5)])
    assert pick("k>=3", front, own_metrics(front)).reason == (
        "solution 1: least t among 2 with k>=3"
    )


def test_measures_that_are_not_in_the_catalogue() -> None:
    front = made_front(("own-privacy", "own-loss"), [(1, 0.0), (2, 0.5)])
    assert pick("own-privacy>=2", front, own_metrics(front)).solution.id == 1
    assert pick("own-loss<=0.2", front, own_metrics(front)).solution.id == 0


def test_an_empty_front_and_lacking_metrics() -> None:
    with raises(UnmetError, code="empty-front"):
        pick("knee", made_front(("k", "loss"), []), [])
    with raises(SettingsError, code="wrong-length", key="metrics", found="3", expected="7"):
        pick("knee", FRONT, METRICS[:3])
    flat_less = made_front(("k", "t"), [(2, 0.1), (5, 0.2)])
    with raises(UnmetError, code="no-flat-region"):
        pick("flat", flat_less, own_metrics(flat_less))
