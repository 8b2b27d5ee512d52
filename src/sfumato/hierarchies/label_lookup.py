"""Finding the labels of a released table in a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.hierarchies.hierarchy import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
