"""The rank sum test against every way of dealing the values out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

from sfumato.papers.rank_sum_test import rank_sum_test


def pairs_won(first: list[float], second: list[float]) -> float:
    """U by its definition: pairs in which the first is the greater one, ties one half."""
    return sum((a > b) + 0.5 * (a == b) for a in first for b in second)


VALUES = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=5)


@settings(max_examples=examples(40))
@given(first=VALUES, second=VALUES)
def test_it_is_the_permutation_test(first: list[float], second: list[float]) -> None:
    found = rank_sum_test(first, second)
    u = pairs_won(first, second)
    assert found.u == u
    pairs = len(first) * len(second)
    assert found.lower == pytest.approx(pairs_won(second, first) / pairs)
    together = first + second
    least = most = 0
    deals = list(itertools.combinations(range(len(together)), len(first)))
    for chosen in deals:
        one = [together[i] for i in chosen]
        other = [together[i] for i in range(len(together)) if i not in chosen]
        least += pairs_won(one, other) <= u
        most += pairs_won(one, other) >= u
    assert found.p == pytest.approx(min(1.0, 2 * min(least, most) / len(deals)))


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
    assert rank_sum_test(first, [x + 15 for x in first]).p == pytest.approx(2 / 155_117_520)
    assert rank_sum_test(first, first).p == 1.0


def test_ties_of_samples_too_large_to_deal_out() -> None:
    """The final losses of Crossover fig. 4 at population 1,000, by their ranks: exactly 0.0421."""
    first = [1.0] * 10 + [2.0] * 3 + [3.0] * 2
    found = rank_sum_test(first, [1.0] * 15)
    assert found.u == 150
    assert found.lower == pytest.approx(1 / 3)
    assert found.p == pytest.approx(0.0421, rel=0.1)
    assert rank_sum_test(first, [1.0] * 15) == found


@pytest.mark.parametrize("first", [[], [1.0]])
def test_a_sample_of_fewer_than_two_is_refused(first: list[float]) -> None:
    with pytest.raises(ValueError, match="two or more"):
        rank_sum_test(first, [1.0, 2.0])
