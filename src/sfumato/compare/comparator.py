"""What a comparator is: a way to say which of two anonymizations is better."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome
from sfumato.plugins.member_text import write_measure

if TYPE_CHECKING:
    from sfumato.compare.vectors.common_refinement import CommonRefinement, Vectors
    from sfumato.compare.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Comparator(ABC):
    """A ▶-better relation on property vectors or sets of them (Comparison §§3-5).

    Instances are frozen dataclasses whose fields are parameters; swapping the two anonymizations
    mirrors the verdict. A subclass is a file of its own in ``indices`` or ``comparators``.
    """

    name: ClassVar[str]
    reference: ClassVar[str]

    def __str__(self) -> str:
        said = {
            field.name: _said(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }
        return write_measure(self.name, said)

    @abstractmethod
    def compare(self, first: Vectors, second: Vectors) -> Verdict:
        """Say whether the first anonymization is better than the second."""


def _said(value: object) -> object:
    """Return a parameter as texts write it: several values are separated by spaces."""
    if isinstance(value, tuple):
        return " ".join(str(_said(each)).removesuffix(".0") for each in value)
    return f"vector of {value.name}" if isinstance(value, PropertyVector) else value


def labels(pair: CommonRefinement) -> tuple[str, str]:
    """Return what sentences call the two anonymizations."""
    first, second = pair.first.label, pair.second.label
    return (first, second) if first and second and first != second else ("the first", "the second")


def judged(pair: CommonRefinement, outcome: Outcome, by: str) -> str:
    """Return the first half of a sentence: who is better, the winner named first."""
    first, second = labels(pair)
    if outcome is Outcome.EQUAL:
        return f"{first} and {second} are equally good by {by}"
    if outcome is Outcome.INCOMPARABLE:
        return f"{first} and {second} are incomparable by {by}"
    winner, loser = (first, second) if outcome is Outcome.BETTER else (second, first)
    return f"{winner} is better than {loser} by {by}"


def number_text(value: float) -> str:
    """Return a number as sentences write it.

    >>> number_text(30162), number_text(3.4), number_text(0.123456), number_text(94509.7)
    ('30,162', '3.4', '0.1235', '94,510')
    """
    large = abs(value) >= 1000 and math.isfinite(value)
    return f"{value:,.0f}" if large or float(value).is_integer() else f"{value:,.4g}"


def against_text(better: float, other: float) -> str:
    """Return how two values end a sentence, the better one first.

    >>> against_text(4, 3.5), against_text(3, 3)
    ('4, against 3.5', '3 in both')
    """
    if better == other:
        return f"{number_text(better)} in both"
    return f"{number_text(better)}, against {number_text(other)}"


def with_article(words: str) -> str:
    """Return words with the indefinite article.

    >>> with_article("class size"), with_article("own value count")
    ('a class size', 'an own value count')
    """
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def share_text(part: float) -> str:
    """Return a share as sentences write it: 0 and 100 % only where they are exact.

    >>> share_text(0.3), share_text(1.0), share_text(0.99999)
    ('30.0 %', '100 %', '> 99.9 %')
    """
    if part in (0, 1):
        return f"{100 * part:.0f} %"
    if part > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if part < 0.001 else f"{100 * part:.1f} %"
