"""The composition attack: what two releases tell together (Ganta, Kasiviswanathan & Smith 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SourceError, located
from sfumato.risk.linking_labels import label_runs, shown_labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues
    from sfumato.risk.attacks.released_classes import ReleasedClasses

_PAIRS_AT_ONCE = 20_000_000


@dataclass(frozen=True, kw_only=True)
class CompositionFinding:
    """Whose sensitive value is left alone in each release, and in all of them together.

    ``people`` are those who are in all releases as far as the labels tell. ``alone`` has how many
    of them each release gives away by itself, ``together`` how many all of them do. ``excluded``
    are people for whom the releases have no value in common, so that they cannot be the same.
    """

    people: int
    alone: tuple[int, ...]
    together: int
    excluded: int


def composition(
    releases: Sequence[ReleasedClasses],
    *,
    known: Codes,
    sizes: Counts,
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
) -> CompositionFinding:
    """Intersect the values that every release leaves possible for everybody.

    ``known`` has the leaves of what is known of people, a row for each quasi-identifier of the
    hierarchies and a column for each combination of ``sizes`` people: a register, or the source.
    """
    values = sorted({value or "" for each in releases for value in each.values})
    place = {value: number for number, value in enumerate(values)}
    alone = np.zeros(len(releases), dtype=np.int64)
    together = excluded = everybody = 0
    covers = [_covers(each, hierarchies, missing) for each in releases]
    tables = []
    for each in releases:
        table = np.zeros((each.rows.shape[0], len(values)), dtype=np.float32)
        for number, value in enumerate(each.values):
            table[:, place[value or ""]] += each.rows[:, number] > 0
        tables.append(table)
    most = max(each.rows.shape[0] for each in releases)
    step = max(1, _PAIRS_AT_ONCE // max(1, most))
    for start in range(0, sizes.shape[0], step):
        some = slice(start, min(start + step, sizes.shape[0]))
        possible = [
            _agree(release, cover, known[:, some], hierarchies) @ table > 0
            for release, cover, table in zip(releases, covers, tables, strict=True)
        ]
        counts = [flags.sum(axis=1) for flags in possible]
        present = np.logical_and.reduce([count > 0 for count in counts])
        common = np.logical_and.reduce(possible).sum(axis=1)
        own = sizes[some]
        everybody += int(own[present].sum())
        for number, count in enumerate(counts):
            alone[number] += int(own[present & (count == 1)].sum())
        together += int(own[present & (common == 1)].sum())
        excluded += int(own[present & (common == 0)].sum())
    return CompositionFinding(
        people=everybody,
        alone=tuple(alone.tolist()),
        together=together,
        excluded=excluded,
    )


def _covers(
    release: ReleasedClasses,
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
) -> dict[str, Flags]:
    """Return which leaves every cell text of a shared quasi-identifier covers."""
    shared = [name for name in release.names if name in hierarchies]
    if not shared:
        raise SourceError(
            "a release shares no quasi-identifier with what is known of people",
            code="no-quasi-identifier",
            expected=tuple(hierarchies),
        )
    found = {}
    for name in shared:
        hierarchy = hierarchies[name]
        texts = release.texts[release.names.index(name)]
        with located(column=name):
            shown = shown_labels(list(texts), hierarchy, missing=missing)
        labels = sorted(set(shown.values()))
        by_label = {label: np.zeros(hierarchy.leaf_count, dtype=np.bool_) for label in labels}
        for label, first, last in label_runs(labels, hierarchy):
            by_label[label][max(first, 0) : last + 1] = True
        found[name] = np.stack([by_label[shown[text]] for text in texts])
    return found


def _agree(
    release: ReleasedClasses,
    covers: Mapping[str, Flags],
    known: Codes,
    hierarchies: Mapping[str, PartitionedDomain],
) -> NDArray[np.float32]:
    """Say of every combination and every class whether the labels cover it."""
    agree = np.ones((known.shape[1], release.rows.shape[0]), dtype=np.bool_)
    for place, name in enumerate(hierarchies):
        if name in covers:
            labels = release.labels[release.names.index(name)]
            agree &= covers[name][labels][:, known[place]].T
    return agree.astype(np.float32)
