"""The measures by name: every file of this folder, and what other packages offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.measures.measure import Measure
from sfumato.plugins.class_family import ClassFamily
from sfumato.plugins.member_text import MEASURE_HINT

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
    "marketer-risk": "mean-journalist-risk",
    "beta": "beta-likeness",
    "delta-disclosure-privacy": "delta-disclosure",
    "alpha-k": "alpha",
    "average-risk": "mean-prosecutor-risk",
    "information-loss": "loss",
    "discernibility": "dm",
    "classification": "cm",
    "average-class-size": "c-avg",
}
"""What papers and other tools call our measures: only to suggest the right name."""

# Its base class is abstract, which mypy does not take for a type.
MEASURES: ClassFamily[Measure] = ClassFamily(
    noun="measure",
    kind=Measure,  # type: ignore[type-abstract]
    packages=("sfumato.measures",),
    group="sfumato.measures",
    synonyms=_SYNONYMS,
    hint=MEASURE_HINT,
)


def measure_names() -> tuple[str, ...]:
    """Return the names of all measures, also of other packages, in alphabetical order.

    >>> "weighted-k" in measure_names()
    True
    """
    return MEASURES.names()


def measure_classes() -> dict[str, type[Measure]]:
    """Return the classes of the built-in measures by name."""
    return dict(MEASURES.built_in)


def measure(text: str) -> Measure:
    """Return the measure that a text names, the inverse of ``str(measure)``.

    >>> measure("recursive-l(c=3)")
    RecursiveL(c=3.0)
    >>> str(measure("s-l(column='occupation')"))
    's-l(column=occupation)'
    """
    return MEASURES.member(text)


def every_measure(table: CountTable) -> tuple[Measure, ...]:
    """Return the built-in measures that a table supports without further settings, by name.

    A measure of another package takes part only where it is named: what is installed besides
    sfumato changes neither an evaluation nor a certificate.
    """
    return tuple(found for kind in MEASURES.built_in.values() for found in kind.variants(table))
