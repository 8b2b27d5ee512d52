from __future__ import annotations

from pathlib import Path

import pytest

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
    with pytest.raises(SettingsError, match="'a' is quasi-identifying and has no hierarchy"):
        Attribute(name="a", role=Role.QUASI_IDENTIFYING)
    with pytest.raises(SettingsError, match="'a' is sensitive and has a hierarchy"):
        Attribute(name="a", role=Role.SENSITIVE, hierarchy=Flat())


@pytest.mark.parametrize(
    ("hierarchy", "said"),
    [
        ("age.csv", r"is 'age.csv'; give read_hierarchy_csv\(…\), or a builder"),
        (Path("age.csv"), r"give read_hierarchy_csv\(…\)"),
        (5, r"is 5; give Hierarchy, or a builder such as Flat\(\)"),
        (Flat, r"is the class Flat; call it: Flat\(…\)"),
    ],
)
def test_what_is_no_hierarchy(hierarchy: object, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        quasi_identifying("age", hierarchy)  # type: ignore[arg-type]


def test_contradictions() -> None:
    with pytest.raises(SettingsError, match="only a sensitive column has a ground distance"):
        Attribute(name="a", role=Role.INSENSITIVE, ground_distance=EqualDistance())
    with pytest.raises(SettingsError, match="is identifying and cannot be the class label"):
        Attribute(name="a", role=Role.IDENTIFYING, label=True)
    with pytest.raises(SettingsError, match="'a' cannot be 'secret'; choose one of identifying, q"):
        Attribute(name="a", role="secret")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", 0, None])
def test_names_are_texts(name: object) -> None:
    with pytest.raises(SettingsError, match=f"needs a name that is a text; got {name!r}"):
        identifying(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), "2"])
def test_weights_are_numbers_from_zero_up(weight: float) -> None:
    with pytest.raises(SettingsError, match=f"weight of column 'a' is {weight!r}; it must be"):
        quasi_identifying("a", Flat(), weight=weight)
