"""Which leaves a label of a released table stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.hierarchy import TOP
from sfumato.hierarchies.label_lookup import locate_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


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
