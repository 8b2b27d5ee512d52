"""What a property vector refuses, and when two of them can be compared."""

from __future__ import annotations

import math

import numpy as np
import pytest

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
    ("values", "said"),
    [
        ([], "one number for each row"),
        ([[1, 2]], "one number for each row"),
        (["a"], "one number for each row"),
        ([1.0, math.nan], "no finite number"),
        ([1.0, math.inf], "no finite number"),
    ],
)
def test_values_must_be_finite_numbers(values: list[float], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        PropertyVector.of_rows(values, name="p")


def test_the_direction_is_higher_or_lower() -> None:
    with pytest.raises(SettingsError, match="'up'; it is 'higher' or 'lower'"):
        PropertyVector.of_rows([1], name="p", direction="up")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (PropertyVector.of_rows([1, 2], name="class-size"), "has 3 rows and the other 2"),
        (PropertyVector.of_rows([1, 2, 3], name="s"), "'class-size' cannot be compared with 's'"),
        (
            PropertyVector.of_rows([1, 2, 3], name="class-size", direction="lower"),
            "higher values are better in one vector and lower ones in the other",
        ),
    ],
)
def test_what_cannot_be_compared(other: PropertyVector, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        CommonRefinement.of(A, other)


def test_what_is_no_vector_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"got a list; make one with PropertyVector\.of_rows"):
        CommonRefinement.of(A, [1, 2, 3])  # type: ignore[arg-type]


def test_sets_need_the_same_properties() -> None:
    with pytest.raises(SettingsError, match="has 2 property vectors and the other 1"):
        Dominance().compare([A, LOSS], [B])
    with pytest.raises(SettingsError, match="'class-size' cannot be compared with 'row-loss'"):
        Dominance().compare([A, LOSS], [LOSS, A])
    with pytest.raises(SettingsError, match="at least one"):
        Dominance().compare([], [])


def test_an_index_takes_one_property() -> None:
    with pytest.raises(SettingsError, match=r"compares one property and got 2.*'weighted'"):
        Coverage().compare([A, LOSS], [B, LOSS])


def test_settings_of_set_comparators() -> None:
    both = [A, LOSS], [B, LOSS]
    with pytest.raises(SettingsError, match="there are 1 weights for 2 properties"):
        Weighted(weights=(1.0,)).compare(*both)
    with pytest.raises(SettingsError, match="has 3 indices for 2 properties"):
        Weighted(indices=(Mean(), Mean(), Coverage())).compare(*both)
    with pytest.raises(SettingsError, match="each must be above 0"):
        Weighted(weights=(0.0, 1.0))
    with pytest.raises(SettingsError, match="give quality indices"):
        Weighted(indices=(Dominance(),))  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="from 0 up"):
        Lexicographic(significance=(-1.0,))
    with pytest.raises(SettingsError, match="there are 3 significances"):
        Lexicographic(significance=(0.0, 0.0, 0.0)).compare(*both)
    with pytest.raises(SettingsError, match="there are 1 goals for 2 properties"):
        Goal(goals=(1.0,)).compare(*both)
    with pytest.raises(SettingsError, match="is an index of two vectors"):
        Goal(goals=(A,)).compare(A, B)
    with pytest.raises(SettingsError, match="is a vector of 'row-loss'"):
        Goal(goals=(LOSS,), indices=(Mean(),)).compare(A, B)
    with pytest.raises(SettingsError, match="a number or a property vector"):
        Goal(goals=("x",))  # type: ignore[arg-type]


def test_differences_beyond_64_bits_are_refused() -> None:
    far = PropertyVector.of_rows([2**62, -(2**62)], name="p")
    with pytest.raises(SettingsError, match="beyond 2\\^62"):
        Coverage().compare(far, far)
