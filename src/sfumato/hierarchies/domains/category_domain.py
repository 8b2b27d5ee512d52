"""Domains whose leaves are texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.domains.exact_number import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from sfumato.arrays import Codes

_LEADING_ZERO = re.compile(r"\s*[+-]?0[0-9]")


@dataclass(frozen=True, kw_only=True)
class CategoryDomain:
    """Leaves that are texts, found by exact match.

    With ``ordered=True`` the texts are numbers or dates in their natural order, and a value that
    is not a leaf as a text but equals one as a number is found too. A leaf with a leading zero is a
    code ("01234"), which only its own text finds.

    >>> domain = CategoryDomain(values=("17", "18", "19"), ordered=True)
    >>> domain.locate(["18", "18.0", "eighteen"])
    array([ 1,  1, -1], dtype=int32)
    """

    values: tuple[str, ...]
    ordered: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if not self.values:
            raise HierarchyError(
                code="no-values", key="values", found="empty", expected="at least one value"
            )
        if len(self._position) < len(self.values):
            repeated = [value for value, times in Counter(self.values).items() if times > 1]
            raise HierarchyError(
                f"{counted(len(repeated), 'value')} of the domain came more than once: "
                f"{listed(repeated)}",
                code="duplicate",
                key="values",
                found=listed(repeated),
                remedy="list every value once",
            )

    @property
    def leaves(self) -> tuple[str, ...]:
        """The values, in order."""
        return self.values

    def locate(self, values: Sequence[str]) -> Codes:
        """Return the leaf of every value, -1 where it is not in the domain."""
        position = self._position
        codes = np.fromiter((position.get(value, -1) for value in values), np.int32, len(values))
        if self.ordered:
            for index in np.flatnonzero(codes < 0).tolist():
                number = parse_number(values[index])
                if number is not None:
                    codes[index] = self._position_of_number.get(number, -1)
        return codes

    @cached_property
    def _position(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    @cached_property
    def _position_of_number(self) -> dict[Decimal, int]:
        positions: dict[Decimal, int] = {}
        for code, value in enumerate(self.values):
            number = None if _LEADING_ZERO.match(value) else parse_number(value)
            if number is not None:
                # Two spellings of one number leave a third spelling undecided.
                positions[number] = -1 if number in positions else code
        return positions
