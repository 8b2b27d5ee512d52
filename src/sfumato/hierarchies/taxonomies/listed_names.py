"""Taxonomies whose values are listed, name by name, in the files of the folder ``facts``.

The first two lines of a file are its title and its source, the third names the columns: the levels
from the coarsest to the finest, then ``codes``, which count in every language, then languages.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sfumato.hierarchies.taxonomies.plain_text import plain_text
from sfumato.hierarchies.taxonomies.taxonomy import Place, Taxonomy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.hierarchies.taxonomies.taxonomy import Lookup

_CODES = "codes"


@dataclass(frozen=True, kw_only=True)
class _Facts:
    title: str
    source: str
    levels: tuple[str, ...]
    languages: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def names(self, row: tuple[str, ...], language: str | None) -> Iterator[str]:
        """Yield what a row is called in a language, or in all of them."""
        places = range(len(self.levels), len(row))
        if language is not None:
            at = len(self.levels) + 1 + self.languages.index(language)
            places = range(at, at + 1)
            yield from row[len(self.levels)].split("|")
        for place in places:
            yield from row[place].split("|")
        yield row[len(self.levels) - 1]


@cache
def _facts(name: str) -> _Facts:
    path = files("sfumato.hierarchies.taxonomies") / "facts" / f"{name}.csv"
    title, source, *lines = path.read_text(encoding="utf-8").splitlines()
    header, *rows = csv.reader(lines, delimiter=";")
    levels = header.index(_CODES)
    return _Facts(
        title=title.removeprefix("# "),
        source=source.removeprefix("# "),
        levels=tuple(header[:levels]),
        languages=tuple(header[levels + 1 :]),
        rows=tuple(map(tuple, rows)),
    )


@cache
def _lookup(name: str, language: str | None) -> Lookup:
    facts = _facts(name)
    found: dict[str, Place | None] = {}
    for rank, row in enumerate(facts.rows):
        place = Place(path=tuple(reversed(row[: len(facts.levels)])), rank=(rank,))
        for text in facts.names(row, language):
            plain = plain_text(text)
            if plain:
                # What means different things is not known.
                found[plain] = place if found.get(plain, place) == place else None
    return lambda value: found.get(plain_text(value))


def listed_names(name: str, *, words: str) -> Taxonomy:
    """Return the taxonomy of a file of facts."""
    facts = _facts(name)
    return Taxonomy(
        name=name,
        title=facts.title,
        source=facts.source,
        levels=tuple(reversed(facts.levels)),
        languages=facts.languages,
        lookups=lambda language: _lookup(name, language),
        words=frozenset(words.split()),
    )
