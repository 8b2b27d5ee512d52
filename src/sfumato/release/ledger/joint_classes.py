"""Joint classes: what a reader who holds several releases of the same people can tell apart.

People are in one joint class if every release shows them in one class, or does not show them. That
somebody is not shown is visible too: no class has their labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.classes.anonymization import Anonymization, ColumnLabels, class_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.microdata.count_table import CountTable
    from sfumato.release.ledger.keyed_hashes import Hashes


def joint_classes(table: CountTable, releases: Sequence[Codes]) -> Anonymization:
    """Return the joint classes of releases, each given by the class of every entry, or -1.

    What none of them shows is suppressed.
    """
    hidden: Flags = np.logical_and.reduce([classes < 0 for classes in releases])
    numbers, _ = class_numbers([classes + 1 for classes in releases])
    labels = ColumnLabels(codes=sealed_codes(numbers), sizes=None, leaves=1)
    return Anonymization(table=table, labels=(labels,), suppressed=hidden, originals=False)


def classes_shown(anonymization: Anonymization) -> Codes:
    """Return the class of every entry in one release, -1 where it is suppressed."""
    return sealed_codes(np.where(anonymization.suppressed, -1, anonymization.class_of))


def people_alone(joint: Anonymization) -> int:
    """Return how many people, or rows, are alone in a class."""
    single = joint.kept & (joint.units == 1)
    people = joint.table.people
    if people is None:
        return int(single.sum())
    in_single = single[joint.class_of]
    # Others with rows in several entries may be alone in several classes, and count once.
    several = np.unique(people.persons[in_single[people.entries]])
    return int(people.alone[in_single].sum()) + int(several.shape[0])


def told_by_differencing(
    then: Codes,
    now: Codes,
    *,
    then_people: Counts,
    then_content: Hashes,
    now_people: Counts,
    now_content: Hashes,
    least: float,
) -> int:
    """Return how many groups of people two releases both show, but for fewer than ``least``.

    Classes of the one that have people in classes of the other belong together. If the people of
    all these classes differ by a few, then a sum over the one less that over the other is the sum
    over the few: means of microaggregated releases tell it. ``then`` and ``now`` are the classes of
    every entry in the two releases, or -1.
    """
    both = (then >= 0) & (now >= 0)
    width = max(1, now_people.shape[0])
    pairs = np.unique(then[both].astype(np.int64) * width + now[both])
    one, other = pairs // width, pairs % width + then_people.shape[0]
    group = _connected(one, other, then_people.shape[0] + now_people.shape[0])
    people: Counts = np.zeros(group.shape[0], dtype=np.int64)
    content: Hashes = np.zeros(group.shape[0], dtype=np.uint64)
    np.add.at(people, group, np.concatenate([then_people, -now_people]))
    # Modulo 2^64, as the sums themselves.
    np.add.at(content, group, np.concatenate([then_content, np.uint64(0) - now_content]))
    linked = np.zeros(group.shape[0], dtype=np.bool_)
    linked[group[one]] = True
    return int((linked & (content != 0) & (np.abs(people) < least)).sum())


def _connected(one: Counts, other: Counts, nodes: int) -> Counts:
    """Return the group of every node, its least node: nodes of a pair are in one group.

    All roots that a pair joins are hooked to the least of them at once, and paths are halved until
    every node points to its root (Shiloach and Vishkin, 1982). Each round works on the pairs that
    still join two groups.
    """
    group: Counts = np.arange(nodes, dtype=np.int64)
    while one.shape[0]:
        np.minimum.at(group, one, other)
        np.minimum.at(group, other, one)
        while not np.array_equal(halved := group[group], group):
            group = halved
        one, other = group[one], group[other]
        apart = one != other
        one, other = one[apart], other[apart]
    return group
