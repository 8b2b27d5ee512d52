"""What every known taxonomy offers: the way from a value up, and where the facts are from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Place(NamedTuple):
    """The labels of a value from the finest level to the coarsest, and its place in the order."""

    path: tuple[str, ...]
    rank: tuple[int | str, ...]


class Lookup(Protocol):
    """Finds the place of a value; None if the taxonomy does not know it."""

    def __call__(self, value: str, /) -> Place | None:
        """Return the place of a value."""
        ...


@dataclass(frozen=True, kw_only=True)
class Taxonomy:
    """A classification that is known beforehand, whatever values a table has.

    ``levels`` are the names of its levels, from the finest one above the values to the coarsest
    below the top. ``languages`` are those that its names can be read in, none if it reads codes.
    ``words`` are words of the names of columns that have such values. ``telling`` says whether a
    value has a shape that no value of another kind has by chance. ``sensitive`` taxonomies are of
    what people keep to themselves.
    """

    name: str
    title: str
    source: str
    levels: tuple[str, ...]
    lookups: LookupOf
    languages: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    telling: Callable[[str], bool] = bool
    sensitive: bool = False

    def lookup(self, language: str | None = None) -> Lookup:
        """Return what finds values, in one language or in all of them.

        In all of them, a name that means different things in two languages is not known.
        """
        return self.lookups(language)

    def known(self, values: Sequence[str], language: str | None = None) -> int:
        """Return how many of some values it knows."""
        find = self.lookup(language)
        return sum(find(value) is not None for value in values)

    def best_language(self, values: Sequence[str]) -> str | None:
        """Return the language that knows most of some values, None where all know as many.

        Of several that know as many it is the one in which they mean most different things.
        """
        if not self.languages:
            return None
        best = max(self.languages, key=lambda each: self._meanings(values, each))
        return best if self.known(values, best) > self.known(values) else None

    def _meanings(self, values: Sequence[str], language: str) -> tuple[int, int]:
        """Return how many values are known in a language, and how many things they mean."""
        places = [place for place in map(self.lookup(language), values) if place is not None]
        return len(places), len({place.path for place in places})


class LookupOf(Protocol):
    """Returns the lookup of a language."""

    def __call__(self, language: str | None, /) -> Lookup:
        """Return the lookup of a language, or of all."""
        ...
