"""A changed setting is what the text says then, and nothing else has changed."""

from __future__ import annotations

import copy
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import SettingsError
from sfumato.study.file.edited_text import with_setting

STUDY = """\
# A study of visits.
[source]
path = "visits.csv"

# 96 values
[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10] }  # two widths

[columns."marital status"]
role = "quasi-identifying"
[[columns."marital status".hierarchy.groups]]  # level 1
once = ["divorced", "widowed"]

[columns.diagnosis]
role = "sensitive"

[search]
objectives = ["k", "loss"]
"""


def test_comments_stay() -> None:
    edited = with_setting(STUDY, ("columns", "age", "role"), "sensitive")
    assert edited == STUDY.replace(
        'role = "quasi-identifying"\nhierarchy = { int', 'role = "sensitive"\nhierarchy = { int'
    )


def test_a_table_gives_way_to_a_value() -> None:
    edited = with_setting(STUDY, ("columns", "marital status", "hierarchy"), {"flat": True})
    said = tomllib.loads(edited)
    assert said["columns"]["marital status"]["hierarchy"] == {"flat": True}
    assert said["columns"]["diagnosis"] == {"role": "sensitive"}


def test_a_table_is_made_where_there_is_none() -> None:
    said = tomllib.loads(with_setting(STUDY, ("release", "require"), ["k>=5"]))
    assert said["release"] == {"require": ["k>=5"]}


def test_taking_out_what_is_not_there_changes_nothing() -> None:
    assert with_setting(STUDY, ("release", "require"), None) == STUDY


def test_a_setting_has_a_key() -> None:
    with pytest.raises(SettingsError) as raised:
        with_setting(STUDY, (), 1)
    assert raised.value.code == "missing-setting"


PLACES = st.sampled_from(
    [
        ("columns", "age", "role"),
        ("columns", "age", "hierarchy"),
        ("columns", "marital status", "hierarchy"),
        ("columns", "new one", "role"),
        ("search", "objectives"),
        ("release", "require"),
        ("suppression",),
    ]
)
VALUES = st.one_of(
    st.none(),
    st.integers(-9, 9),
    st.text("ab'\"\\ #=[]é\n", max_size=6),
    st.lists(st.text("xy", max_size=2), max_size=3),
    st.dictionaries(st.text("kl .", min_size=1, max_size=3), st.booleans(), max_size=2),
)


@given(st.lists(st.tuples(PLACES, VALUES), max_size=5))
def test_the_text_says_what_was_set_and_what_it_said(
    edits: list[tuple[tuple[str, ...], object]],
) -> None:
    text, wanted = STUDY, copy.deepcopy(tomllib.loads(STUDY))
    for place, value in edits:
        text = with_setting(text, place, value)  # type: ignore[arg-type]
        table = wanted
        for key in place[:-1]:
            if value is None and key not in table:
                break
            table = table.setdefault(key, {})
        else:
            if value is None:
                table.pop(place[-1], None)
            else:
                table[place[-1]] = value
    assert tomllib.loads(text) == wanted
