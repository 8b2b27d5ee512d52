"""Finding the labels of a released table in a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.data.hierarchy import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.data.hierarchy import Hierarchy


@dataclass(frozen=True, kw_only=True)
class LocatedLabels:
    """How many leaves each text covers.

    ``level`` is the finest level that has all of the texts, None if there is no single one:
    other tools recode some rows more than others. ``unknown`` are the texts that no level has.
    """

    level: int | None
    leaves: Mapping[str, int]
    unknown: tuple[str, ...]


def locate_labels(hierarchy: Hierarchy, texts: Sequence[str]) -> LocatedLabels:
    """Find texts among the values and the labels of a hierarchy.

    A text that several levels have is taken for the finest of them, unless one level has all
    texts; ``*`` covers everything where the hierarchy says nothing else.

    >>> from sfumato.data.builders.prefixes import Prefixes
    >>> zips = Prefixes().build(["24126", "24127", "24300"], column="zip")
    >>> locate_labels(zips, ["2412*", "2430*"])
    LocatedLabels(level=1, leaves={'2412*': 2, '2430*': 1}, unknown=())
    >>> locate_labels(zips, ["24126", "243**", "?"])
    LocatedLabels(level=None, leaves={'24126': 1, '243**': 1}, unknown=('?',))
    """
    by_level: list[dict[str, int]] = []
    for level in range(hierarchy.height + 1):
        sizes = hierarchy.block_sizes(level).tolist()
        by_level.append(dict(zip(hierarchy.labels[level], sizes, strict=True)))
    found = hierarchy.locate(texts)
    by_level[0] |= {text: 1 for text, leaf in zip(texts, found.tolist(), strict=True) if leaf >= 0}
    by_level[-1].setdefault(TOP, hierarchy.leaf_count)
    for level, sizes_by_label in enumerate(by_level):
        if all(text in sizes_by_label for text in texts):
            leaves = {text: sizes_by_label[text] for text in texts}
            return LocatedLabels(level=level, leaves=leaves, unknown=())
    leaves = {}
    for sizes_by_label in reversed(by_level):
        leaves |= {text: sizes_by_label[text] for text in texts if text in sizes_by_label}
    leaves = {text: leaves[text] for text in texts if text in leaves}
    return LocatedLabels(
        level=None, leaves=leaves, unknown=tuple(text for text in texts if text not in leaves)
    )
