from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sfumato.compare.vectors.power_product import power_product_sign

powers = st.dictionaries(st.integers(1, 60), st.integers(-6, 6), max_size=8)


@given(powers)
def test_it_is_the_sign_of_the_product_less_one(exponents: dict[int, int]) -> None:
    product = math.prod((Fraction(base) ** power for base, power in exponents.items()), start=1)
    assert power_product_sign(exponents) == (product > 1) - (product < 1)


@given(st.lists(st.integers(2, 10**6), min_size=1, max_size=4), st.integers(1, 50))
def test_a_product_against_its_factors(factors: list[int], power: int) -> None:
    exponents: dict[int, int] = {}
    for factor in factors:
        exponents[factor] = exponents.get(factor, 0) - power
    whole = math.prod(factors)
    exponents[whole] = exponents.get(whole, 0) + power
    assert power_product_sign(exponents) == 0


@given(st.integers(10**6, 10**18), st.integers(1, 10**6))
def test_neighbours_that_logarithms_cannot_tell_apart(number: int, power: int) -> None:
    assert power_product_sign({number + 1: power, number: -power}) == 1
    assert power_product_sign({number + 1: -power, number: power}) == -1
    assert power_product_sign({number * (number + 2): power, number + 1: -2 * power}) == -1


def test_a_billion_rows_whose_product_would_have_billions_of_digits() -> None:
    """Class sizes 6 and 10 against 2, 2, 3 and 5: equal, and with one row more not equal."""
    rows = 10**9 + 7
    equal = {6: rows, 10: rows + 2, 2: -(2 * rows + 2), 3: -rows, 5: -(rows + 2)}
    assert power_product_sign(equal) == 0
    assert power_product_sign({**equal, 9: 5, 3: equal[3] - 10}) == 0
    assert power_product_sign({**equal, 10**12 + 1: 1, 10**12: -1}) == 1
    assert power_product_sign({**equal, 10**12 + 1: -1, 10**12: 1}) == -1
