"""How many people of the population are in every class of some recodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.counted_population import CountedPopulation

_PAIRS_AT_ONCE = 20_000_000


def population_units(batch: ClassBatch) -> Counts:
    """Return F of every class: the people of the population whom its labels cover.

    Where labels are blocks of a partition, every combination of the population is in one class at
    most. Labels of local recodings may overlap: then a person can be covered by several classes.
    """
    population = batch.table.population
    assert population is not None, "a measure of the population checks that there is one"
    found = np.zeros(batch.classes, dtype=np.int64)
    for recoding in range(batch.recodings):
        own = slice(int(batch.offsets[recoding]), int(batch.offsets[recoding + 1]))
        pages = batch.choices[recoding].tolist()
        labels = [book.label_of_leaf(page) for book, page in zip(batch.books, pages, strict=True)]
        told = [each for each in labels if each is not None]
        if len(told) == len(labels):
            found[own] = _by_partition(batch, own, told, population)
        else:
            covered = [book.covered(page) for book, page in zip(batch.books, pages, strict=True)]
            assert all(each is not None for each in covered), "lacks() says that it is not known"
            found[own] = _by_cover(
                batch, own, [each for each in covered if each is not None], population
            )
    return found


def _by_partition(
    batch: ClassBatch, own: slice, labels: Sequence[Codes], population: CountedPopulation
) -> Counts:
    codes = np.empty(population.codes.shape, dtype=np.int32)
    inside = np.ones(population.counts.shape[0], dtype=np.bool_)
    for q, of_leaf in enumerate(labels):
        codes[q] = of_leaf[population.codes[q]]
        inside &= codes[q] >= 0
    keys = batch.layout.pack(codes[:, inside])
    return _counted(batch.keys[own], keys, population.counts[inside])


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
    batch: ClassBatch, own: slice, covered: Sequence[Flags], population: CountedPopulation
) -> Counts:
    """Test every class against every combination, some classes at a time."""
    classes = own.stop - own.start
    # The label of the suppressed rows is the last one: nobody asks whom it covers.
    by_column = [np.concatenate((flags, np.zeros_like(flags[:1]))) for flags in covered]
    found = np.zeros(classes, dtype=np.int64)
    step = max(1, _PAIRS_AT_ONCE // max(1, population.counts.shape[0]))
    for start in range(0, classes, step):
        part = slice(own.start + start, min(own.start + start + step, own.stop))
        inside = np.ones((part.stop - part.start, population.counts.shape[0]), dtype=np.bool_)
        for q, flags in enumerate(by_column):
            labels = np.minimum(batch.codes(q, part), flags.shape[0] - 1)
            inside &= flags[labels][:, population.codes[q]]
        found[start : start + inside.shape[0]] = inside @ population.counts
    return found
