"""What some values of a column tell together: identifiers, taxonomies, spellings of one value.

They are looked at inside the engine: names, numbers and values that several rows have leave it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sfumato.engines.messages.column_profile import TaxonomyShape, Variants
from sfumato.hierarchies.taxonomies.catalogue import taxonomies
from sfumato.hierarchies.taxonomies.plain_text import spelling
from sfumato.recognition.words import column_words, tells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


MOST_LOOKED_AT = 500
KNOWN_SHARE = 0.8
"""So much of the different values a taxonomy must know to be proposed."""
TELLING_SHARE = 0.3
"""So many must have a shape that is not one by chance, unless the column's name tells it."""
MOST_COMPARED = 300
"""Misspelt values are looked for among at most so many."""
_SHORTEST = 5
_TIMES = 10


def fitting_taxonomies(
    values: Sequence[str], *, name: str, numbers: bool, complete: bool
) -> tuple[TaxonomyShape, ...]:
    """Return the taxonomies that know most of some values, the one that knows most first.

    Numbers, and codes, can be in a taxonomy by chance: there the name of the column decides.
    """
    words = column_words(name)
    found = []
    for taxonomy in taxonomies().values():
        named = tells(words, taxonomy.words)
        if numbers and not named:
            continue
        sample = values[:MOST_LOOKED_AT]
        if len(sample) < 2:
            continue
        language = taxonomy.best_language(sample)
        if taxonomy.known(sample, language) < KNOWN_SHARE * len(sample):
            continue
        if not named and sum(map(taxonomy.telling, sample)) < TELLING_SHARE * len(sample):
            continue
        looked_at = values if complete else sample
        find = taxonomy.lookup(language)
        places = [place for place in map(find, looked_at) if place is not None]
        if len(places) < 2:
            continue
        found.append(
            TaxonomyShape(
                name=taxonomy.name,
                language=language,
                looked_at=len(looked_at),
                unknown=len(looked_at) - len(places),
                complete=complete,
                blocks=tuple(
                    len({place.path[level] for place in places})
                    for level in range(len(taxonomy.levels))
                ),
            )
        )
    return tuple(sorted(found, key=lambda shape: shape.unknown))


def spelled_alike(values: Mapping[str, int]) -> Variants | None:
    """Return how many values may be others in another spelling, None if there are none.

    >>> spelled_alike({"Berlin": 90, "berlin ": 7, "Berlim": 1, "Bonn": 50})
    Variants(spellings=1, misspelt=1, rows=8)
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for value in sorted(values):
        groups[spelling(value)].append(value)
    pairs = []
    for group in groups.values():
        chief = max(group, key=lambda value: (values[value], value))
        pairs += [(chief, value) for value in group if value != chief]
    misspelt = [
        (right, wrong)
        for right, wrong in _misspelt({key: sum(map(values.get, g)) for key, g in groups.items()})  # type: ignore[arg-type]
        for right, wrong in [(groups[right][0], groups[wrong][0])]
    ]
    if not pairs and not misspelt:
        return None
    return Variants(
        spellings=len(pairs),
        misspelt=len(misspelt),
        rows=sum(values[value] for _, value in (*pairs, *misspelt)),
    )


def _misspelt(rows: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield frequent values with rare ones that are one or two letters away from them."""
    if len(rows) > MOST_COMPARED:
        return
    words = sorted(
        word for word in rows if len(word) >= _SHORTEST and not any(map(str.isdigit, word))
    )
    for wrong in words:
        near = [
            right
            for right in words
            if rows[right] >= _TIMES * rows[wrong]
            and right != wrong
            and _distance(right, wrong) <= (1 if len(right) < 2 * _SHORTEST else 2)
        ]
        if near:
            yield max(near, key=lambda right: (rows[right], right)), wrong


def _distance(a: str, b: str) -> int:
    """Return the Damerau-Levenshtein distance of neighbours that may be swapped.

    >>> _distance("bern", "brne"), _distance("kassel", "kasel")
    (2, 1)
    """
    if abs(len(a) - len(b)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        last, row = row, [i]
        for j, y in enumerate(b, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]
