"""The rank sum test against every way of dealing the figures out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.papers.rank_sum_test import rank_sum_test


def pairs_won(first: list[float], second: list[float]) -> float:
    """U by its definition: pairs in which the first is the greater one, ties one half."""
    return sum((a > b) + 0.5 * (a == b) for a in first for b in second)


FIGURES = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=5)


@given(first=FIGURES, second=FIGURES)
def test_it_is_the_permutation_test(first: list[float], second: list[float]) -> None:
    found = rank_sum_test(first, second)
    u = pairs_won(first, second)
    assert found.u == u
    pairs = len(first) * len(second)
    assert found.lower == pytest.approx(pairs_won(second, first) / pairs)
    together = first + second
    far = 0
    deals = list(itertools.combinations(range(len(together)), len(first)))
    for chosen in deals:
        one = [together[i] for i in chosen]
        other = [together[i] for i in range(len(together)) if i not in chosen]
        far += abs(pairs_won(one, other) - pairs / 2) >= abs(u - pairs / 2)
    assert found.p == pytest.approx(far / len(deals))


def of_u(u: int) -> tuple[list[float], list[float]]:
    """Two samples of 15 without ties whose U is as asked."""
    whole, rest = divmod(u, 15)
    second = [100.0 + i for i in range(15)]
    first = [200.0 + i if i < whole else float(i) for i in range(15)]
    if rest:
        first[14] = 99.5 + rest
    return first, second


@pytest.mark.parametrize(("u", "significant"), [(64, True), (65, False)])
def test_the_tables_of_critical_values(u: int, significant: bool) -> None:
    """Two-sided at 5 %, U of 15 and 15 is significant up to 64 (Mann and Whitney's tables)."""
    found = rank_sum_test(*of_u(u))
    assert found.u == u
    assert (found.p <= 0.05) is significant


def test_samples_that_do_not_overlap() -> None:
    first = [float(i) for i in range(15)]
    assert rank_sum_test(first, [x + 15 for x in first]).p == 2 / 155_117_520
    assert rank_sum_test(first, first).p == 1.0


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="not empty"):
        rank_sum_test([], [1.0])
