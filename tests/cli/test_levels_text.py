from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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
    ("text", "single", "said"),
    [
        ("age", [], "cannot be read from 'age' on; expected 'age=3,sex=0'"),
        ("age=3,=4", [], "cannot be read from '=4' on"),
        ("age=high", [], "the level of column 'age' is 'high'; it must be a whole number"),
        ("age=1.5", [], "the level of column 'age' is '1.5'"),
        ("age=", [], "the level of column 'age' is ''"),
        ("age=1,age=2", [], "column 'age' has two levels; give it one"),
        ("age=1", ["age=2"], "column 'age' has two levels"),
        (None, ["age"], "--level 'age' has no level; expected NAME=N"),
    ],
)
def test_slips_teach(text: str | None, single: list[str], said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_levels(text, single)
    assert said in str(caught.value)
