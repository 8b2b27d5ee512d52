from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.compare.vectors.exact_sum import exact_sum

counts = st.integers(1, 10**12)


@given(st.lists(st.tuples(st.floats(-1e30, 1e30), counts), min_size=1, max_size=20))
def test_floats_are_rounded_once(terms: list[tuple[float, int]]) -> None:
    values, rows = (np.array(column) for column in zip(*terms, strict=True))
    exact = sum((Fraction(value) * count for value, count in terms), Fraction())
    assert exact_sum((values, rows)) == float(exact)


@given(st.lists(st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 9))))
def test_floats_of_any_size(terms: list[tuple[float, int]]) -> None:
    values = np.array([value for value, _ in terms], dtype=np.float64)
    rows = np.array([count for _, count in terms], dtype=np.int64)
    exact = sum((Fraction(value) * count for value, count in terms), Fraction())
    try:
        expected = float(exact)
    except OverflowError:
        expected = math.inf if exact > 0 else -math.inf
    assert exact_sum((values, rows)) == expected


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), counts), max_size=20))
def test_whole_numbers_are_exact(terms: list[tuple[int, int]]) -> None:
    values = np.array([value for value, _ in terms], dtype=np.int64)
    rows = np.array([count for _, count in terms], dtype=np.int64)
    assert exact_sum((values, rows)) == sum(value * count for value, count in terms)


def test_a_difference_that_rounding_would_hide() -> None:
    large, small = np.array([1e16, 1.0]), np.array([1e16])
    ones, one = np.array([1, 1]), np.array([1])
    assert exact_sum((large, ones)) == 1e16
    assert exact_sum((large, ones), (small, -one)) == 1.0


def test_neither_numpy_nor_fsum_of_products_would_do() -> None:
    """Three rows of 0.1 in one entry are three entries: both round the product before they add."""
    compressed = np.array([0.1, -0.3]), np.array([3, 1])
    assert exact_sum(compressed) == math.fsum([0.1, 0.1, 0.1, -0.3]) == 2.7755575615628914e-17
    assert np.dot(*compressed) == math.fsum(np.multiply(*compressed)) == 5.551115123125783e-17
