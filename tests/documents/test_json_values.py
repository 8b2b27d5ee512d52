"""One encoder for everything that is written as JSON."""

from __future__ import annotations

import enum
import json
import math
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.documents.json_values import json_value

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
)


class Colour(enum.StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Shown:
    name: str
    values: tuple[float, ...]
    inner: Shown | None = None


@given(PLAIN)
def test_every_reader_takes_it(value: object) -> None:
    text = json.dumps(json_value(value), allow_nan=False)
    assert json_value(json.loads(text)) == json_value(value)


def test_each_kind() -> None:
    shown = Shown("a", (1.5, math.inf), Shown("b", (-math.inf,)))
    assert json_value(shown) == {
        "name": "a",
        "values": [1.5, "inf"],
        "inner": {"name": "b", "values": ["-inf"], "inner": None},
    }
    assert json_value({Colour.RED: Colour.RED, 1: Path("a/b")}) == {"red": "red", "1": "a/b"}
    assert json_value([date(2026, 3, 1), time(9, 30)]) == ["2026-03-01", "09:30:00"]
    assert json_value({"b", "a"}) == ["a", "b"]
    numbers = [np.int64(3), np.float64(np.inf), np.bool_(True), np.arange(2)]
    assert json_value(numbers) == [3, "inf", True, [0, 1]]
    assert json.dumps(json_value(numbers)) == '[3, "inf", true, [0, 1]]'


@pytest.mark.parametrize("value", [math.nan, np.float64(math.nan), [math.nan]])
def test_nan_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="NaN"):
        json_value(value)


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no form in JSON"):
        json_value(object())
