"""Spellings: what is one value to a reader, and which spelling is written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.microdata.spelling import normal_form, one_spelling, spellings


@pytest.mark.parametrize(
    "variant",
    [
        "FLU a",
        " flu a ",
        "flu  a",
        "flu\u00a0a",
        "flu\ta",
        "fl\u200bu a",
        "\ufeffflu a",
        "f\u00adlu a",
        "\uff46lu a",
        "flu a\ufe0f",
    ],
)
def test_variants_of_one_value(variant: str) -> None:
    assert normal_form(variant) == "flu a"


def test_what_a_reader_tells_apart_stays_apart() -> None:
    assert spellings(["flu", "flue", "flu-a", "flu a", "f.lu"]) == ()


@given(st.text(max_size=20))
def test_forms_of_unicode_are_one(text: str) -> None:
    forms = {normal_form(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC")}
    assert forms == {normal_form(text)}
    assert normal_form(f" {text}\u200b ") == normal_form(text)


@given(st.dictionaries(st.text("aAbB \u200b\u00e9\u0065\u0301", max_size=4), st.integers(1, 5)))
def test_one_spelling_is_the_most_frequent(rows: dict[str, int]) -> None:
    chosen = one_spelling(rows)
    for value in rows:
        group = [other for other in rows if normal_form(other) == normal_form(value)]
        most = max(rows[other] for other in group)
        wanted = min(other for other in group if rows[other] == most)
        assert chosen.get(value, value) == wanted
    assert not set(chosen) & set(chosen.values())
