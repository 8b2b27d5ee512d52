"""The groups that a file's classes would fall into if one column were a level finer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.attacks.sampled_minimality import GroupedClass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.risk.attacks.released_classes import ReleasedClasses


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """What an intruder knows of how the file was made.

    No class has more than ``most_share`` of a sensitive value, classes have at least ``k`` people,
    and at most ``budget`` rows are suppressed, smaller classes only. No column is finer than its
    minimum level, where ``minimum_levels`` has one.
    """

    most_share: Fraction
    k: int = 1
    budget: int = 0
    minimum_levels: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class FinerGroups:
    """The classes of a file with their groups in a finer recoding, and the groups of cells."""

    classes: tuple[GroupedClass, ...]
    numbers: tuple[int, ...]
    class_of: Counts
    group_of: Counts

    def known_in(self, number: int, groups: tuple[int, ...]) -> Flags:
        """Return which known combinations are in some groups of a class."""
        flags: Flags = (self.class_of == self.numbers[number]) & np.isin(self.group_of, groups)
        return flags


def finer_groups(
    release: ReleasedClasses, class_of: Counts, blocks: Codes, sizes: Counts, publisher: Publisher
) -> FinerGroups | None:
    """Return the finer groups of every class; None if their sizes alone could have failed it."""
    covered = class_of >= 0
    width = int(blocks.max(initial=0)) + 1
    keys = np.where(covered, class_of * width + blocks, -1)
    different, number = np.unique(keys, return_inverse=True)
    number = number.ravel()
    people = np.zeros(different.shape[0], dtype=np.int64)
    np.add.at(people, number, sizes)
    # Whoever is suppressed here is so in a finer recoding, too.
    gone = int(sizes[~covered].sum()) + int(people[(different >= 0) & (people < publisher.k)].sum())
    if gone > publisher.budget:
        return None
    classes, numbers = [], []
    group_of = np.zeros(keys.shape[0], dtype=np.int64)
    first_group = np.full(release.sizes.shape[0] + 1, 0, dtype=np.int64)
    own_class = np.where(different >= 0, different // width, -1)
    for place in range(release.sizes.shape[0]):
        groups = np.flatnonzero(own_class == place)
        first_group[place] = groups[0] if groups.shape[0] else 0
        if groups.shape[0] > 1:
            classes.append(
                GroupedClass(
                    sizes=tuple(people[groups].tolist()), values=tuple(release.rows[place].tolist())
                )
            )
            numbers.append(place)
    group_of[covered] = number[covered] - first_group[class_of[covered]]
    return FinerGroups(
        classes=tuple(classes), numbers=tuple(numbers), class_of=class_of, group_of=group_of
    )
