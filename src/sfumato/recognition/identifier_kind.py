"""A kind of identifiers: what columns of it are called, and what its values look like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SIGNS = re.compile(r"[\s.\-/()']")


@dataclass(frozen=True, kw_only=True)
class IdentifierKind:
    """A kind of identifiers.

    ``title`` is what its values are in words. ``words`` are words of columns' names. ``patterns``
    are regular expressions that values match as a whole, ``check`` tests what is left of a value
    without blanks and signs. ``safe_harbor`` is its letter in the list of 45 CFR 164.514(b)(2)(i)
    (HIPAA's Safe Harbor), empty if the list does not name it. ``share`` of the different values
    must look so, since check digits are right by chance once in ten.
    """

    name: str
    title: str
    words: frozenset[str] = frozenset()
    patterns: tuple[str, ...] = ()
    check: Callable[[str], bool] | None = None
    safe_harbor: str = ""
    share: float = 0.8
    fewest: int = 3

    def fits(self, value: str) -> bool:
        """Say whether a value looks like one of the kind."""
        text = value.strip()
        if not any(pattern.fullmatch(text) for pattern in self._patterns):
            return False
        return self.check is None or self.check(_SIGNS.sub("", text).upper())

    def fits_most(self, values: Sequence[str]) -> bool:
        """Say whether enough of some different values look like the kind."""
        if len(values) < self.fewest or not self.patterns:
            return False
        return sum(map(self.fits, values)) >= self.share * len(values)

    @property
    def listed_title(self) -> str:
        """The title with its letter in the list of the Safe Harbor.

        >>> IdentifierKind(name="fax", title="fax numbers", safe_harbor="E").listed_title
        "fax numbers (E of HIPAA's Safe Harbor)"
        """
        letter = self.safe_harbor
        return f"{self.title} ({letter} of HIPAA's Safe Harbor)" if letter else self.title

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in self.patterns)
