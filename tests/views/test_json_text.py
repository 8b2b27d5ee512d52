from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from sfumato.views.json_text import page_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
def test_it_reads_back_and_cannot_leave_its_element(value: object) -> None:
    text = page_json(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")


def test_metrics() -> None:
    assert page_json([1.0, 0.123456789, 30162.0, math.inf, -math.inf]) == (
        '[1,0.1234568,30162,"inf","-inf"]'
    )
