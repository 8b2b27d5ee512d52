"""Whom the labels of a class cover: classes against combinations of known values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SourceError, located
from sfumato.risk.linking_labels import label_runs, shown_labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues

PAIRS_AT_ONCE = 20_000_000
NOBODY = -1
SEVERAL = -2


def leaves_covered(
    names: Sequence[str],
    texts: Sequence[Sequence[str | None]],
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
) -> dict[str, Flags]:
    """Return which leaves every cell text of a column covers, for the columns with hierarchies."""
    shared = [name for name in names if name in hierarchies]
    if not shared:
        raise SourceError(
            "a release shares no quasi-identifier with what is known of people",
            code="no-quasi-identifier",
            expected=tuple(hierarchies),
        )
    found = {}
    for name in shared:
        hierarchy = hierarchies[name]
        own = texts[list(names).index(name)]
        with located(column=name):
            shown = shown_labels(list(own), hierarchy, missing=missing)
        labels = sorted(set(shown.values()))
        by_label = {label: np.zeros(hierarchy.leaf_count, dtype=np.bool_) for label in labels}
        for label, first, last in label_runs(labels, hierarchy):
            by_label[label][max(first, 0) : last + 1] = True
        found[name] = np.stack([by_label[shown[text]] for text in own])
    return found


def agreeing(
    names: Sequence[str],
    labels: Codes,
    covers: Mapping[str, Flags],
    known: Codes,
    hierarchies: Mapping[str, PartitionedDomain],
) -> Flags:
    """Say of every known combination, by rows, and every class whether the labels cover it."""
    agree: Flags = np.ones((known.shape[1], labels.shape[1]), dtype=np.bool_)
    for place, name in enumerate(hierarchies):
        if name in covers:
            own = labels[list(names).index(name)]
            agree &= covers[name][own][:, known[place]].T
    return agree


def class_of_known(
    names: Sequence[str],
    labels: Codes,
    covers: Mapping[str, Flags],
    known: Codes,
    hierarchies: Mapping[str, PartitionedDomain],
) -> Counts:
    """Return the class that covers each known combination: `NOBODY` if none, or `SEVERAL`.

    Where every value is covered by one label of its column at most, combinations are looked up.
    """
    if all(int(flags.sum(axis=0).max(initial=0)) <= 1 for flags in covers.values()):
        return _looked_up(names, labels, covers, known, hierarchies)
    found = np.full(known.shape[1], NOBODY, dtype=np.int64)
    step = max(1, PAIRS_AT_ONCE // max(1, labels.shape[1]))
    for start in range(0, known.shape[1], step):
        agree = agreeing(names, labels, covers, known[:, start : start + step], hierarchies)
        many = agree.sum(axis=1)
        own = np.where(many == 1, agree.argmax(axis=1), NOBODY)
        found[start : start + step] = np.where(many > 1, SEVERAL, own)
    return found


def _looked_up(
    names: Sequence[str],
    labels: Codes,
    covers: Mapping[str, Flags],
    known: Codes,
    hierarchies: Mapping[str, PartitionedDomain],
) -> Counts:
    shared = [(place, name) for place, name in enumerate(hierarchies) if name in covers]
    wanted = np.stack([_label_of(covers[name])[known[place]] for place, name in shared], axis=1)
    own = np.stack([_first_equal(covers[n])[labels[list(names).index(n)]] for _, n in shared], 1)
    classes, number = np.unique(own, axis=0, return_inverse=True)
    if classes.shape[0] < own.shape[0]:
        # Classes that differ only in columns nobody knows cover the same people.
        several = np.bincount(number.ravel()) > 1
        first = np.where(several, SEVERAL, _first_of(number.ravel(), classes.shape[0]))
    else:
        first = _first_of(number.ravel(), classes.shape[0])
    both = np.concatenate((classes, wanted))
    ranks = np.unique(both, axis=0, return_inverse=True)[1].ravel()
    of_rank = np.full(int(ranks.max(initial=0)) + 1, NOBODY, dtype=np.int64)
    of_rank[ranks[: classes.shape[0]]] = first
    found: Counts = of_rank[ranks[classes.shape[0] :]]
    return found


def _label_of(covers: Flags) -> Counts:
    """Return the label that covers each leaf, -1 if none does."""
    return np.where(covers.any(axis=0), covers.argmax(axis=0), -1).astype(np.int64)


def _first_equal(covers: Flags) -> Counts:
    """Return each label's own number; what covers nothing has one that no leaf has."""
    numbers = np.arange(covers.shape[0], dtype=np.int64)
    return np.where(covers.any(axis=1), numbers, covers.shape[0] + numbers)


def _first_of(number: Counts, many: int) -> Counts:
    first = np.zeros(many, dtype=np.int64)
    first[number[::-1]] = np.arange(number.shape[0] - 1, -1, -1)
    return first


def people_of_classes(
    names: Sequence[str],
    labels: Codes,
    covers: Mapping[str, Flags],
    known: Codes,
    people: Counts,
    hierarchies: Mapping[str, PartitionedDomain],
) -> Counts:
    """Return how many known people the labels of every class cover.

    Where labels overlap somebody is counted in several classes.
    """
    found = np.zeros(labels.shape[1], dtype=np.int64)
    own = class_of_known(names, labels, covers, known, hierarchies)
    np.add.at(found, own[own >= 0], people[own >= 0])
    open_ = np.flatnonzero(own == SEVERAL)
    step = max(1, PAIRS_AT_ONCE // max(1, labels.shape[1]))
    for start in range(0, open_.shape[0], step):
        some = open_[start : start + step]
        agree = agreeing(names, labels, covers, known[:, some], hierarchies)
        found += (agree * people[some][:, np.newaxis]).sum(axis=0)
    return found
