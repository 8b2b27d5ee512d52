"""Spellings: what is one value to a reader, and which spelling is written."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.microdata.spelling import normal_form, one_spelling, spellings

if TYPE_CHECKING:
    import random


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


@given(st.lists(st.text("aAbB \u200b\u00e9\u0065\u0301", max_size=4), unique=True), st.randoms())
def test_one_spelling_follows_from_the_value_alone(values: list[str], rng: random.Random) -> None:
    chosen = one_spelling(values, ["Ab"])
    for value in values:
        assert chosen.get(value, value) == one_spelling([value], ["Ab"]).get(value, value)
        assert normal_form(chosen.get(value, value)) == normal_form(value)
        assert chosen.get(value, value)
    some = rng.sample(values, len(values) // 2)
    assert one_spelling(some, ["Ab"]) == {v: chosen[v] for v in some if v in chosen}
    assert len({chosen.get(v, v) for v in values}) == len({normal_form(v) for v in values})
    assert "Ab" in chosen.values() or not {"ab", "aB", "AB", " ab"} & set(values)
