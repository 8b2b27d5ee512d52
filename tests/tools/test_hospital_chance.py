"""The distributions behind the hospital against what they claim, by other means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.hospital.chance import bell, doubled, happens, picks, picks_of, shares, stream


def test_the_raw_words_are_those_that_numpy_promises() -> None:
    """The words of PCG64 for the seed [1, 0]; if this fails, numpy broke its promise (NEP 19)."""
    assert stream(1, 0).random_raw(3).tolist() == [
        9441442522235856127,
        17532960557476522086,
        2659275481604167885,
    ]


def test_purposes_and_seeds_have_words_of_their_own() -> None:
    drawn = {int(stream(seed, purpose).random_raw()) for seed in range(5) for purpose in range(2)}
    assert len(drawn) == 10


def test_shares_are_the_53_high_bits() -> None:
    raw = [int(word) for word in stream(3, 0).random_raw(100)]
    assert shares(stream(3, 0), 100).tolist() == [(word >> 11) / 2**53 for word in raw]


@given(st.floats(-40, 40))
def test_doubled_is_a_power_of_two(exponent: float) -> None:
    assert doubled(np.array([exponent]))[0] == pytest.approx(2.0**exponent, rel=2e-6)


def test_bell_has_the_mean_and_deviation_of_its_name() -> None:
    drawn = bell(stream(1, 0), 40_000)
    assert abs(drawn.mean()) < 4 / math.sqrt(40_000)
    assert abs(drawn.std() - 1) < 0.02
    assert abs((drawn < 1).mean() - 0.8413) < 0.01


def test_picks_follow_their_weights() -> None:
    weights = np.array([0, 1, 3, 0, 6], dtype=np.int64)
    for drawn in (
        picks_of(stream(1, 0), 40_000, weights),
        picks(stream(1, 0), np.tile(weights, (40_000, 1))),
    ):
        found = np.bincount(drawn, minlength=5) / 40_000
        assert found[[0, 3]].tolist() == [0, 0]
        assert np.abs(found - weights / 10).max() < 0.01


def test_happens_as_often_as_said() -> None:
    assert not happens(stream(1, 0), 1000, in_1000=0).any()
    assert happens(stream(1, 0), 1000, in_1000=1000).all()
    assert abs(happens(stream(1, 0), 40_000, in_1000=100).mean() - 0.1) < 0.01
