from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Policy,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.errors import SettingsError


@pytest.mark.parametrize(
    ("limit", "rows", "budget"),
    [
        (0.01, 30_162, 301),  # Adult in PBG §7
        (0.29, 100, 29),  # 0.29 * 100 is 28.999… in binary arithmetic
        (0.07, 100, 7),  # and 0.07 * 100 is 7.000…1
        (0.1, 3, 0),
        (1.0, 7, 7),
        (0.0, 7, 0),
        (1e-20, 10**9, 0),
        (1, 100, 1),  # a whole number is rows, not everything
        (300, 100, 100),
        (10**30, 100, 100),
    ],
)
def test_the_budget_of_a_limit(limit: float, rows: int, budget: int) -> None:
    assert limited(limit).budget(rows) == budget


@given(st.integers(0, 10_000), st.integers(0, 10**10))
def test_a_fraction_is_what_its_digits_say(ten_thousandths: int, rows: int) -> None:
    limit = float(f"{ten_thousandths / 10_000:.4f}")
    assert limited(limit).budget(rows) == math.floor(Fraction(ten_thousandths, 10_000) * rows)


def test_a_fraction_from_numpy_is_a_fraction() -> None:
    limit = np.array([0.29])[0]
    assert limited(limit).budget(100) == 29


def test_policies_without_a_limit() -> None:
    assert NO_SUPPRESSION.budget(100) == 0
    assert given_k(5).budget(100) is None
    assert BELOW_WEIGHTED_K.budget(100) is None


def test_policies_and_thresholds_by_their_names_in_study_files() -> None:
    named = Suppression(policy="limit", limit=0.01, threshold="every")  # type: ignore[arg-type]
    assert named == limited(0.01, threshold=Threshold.EVERY)
    assert named.policy is Policy.LIMIT
    assert [policy.value for policy in Policy] == ["none", "limit", "given-k", "below-weighted-k"]
    assert [threshold.value for threshold in Threshold] == ["largest", "every"]


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        (-1, "out-of-range"),
        (-0.5, "out-of-range"),
        (1.5, "out-of-range"),
        (math.nan, "not-a-number"),
        (math.inf, "not-a-number"),
        (True, "not-a-number"),
        ("1 %", "not-a-number"),
    ],
)
def test_a_wrong_limit_teaches(limit: float, code: str) -> None:
    with raises(SettingsError, code=code, key="limit", found=repr(limit)):
        limited(limit)


@pytest.mark.parametrize("k", [0, -3, True, 2.0, "5"])
def test_a_wrong_k_teaches(k: int) -> None:
    with raises(SettingsError, code="out-of-range", key="k", found=repr(k)):
        given_k(k)


@pytest.mark.parametrize(
    ("settings", "code", "key", "found"),
    [
        ({"policy": "limit"}, "missing-setting", "limit", None),
        ({"policy": "none", "limit": 0.1}, "conflicting-settings", "limit", "0.1"),
        ({"policy": "given-k"}, "missing-setting", "k", None),
        ({"policy": "limit", "limit": 1, "k": 2}, "conflicting-settings", "k", "2"),
        (
            {"policy": "given-k", "k": 2, "threshold": "every"},
            "conflicting-settings",
            "threshold",
            "'every'",
        ),
        ({"policy": "some"}, "unknown-choice", "policy", "'some'"),
        (
            {"policy": "limit", "limit": 1, "threshold": "all"},
            "unknown-choice",
            "threshold",
            "'all'",
        ),
    ],
)
def test_settings_that_do_not_go_together_teach(
    settings: dict[str, object], code: str, key: str, found: str | None
) -> None:
    with raises(SettingsError, code=code, key=key, found=found):
        Suppression(**settings)  # type: ignore[arg-type]
