"""The measures by name: every file of this folder is found, no list is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.measures.measure import Measure
from sfumato.plugins.member_text import MEASURE_HINT
from sfumato.plugins.named_family import NamedFamily

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable

_SYNONYMS = {
    "k-anonymity": "k",
    "l": "distinct-l",
    "l-diversity": "distinct-l",
    "entropy-l-diversity": "entropy-l",
    "t-closeness": "t",
    "p-sensitive-k-anonymity": "p-sensitive",
    "glm": "loss",
    "information-loss": "loss",
    "discernibility": "dm",
    "classification": "cm",
    "average-class-size": "c-avg",
}
"""What papers and other tools call our measures: only to suggest the right name."""

# Its base class is abstract, which mypy does not take for a type.
_MEASURES: NamedFamily[Measure] = NamedFamily(
    noun="measure",
    kind=Measure,  # type: ignore[type-abstract]
    packages=("sfumato.measures",),
    synonyms=_SYNONYMS,
    hint=MEASURE_HINT,
    listing="the measures are",
)


def measure_names() -> tuple[str, ...]:
    """Return the names of all measures, in alphabetical order.

    >>> "weighted-k" in measure_names()
    True
    """
    return tuple(_MEASURES.classes)


def measure_classes() -> dict[str, type[Measure]]:
    """Return the classes of all measures by name."""
    return dict(_MEASURES.classes)


def measure(text: str) -> Measure:
    """Return the measure that a text names, the inverse of ``str(measure)``.

    >>> measure("recursive-l(c=3)")
    RecursiveL(c=3.0)
    >>> str(measure("s-l(column='occupation')"))
    's-l(column=occupation)'
    """
    return _MEASURES.member(text)


def every_measure(table: CountTable) -> tuple[Measure, ...]:
    """Return all measures that a table supports without further settings, by name."""
    return tuple(found for kind in _MEASURES.classes.values() for found in kind.variants(table))
