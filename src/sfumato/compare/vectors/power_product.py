"""Is a product of powers of integers greater than 1? Answered exactly, without the product."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ROUNDING = 4 * float(np.finfo(np.float64).eps)
_FIRST_DIGITS = 50
_GUARD_DIGITS = 8


def power_product_sign(exponents: Mapping[int, int]) -> int:
    """Return 1, 0 or -1 as the product of base ** exponent is above, equal to or below 1.

    Logarithms decide where they are clear of rounding. Where they are not, the bases are written
    in coprime factors: the product is 1 exactly if all exponents of those vanish, and otherwise
    its logarithm is not 0, so that enough digits tell its sign.

    >>> power_product_sign({6: 1, 2: -1, 3: -1}), power_product_sign({3: 3, 5: 5, 4: -8})
    (0, 1)
    """
    powers = {base: power for base, power in exponents.items() if power and base != 1}
    terms = [power * math.log(base) for base, power in powers.items()]
    total = math.fsum(terms)
    if abs(total) > _ROUNDING * math.fsum(map(abs, terms)):
        return 1 if total > 0 else -1
    factors = _coprime_factors(powers)
    factored = {f: sum(p * _multiplicity(b, f) for b, p in powers.items()) for f in factors}
    factored = {factor: power for factor, power in factored.items() if power}
    if not factored:
        return 0
    digits = _FIRST_DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            logarithms = [power * Decimal(factor).ln() for factor, power in factored.items()]
            exact = sum(logarithms, Decimal(0))
            doubt = sum(map(abs, logarithms), Decimal(0)).scaleb(_GUARD_DIGITS - digits)
            if abs(exact) > doubt:
                return 1 if exact > 0 else -1
        digits *= 2


def _coprime_factors(numbers: Iterable[int]) -> list[int]:
    """Return pairwise coprime factors that all numbers are products of (Bach, Driscoll & Shallit).

    Greatest common divisors suffice; nothing has to be factored into primes.
    """
    found: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        for position, factor in enumerate(found):
            common = math.gcd(number, factor)
            if common > 1:
                del found[position]
                if number == factor:
                    waiting.append(factor)
                else:
                    waiting += [common, factor // common, number // common]
                break
        else:
            found.append(number)
    return found


def _multiplicity(number: int, factor: int) -> int:
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return times
