"""The labels of a released table in a hierarchy: how many leaves each covers, and which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.hierarchy import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


@dataclass(frozen=True, kw_only=True)
class LocatedLabels:
    """How many leaves each text covers.

    ``level`` is the finest level that has all of the texts, None if there is no single one:
    other tools recode some rows more than others. ``unknown`` are the texts that no level has,
    ``ambiguous`` those that mean blocks of different sizes at levels that could be meant.
    """

    level: int | None
    leaves: Mapping[str, int]
    unknown: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def locate_labels(
    hierarchy: PartitionedDomain, texts: Sequence[str], *, level: int | None = None
) -> LocatedLabels:
    """Find texts among the values and the labels of a hierarchy, or of one level if it is known.

    Levels that have all of the texts are preferred; ``*`` covers everything where the hierarchy
    says nothing else.

    >>> from sfumato.hierarchies.builders.prefixes import Prefixes
    >>> zips = Prefixes().build(["24126", "24127", "24300"], column="zip")
    >>> locate_labels(zips, ["2412*", "2430*"]).leaves
    {'2412*': 2, '2430*': 1}
    >>> locate_labels(zips, ["24126", "243**", "?"]).unknown
    ('?',)
    """
    by_level: list[dict[str, int]] = []
    for each in range(hierarchy.height + 1):
        sizes = hierarchy.block_sizes(each).tolist()
        by_level.append(dict(zip(hierarchy.labels[each], sizes, strict=True)))
    found = hierarchy.locate(texts)
    by_level[0] |= {text: 1 for text, leaf in zip(texts, found.tolist(), strict=True) if leaf >= 0}
    by_level[-1].setdefault(TOP, hierarchy.leaf_count)
    choices = range(hierarchy.height + 1) if level is None else [level]
    fitting = [each for each in choices if all(text in by_level[each] for text in texts)]
    meant = fitting or choices
    sizes_of = {
        text: {by_level[each][text] for each in meant if text in by_level[each]} for text in texts
    }
    return LocatedLabels(
        level=fitting[0] if fitting else None,
        leaves={text: min(sizes) for text, sizes in sizes_of.items() if sizes},
        unknown=tuple(text for text, sizes in sizes_of.items() if not sizes),
        ambiguous=tuple(text for text, sizes in sizes_of.items() if len(sizes) > 1),
    )


def covered_leaves(hierarchy: PartitionedDomain, texts: Sequence[str]) -> dict[str, Flags]:
    """Return for every text that a hierarchy knows the leaves that it covers.

    A text that several levels have is taken as `locate_labels` takes it.

    >>> from sfumato.hierarchies.builders.prefixes import Prefixes
    >>> zips = Prefixes().build(["24126", "24127", "24300"], column="zip")
    >>> covered_leaves(zips, ["2412*", "24300", "?"])["2412*"].tolist()
    [True, True, False]
    """
    found = locate_labels(hierarchy, texts)
    levels = range(hierarchy.height + 1) if found.level is None else (found.level,)
    leaf_of = dict(zip(texts, hierarchy.locate(texts).tolist(), strict=True))
    covered: dict[str, Flags] = {}
    for text in texts:
        for level in levels:
            if level == 0 and leaf_of[text] >= 0:
                covered[text] = np.arange(hierarchy.leaf_count) == leaf_of[text]
                break
            if text in hierarchy.labels[level]:
                block = hierarchy.labels[level].index(text)
                covered[text] = np.asarray(hierarchy.levels[level] == block)
                break
        else:
            if text == TOP:
                covered[text] = np.ones(hierarchy.leaf_count, dtype=np.bool_)
    return covered
