from __future__ import annotations

from pathlib import Path

import pytest
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.hierarchies.builders import Flat
from sfumato.hierarchies.ground_distance import EqualDistance
from sfumato.microdata.roles import (
    Attribute,
    Role,
    identifying,
    insensitive,
    quasi_identifying,
    sensitive,
)


def test_every_role_has_its_words() -> None:
    assert identifying("a") == Attribute(name="a", role=Role.IDENTIFYING)
    assert insensitive("a", label=True) == Attribute(name="a", role=Role.INSENSITIVE, label=True)
    assert sensitive("a").role is Role.SENSITIVE
    assert quasi_identifying("a", Flat(), weight=2.5).weight == 2.5
    assert Attribute(name="a", role="sensitive").role is Role.SENSITIVE  # type: ignore[arg-type]


def test_exactly_quasi_identifiers_have_a_hierarchy() -> None:
    with raises(SettingsError, code="missing-setting", column="a", key="hierarchy"):
        Attribute(name="a", role=Role.QUASI_IDENTIFYING)
    with raises(SettingsError, code="conflicting-settings", column="a", key="hierarchy"):
        Attribute(name="a", role=Role.SENSITIVE, hierarchy=Flat())


@pytest.mark.parametrize(
    ("hierarchy", "found"),
    [
        ("age.csv", "'age.csv'"),
        (Path("age.csv"), repr(Path("age.csv"))),
        (5, "5"),
        (Flat, "the class Flat"),
    ],
)
def test_what_is_not_a_hierarchy(hierarchy: object, found: str) -> None:
    with raises(SettingsError, code="not-a-hierarchy", column="age", key="hierarchy", found=found):
        quasi_identifying("age", hierarchy)  # type: ignore[arg-type]


def test_contradictions() -> None:
    with raises(SettingsError, code="conflicting-settings", column="a", key="ground_distance"):
        Attribute(name="a", role=Role.INSENSITIVE, ground_distance=EqualDistance())
    with raises(SettingsError, code="conflicting-settings", column="a", key="label"):
        Attribute(name="a", role=Role.IDENTIFYING, label=True)
    with raises(
        SettingsError,
        code="unknown-choice",
        column="a",
        key="role",
        found="'sensible'",
        expected=tuple(Role),
        suggestion="sensitive",
    ):
        Attribute(name="a", role="sensible")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", 0, None])
def test_names_are_texts(name: object) -> None:
    with raises(SettingsError, code="not-a-name", key="name", found=repr(name)):
        identifying(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), "2"])
def test_weights_are_numbers_from_zero_up(weight: float) -> None:
    with raises(SettingsError, code="out-of-range", column="a", key="weight", found=repr(weight)):
        quasi_identifying("a", Flat(), weight=weight)
