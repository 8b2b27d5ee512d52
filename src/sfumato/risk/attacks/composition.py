"""The composition attack: what two releases tell together (Ganta, Kasiviswanathan & Smith 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.attacks.covering import PAIRS_AT_ONCE, agreeing, leaves_covered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues
    from sfumato.risk.attacks.released_classes import ReleasedClasses


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
    covers = [leaves_covered(each.names, each.texts, hierarchies, missing) for each in releases]
    tables = []
    for each in releases:
        table = np.zeros((each.rows.shape[0], len(values)), dtype=np.float32)
        for number, value in enumerate(each.values):
            table[:, place[value or ""]] += each.rows[:, number] > 0
        tables.append(table)
    most = max(each.rows.shape[0] for each in releases)
    step = max(1, PAIRS_AT_ONCE // max(1, most))
    for start in range(0, sizes.shape[0], step):
        some = slice(start, min(start + step, sizes.shape[0]))
        possible = [
            agreeing(release.names, release.labels, cover, known[:, some], hierarchies).astype(
                np.float32
            )
            @ table
            > 0
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
