"""How many people of the population are in every class of a recoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.classes.key_layout import KeyLayout
    from sfumato.microdata.counted_population import CountedPopulation
    from sfumato.recoding.label_book import LabelBook

_PAIRS_AT_ONCE = 20_000_000


def people_covered(
    keys: NDArray[np.uint64],
    *,
    layout: KeyLayout,
    books: Sequence[LabelBook],
    pages: Sequence[int],
    population: CountedPopulation,
) -> Counts:
    """Return F of every class of a recoding: the people of the population whom its labels cover.

    Where labels are blocks of a partition, every combination of the population is in one class at
    most. Labels of local recodings may overlap: then a person can be covered by several classes.
    """
    labels = [book.label_of_leaf(page) for book, page in zip(books, pages, strict=True)]
    told = [each for each in labels if each is not None]
    if len(told) == len(labels):
        return _by_partition(keys, layout, told, population)
    covered = [book.covered(page) for book, page in zip(books, pages, strict=True)]
    known = [each for each in covered if each is not None]
    assert len(known) == len(covered), "a batch that lacks the originals is not asked"
    return _by_cover(keys, layout, known, population)


def _by_partition(
    keys: NDArray[np.uint64],
    layout: KeyLayout,
    labels: Sequence[Codes],
    population: CountedPopulation,
) -> Counts:
    codes = np.empty(population.codes.shape, dtype=np.int32)
    inside = np.ones(population.counts.shape[0], dtype=np.bool_)
    for q, of_leaf in enumerate(labels):
        codes[q] = of_leaf[population.codes[q]]
        inside &= codes[q] >= 0
    return _counted(keys, layout.pack(codes[:, inside]), population.counts[inside])


def _counted(keys: NDArray[np.uint64], others: NDArray[np.uint64], counts: Counts) -> Counts:
    """Add up the counts of the other keys that are equal to each key."""
    totals = np.zeros(keys.shape[0], dtype=np.int64)
    own, wanted = keys[:, 0], others[:, 0]
    if keys.shape[1] > 1:
        both = np.concatenate((keys, others))
        numbers = np.unique(both, axis=0, return_inverse=True)[1].ravel().astype(np.uint64)
        own, wanted = numbers[: keys.shape[0]], numbers[keys.shape[0] :]
    order = np.argsort(own, kind="stable")
    ranked = own[order]
    place = np.minimum(np.searchsorted(ranked, wanted), ranked.shape[0] - 1)
    hit = ranked[place] == wanted
    np.add.at(totals, order[place[hit]], counts[hit])
    return totals


def _by_cover(
    keys: NDArray[np.uint64],
    layout: KeyLayout,
    covered: Sequence[Flags],
    population: CountedPopulation,
) -> Counts:
    """Test every class against every combination, some classes at a time."""
    # The label of the suppressed rows is the last one: nobody asks whom it covers.
    by_column = [np.concatenate((flags, np.zeros_like(flags[:1]))) for flags in covered]
    found = np.zeros(keys.shape[0], dtype=np.int64)
    step = max(1, _PAIRS_AT_ONCE // max(1, population.counts.shape[0]))
    for start in range(0, keys.shape[0], step):
        some = keys[start : start + step]
        inside = np.ones((some.shape[0], population.counts.shape[0]), dtype=np.bool_)
        for q, flags in enumerate(by_column):
            labels = np.minimum(layout.unpack(some, q), flags.shape[0] - 1)
            inside &= flags[labels][:, population.codes[q]]
        found[start : start + step] = inside @ population.counts
    return found
