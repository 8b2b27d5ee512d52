"""The differencing attack: a class of one release less classes of another that lie within it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.attacks.covering import SEVERAL, class_of_known, leaves_covered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues
    from sfumato.risk.attacks.released_classes import ReleasedClasses


@dataclass(frozen=True, kw_only=True)
class DifferencingFinding:
    """Whom differences of classes single out, of ``people`` whom intruders know.

    A class of one release that contains whole classes of another one leaves a rest, whose people
    and sensitive values are differences. ``singled_out`` are people in rests that are smaller than
    the smallest class of any release, ``groups`` how many such rests there are; ``learnt`` are
    those whose value follows, because a rest has only one. ``unusable`` classes have other rows
    than the people whom their labels cover, so that nothing can be computed of them.
    """

    people: int
    groups: int
    singled_out: int
    learnt: int
    smallest: int
    unusable: int


def differencing(
    releases: Sequence[ReleasedClasses],
    *,
    known: Codes,
    sizes: Counts,
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
) -> DifferencingFinding:
    """Subtract from every class of a release the classes of every other one that lie within it.

    ``known`` and ``sizes`` are what intruders know of people, as for the composition attack.
    """
    values = sorted({value or "" for each in releases for value in each.values})
    views = [_View.of(each, values, known, sizes, hierarchies, missing) for each in releases]
    least = min(int(view.sizes.min(initial=sizes.sum())) for view in views)
    rests: dict[bytes, tuple[int, bool]] = {}
    for whole in views:
        for part in views:
            if part is not whole:
                rests |= _rests(whole, part, sizes)
    small = [(people, alone) for people, alone in rests.values() if people < least]
    return DifferencingFinding(
        people=int(sizes.sum()),
        groups=len(small),
        singled_out=sum(people for people, _ in small),
        learnt=sum(people for people, alone in rests.values() if alone),
        smallest=min((people for people, _ in rests.values()), default=0),
        unusable=sum(int((~view.usable).sum()) for view in views),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _View:
    """A release over the known combinations: the class of each, and the values of classes."""

    class_of: Counts
    rows: Counts
    sizes: Counts
    usable: Flags

    @classmethod
    def of(
        cls,
        release: ReleasedClasses,
        values: Sequence[str],
        known: Codes,
        sizes: Counts,
        hierarchies: Mapping[str, PartitionedDomain],
        missing: MissingValues,
    ) -> _View:
        covers = leaves_covered(release.names, release.texts, hierarchies, missing)
        class_of = class_of_known(release.names, release.labels, covers, known, hierarchies)
        place = {value: number for number, value in enumerate(values)}
        rows = np.zeros((release.rows.shape[0], len(values)), dtype=np.int64)
        for number, value in enumerate(release.values):
            rows[:, place[value or ""]] += release.rows[:, number]
        people = np.zeros(rows.shape[0], dtype=np.int64)
        np.add.at(people, class_of[class_of >= 0], sizes[class_of >= 0])
        usable = people == release.sizes
        if (class_of == SEVERAL).any():
            # Whoever is covered by several classes is in one of them, and nobody knows which.
            usable[:] = False
        return cls(class_of=class_of, rows=rows, sizes=release.sizes, usable=usable)


def _rests(whole: _View, part: _View, sizes: Counts) -> dict[bytes, tuple[int, bool]]:
    """Return the people of every rest, and whether they have one value, by the rest's cells."""
    classes = part.sizes.shape[0]
    outer = np.full(classes, -1, dtype=np.int64)
    inside = part.class_of >= 0
    low = np.full(classes, np.iinfo(np.int64).max)
    np.minimum.at(low, part.class_of[inside], whole.class_of[inside])
    np.maximum.at(outer, part.class_of[inside], whole.class_of[inside])
    # A class lies within another one if all of its cells do.
    within = part.usable & (outer == low) & (outer >= 0)
    within[within] &= whole.usable[outer[within]]
    rows, people = whole.rows.copy(), whole.sizes.copy()
    np.subtract.at(rows, outer[within], part.rows[within])
    np.subtract.at(people, outer[within], part.sizes[within])
    touched = np.zeros(people.shape[0], dtype=np.bool_)
    touched[outer[within]] = True
    removed = np.zeros(part.class_of.shape[0], dtype=np.bool_)
    removed[inside] = within[part.class_of[inside]]
    found = {}
    # What is negative are other people: then the releases are not of the same ones.
    for place in np.flatnonzero(touched & (people > 0) & (rows >= 0).all(axis=1)):
        cells = np.flatnonzero((whole.class_of == place) & ~removed)
        if int(sizes[cells].sum()) == int(people[place]):
            found[cells.tobytes()] = (
                int(people[place]),
                int((rows[place] > 0).sum()) == 1,
            )
    return found
