"""The TOML that is written is the TOML that is read: `tomllib` is the judge."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, time
from typing import TYPE_CHECKING, cast

from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.study.file.toml_text import document_text, key_text, value_text

if TYPE_CHECKING:
    from sfumato.study.file.toml_text import TomlValue

# A TOML text holds Unicode scalar values only.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = (
    TEXTS
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.dates()
    | st.times()
    | st.datetimes()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_what_is_written_is_read_back(document: dict[str, TomlValue]) -> None:
    assert tomllib.loads(document_text(document)) == document


@given(TEXTS, VALUES)
def test_a_value_stands_on_one_line(key: str, value: TomlValue) -> None:
    line = f"{key_text(key)} = {value_text(value)}"
    assert "\n" not in line
    assert tomllib.loads(line) == {key: value}


def test_not_a_number_stays_one() -> None:
    assert value_text(float("nan")) == "nan"
    assert value_text([float("inf"), float("-inf")]) == "[inf, -inf]"


def test_types_are_kept_apart() -> None:
    values: dict[str, TomlValue] = {"whole": 1, "real": 1.0, "flag": True}
    read = tomllib.loads(document_text(values))
    assert {name: type(value) for name, value in read.items()} == {
        "whole": int,
        "real": float,
        "flag": bool,
    }
    times: dict[str, TomlValue] = {"a": date(1998, 3, 14), "b": datetime(1998, 3, 14), "c": time(1)}
    assert tomllib.loads(document_text(times)) == times


def test_a_document_looks_as_a_person_would_write_it() -> None:
    document: dict[str, TomlValue] = {
        "source": {"path": "a.csv"},
        "columns": {
            "age": {"role": "quasi-identifying", "hierarchy": {"intervals": [5, 10]}},
            "marital status": {"role": "sensitive"},
        },
        "missing": {},
    }
    assert document_text(document) == (
        '[source]\npath = "a.csv"\n\n'
        '[columns.age]\nrole = "quasi-identifying"\nhierarchy = { intervals = [5, 10] }\n\n'
        '[columns."marital status"]\nrole = "sensitive"\n\n'
        "[missing]\n"
    )


def test_what_toml_cannot_hold_is_refused() -> None:
    with raises(SettingsError, code="wrong-type", found="None"):
        value_text(cast("TomlValue", None))
