"""The properties and comparators by name: every file of their folders, and of other packages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.compare.comparator import Comparator
from sfumato.compare.properties.property import Property
from sfumato.compare.quality_index import QualityIndex
from sfumato.errors import SettingsError
from sfumato.plugins.class_family import ClassFamily
from sfumato.plugins.parameters import PLAIN_READERS, Reader

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable


_SPACE = re.compile(r"\s+(?![^(]*\))")
"""A space that is not inside parentheses, where parameters of an index stand."""


def _indices(text: str) -> tuple[QualityIndex, ...]:
    return tuple(_index(part) for part in _SPACE.split(text.strip()))


def _index(text: str) -> QualityIndex:
    found = comparator(text)
    if not isinstance(found, QualityIndex):
        raise SettingsError(
            f"{text!r} compares sets of properties and is not an index of a single one",
            code="not-an-index",
            found=repr(text),
            expected=index_names(),
        )
    return found


# Their base classes are abstract, which mypy does not take for a type.
PROPERTIES: ClassFamily[Property] = ClassFamily(
    noun="property",
    kind=Property,  # type: ignore[type-abstract]
    packages=("sfumato.compare.properties",),
    group="sfumato.properties",
)
COMPARATORS: ClassFamily[Comparator] = ClassFamily(
    noun="comparator",
    kind=Comparator,  # type: ignore[type-abstract]
    packages=("sfumato.compare.indices", "sfumato.compare.comparators"),
    group="sfumato.comparators",
    readers={
        **PLAIN_READERS,
        "tuple[QualityIndex, ...]": Reader(
            read=_indices, what="names of indices separated by spaces"
        ),
        "tuple[float | PropertyVector, ...]": PLAIN_READERS["tuple[float, ...]"],
    },
)


def property_names() -> tuple[str, ...]:
    """Return the names of all properties, also of other packages, in alphabetical order.

    >>> "class-size" in property_names()
    True
    """
    return PROPERTIES.names()


def property_named(text: str) -> Property:
    """Return the property that a text names, the inverse of ``str(property)``.

    >>> property_named("own-value-count(column='marital status')")
    OwnValueCount(column='marital status')
    """
    return PROPERTIES.member(text)


def every_property(table: CountTable) -> tuple[Property, ...]:
    """Return the built-in properties that a table supports without further settings, by name."""
    return tuple(found for kind in PROPERTIES.built_in.values() for found in kind.variants(table))


def comparator_names() -> tuple[str, ...]:
    """Return the names of all comparators, also of other packages, in alphabetical order.

    >>> "coverage" in comparator_names(), "weighted" in comparator_names()
    (True, True)
    """
    return COMPARATORS.names()


def index_names() -> tuple[str, ...]:
    """Return the names of the built-in quality indices: the comparators of one property."""
    return tuple(
        name for name, kind in COMPARATORS.built_in.items() if issubclass(kind, QualityIndex)
    )


def comparator(text: str) -> Comparator:
    """Return the comparator that a text names, the inverse of ``str(comparator)``.

    >>> comparator("rank(tolerance=2, point=10)")
    Rank(tolerance=2.0, point=10.0)
    >>> str(comparator("weighted(weights=0.3 0.7, indices=spread)"))
    'weighted(weights=0.3 0.7, indices=spread)'
    """
    return COMPARATORS.member(text)
