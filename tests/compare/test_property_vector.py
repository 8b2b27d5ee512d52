"""What a property vector refuses, and when two of them can be compared."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.raised import raises

from sfumato.compare.comparators.dominance import Dominance
from sfumato.compare.comparators.goal import Goal
from sfumato.compare.comparators.lexicographic import Lexicographic
from sfumato.compare.comparators.weighted import Weighted
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.mean import Mean
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError

A = PropertyVector.of_rows([1, 2, 3], name="class-size")
B = PropertyVector.of_rows([3, 2, 1], name="class-size")
LOSS = PropertyVector.of_rows([0.5, 0.5, 0.5], name="row-loss", direction="lower")


def test_rows_are_kept_as_they_are() -> None:
    values = np.array([1, 2, 3])
    vector = PropertyVector.of_rows(values, name="p")
    values[0] = 9
    assert vector.expanded().tolist() == [1, 2, 3]
    assert not vector.values.flags.writeable
    assert vector.rows == 3
    assert vector.whole
    assert PropertyVector.of_rows([1.0, 2], name="p").whole is False


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([], "wrong-type"),
        ([[1, 2]], "wrong-type"),
        (["a"], "wrong-type"),
        ([1.0, math.nan], "not-a-number"),
        ([1.0, math.inf], "not-a-number"),
    ],
)
def test_values_must_be_finite_numbers(values: list[float], code: str) -> None:
    with raises(SettingsError, code=code):
        PropertyVector.of_rows(values, name="p")


def test_the_direction_is_higher_or_lower() -> None:
    with raises(SettingsError, code="unknown-choice", key="direction", found="'up'"):
        PropertyVector.of_rows([1], name="p", direction="up")


@pytest.mark.parametrize(
    ("other", "code", "found"),
    [
        (PropertyVector.of_rows([1, 2], name="class-size"), "other-rows", "3 and 2"),
        (PropertyVector.of_rows([1, 2, 3], name="s"), "other-property", "'s'"),
        (
            PropertyVector.of_rows([1, 2, 3], name="class-size", direction="lower"),
            "conflicting-settings",
            "'lower'",
        ),
    ],
)
def test_what_cannot_be_compared(other: PropertyVector, code: str, found: str) -> None:
    with raises(SettingsError, code=code, found=found):
        CommonRefinement.of(A, other)


def test_what_is_no_vector_is_refused() -> None:
    with raises(SettingsError, code="wrong-type", found="a list"):
        CommonRefinement.of(A, [1, 2, 3])  # type: ignore[arg-type]


def test_sets_need_the_same_properties() -> None:
    with raises(SettingsError, code="wrong-length", found="2 and 1"):
        Dominance().compare([A, LOSS], [B])
    with raises(SettingsError, code="other-property", found="'row-loss'"):
        Dominance().compare([A, LOSS], [LOSS, A])
    with raises(SettingsError, code="wrong-length", found="0 and 0"):
        Dominance().compare([], [])


def test_an_index_takes_one_property() -> None:
    with raises(SettingsError, code="several-properties", found="'class-size', 'row-loss'"):
        Coverage().compare([A, LOSS], [B, LOSS])


def test_settings_of_set_comparators() -> None:
    both = [A, LOSS], [B, LOSS]
    with raises(SettingsError, code="wrong-length", found="1"):
        Weighted(weights=(1.0,)).compare(*both)
    with raises(SettingsError, code="wrong-length", found="3"):
        Weighted(indices=(Mean(), Mean(), Coverage())).compare(*both)
    with raises(SettingsError, code="out-of-range", found="0, 1"):
        Weighted(weights=(0.0, 1.0))
    with raises(SettingsError, code="not-an-index", found="a Dominance"):
        Weighted(indices=(Dominance(),))  # type: ignore[arg-type]
    with raises(SettingsError, code="out-of-range", found="-1"):
        Lexicographic(significance=(-1.0,))
    with raises(SettingsError, code="wrong-length", found="3"):
        Lexicographic(significance=(0.0, 0.0, 0.0)).compare(*both)
    with raises(SettingsError, code="wrong-length", found="1"):
        Goal(goals=(1.0,)).compare(*both)
    with raises(SettingsError, code="conflicting-settings", found="'coverage'"):
        Goal(goals=(A,)).compare(A, B)
    with raises(SettingsError, code="other-property", found="'row-loss'"):
        Goal(goals=(LOSS,), indices=(Mean(),)).compare(A, B)
    with raises(SettingsError, code="wrong-type", found="'x'"):
        Goal(goals=("x",))  # type: ignore[arg-type]


def test_differences_beyond_64_bits_are_refused() -> None:
    far = PropertyVector.of_rows([2**62, -(2**62)], name="p")
    with raises(SettingsError, code="out-of-range"):
        Coverage().compare(far, far)
