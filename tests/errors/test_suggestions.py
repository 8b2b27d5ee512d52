"""The known name that was most likely meant."""

from __future__ import annotations

import pytest

from sfumato.errors.suggestions import closest, did_you_mean


@pytest.mark.parametrize(
    ("name", "meant"),
    [("age", "Age"), (" ZIP", "zip"), ("minimum_level", "minimum-level"), ("aeg", "Age")],
)
def test_case_blanks_and_underscores_make_no_difference(name: str, meant: str) -> None:
    assert closest(name, ["zip", "Age", "minimum-level"]) == meant


def test_nothing_is_suggested_for_what_is_too_different() -> None:
    assert closest("weight", ["zip", "Age"]) is None
    assert closest("weight", []) is None
    assert did_you_mean(None) == ""


def test_the_cutoff_decides_what_is_similar() -> None:
    assert closest("entropie", ["entropy-l"], cutoff=0.5) == "entropy-l"
    assert closest("entropie", ["entropy-l"], cutoff=0.9) is None
