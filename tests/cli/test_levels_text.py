from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.cli.levels_text import read_levels, write_levels
from sfumato.errors import SettingsError

LEVELS = st.dictionaries(st.text(min_size=1), st.integers(0, 99), max_size=5)


@given(LEVELS)
@example({"a, b": 1, "c=d": 2, "it's": 3, 'say "so"': 4, " x ": 5, "back\\slash": 6})
def test_what_is_written_is_read_back(levels: dict[str, int]) -> None:
    assert read_levels(write_levels(levels)) == levels


@given(LEVELS)
def test_single_levels_take_any_name(levels: dict[str, int]) -> None:
    assert read_levels(None, [f"{name}={level}" for name, level in levels.items()]) == levels


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("age=3,sex=0", {"age": 3, "sex": 0}),
        (" age = 3 , marital status = 0 ,", {"age": 3, "marital status": 0}),
        ("\"a,b\"=1,'c=d'=2", {"a,b": 1, "c=d": 2}),
        ("age=-1", {"age": -1}),
        ("", {}),
    ],
)
def test_levels_as_people_write_them(text: str, levels: dict[str, int]) -> None:
    assert read_levels(text) == levels


@pytest.mark.parametrize(
    ("text", "single", "code", "found"),
    [
        ("age", [], "not-levels", "'age'"),
        ("age=3,=4", [], "not-levels", "'age=3,=4'"),
        ("age=high", [], "not-a-number", "'high'"),
        ("age=1.5", [], "not-a-number", "'1.5'"),
        ("age=", [], "not-a-number", "''"),
        ("age=1,age=2", [], "duplicate", None),
        ("age=1", ["age=2"], "duplicate", None),
        (None, ["age"], "not-levels", "'age'"),
    ],
)
def test_slips_teach(text: str | None, single: list[str], code: str, found: str | None) -> None:
    with raises(SettingsError, code=code, found=found):
        read_levels(text, single)
