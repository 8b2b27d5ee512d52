"""Swapping two anonymizations mirrors every verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compare.drawn_vectors import ONE_PROPERTY, TWO_PROPERTIES, pairs, values_of, vector

from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from sfumato.compare.comparator import Comparator

Pair = tuple[PropertyVector, PropertyVector]


def check_mirrored(there: Verdict, back: Verdict) -> None:
    assert there.outcome is back.outcome.mirrored
    assert (there.first, there.second) == (back.second, back.first)
    assert there.margin == -back.margin
    assert there.better is back.better
    assert there.comparator == back.comparator
    if there.outcome in (Outcome.BETTER, Outcome.WORSE):
        assert there.sentence == back.sentence
        winner = "A is" if there.outcome is Outcome.BETTER else "B is"
        assert there.sentence.startswith(winner)


@pytest.mark.parametrize("comparator", ONE_PROPERTY, ids=str)
@given(pair=pairs())
def test_of_one_property(comparator: Comparator, pair: Pair) -> None:
    there, back = comparator.compare(*pair), comparator.compare(*pair[::-1])
    check_mirrored(there, back)
    itself = comparator.compare(pair[0], pair[0])
    assert itself.outcome is Outcome.EQUAL
    assert itself.first == itself.second
    assert itself.margin == 0


@pytest.mark.parametrize("comparator", TWO_PROPERTIES, ids=str)
@given(data=st.data())
def test_of_two_properties(comparator: Comparator, data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 6))
    sets: list[list[PropertyVector]] = [[], []]
    for name in ("p", "q"):
        direction = data.draw(st.sampled_from(["higher", "lower"]))
        for side, label in zip(sets, "AB", strict=True):
            values = data.draw(values_of(rows))
            side.append(vector(values, direction=direction, name=name, label=label))
    there, back = comparator.compare(*sets), comparator.compare(*sets[::-1])
    check_mirrored(there, back)
    assert comparator.compare(sets[0], sets[0]).outcome is Outcome.EQUAL


@given(pairs())
def test_a_better_index_value_wins(pair: Pair) -> None:
    for comparator in ONE_PROPERTY:
        verdict = comparator.compare(*pair)
        if verdict.first == verdict.second or verdict.outcome is Outcome.INCOMPARABLE:
            continue
        higher_wins = verdict.better.value == "higher"
        if verdict.outcome is not Outcome.EQUAL:
            assert (verdict.outcome is Outcome.BETTER) == (
                (verdict.first > verdict.second) == higher_wins
            )
        assert (verdict.margin > 0) == ((verdict.first > verdict.second) == higher_wins)
