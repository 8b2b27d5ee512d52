"""The natural order of texts that are all numbers or all dates."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.domains.exact_number import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def natural_order(values: Sequence[str]) -> NDArray[np.intp] | None:
    """Return the places of numbers or ISO dates in ascending order, None if there is none.

    >>> natural_order(["10", "9"]).tolist(), natural_order(["ten", "9"])
    ([1, 0], None)
    """
    keys = _natural_keys(values)
    if keys is None or len(set(keys)) < len(keys):
        return None
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)


def _natural_keys(values: Sequence[str]) -> list[Decimal] | None:
    numbers = [number for number in map(parse_number, values) if number is not None]
    if len(numbers) == len(values):
        return numbers
    if numbers:
        return None
    try:
        return [Decimal(date.fromisoformat(value).toordinal()) for value in values]
    except ValueError:
        return None
