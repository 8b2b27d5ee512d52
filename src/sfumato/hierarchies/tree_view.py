"""A hierarchy drawn as a tree in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.errors.listing import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.hierarchies.hierarchy import Hierarchy


def tree_view(hierarchy: Hierarchy, *, most_children: int = 20) -> str:
    """Draw a hierarchy, with the number of leaves under every inner node.

    A node that repeats as its own only child is drawn once, and children after the first
    ``most_children`` are only counted.

    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> marital = Hierarchy.from_rows(
    ...     [
    ...         ("Divorced", "Once married", "*"),
    ...         ("Widowed", "Once married", "*"),
    ...         ("Married", "Married", "*"),
    ...     ],
    ...     name="marital status",
    ... )
    >>> print(tree_view(marital))
    * (3 leaves)
    ├── Once married (2 leaves)
    │   ├── Divorced
    │   └── Widowed
    └── Married
    """
    if most_children < 1:
        raise SettingsError.wrong_setting(
            "most_children", most_children, "at least 1", code="out-of-range"
        )
    level, block = _lowest(hierarchy, hierarchy.height, 0)
    lines = [_caption(hierarchy, level, block)]
    lines += _branches(hierarchy, level, block, most_children)
    return "\n".join(lines)


def _branches(hierarchy: Hierarchy, level: int, block: int, most_children: int) -> Iterator[str]:
    children = _children(hierarchy, level, block)
    for child in children[:most_children]:
        last = child == children[-1]
        below, node = _lowest(hierarchy, level - 1, child)
        yield ("└── " if last else "├── ") + _caption(hierarchy, below, node)
        for line in _branches(hierarchy, below, node, most_children):
            yield ("    " if last else "│   ") + line
    hidden = children[most_children:]
    if hidden:
        sizes = hierarchy.block_sizes(level - 1)[hidden.start : hidden.stop]
        inside = f" ({counted(int(sizes.sum()), 'leaf', 'leaves')})" if level > 1 else ""
        yield f"└── … and {len(hidden):,} more{inside}"


def _lowest(hierarchy: Hierarchy, level: int, block: int) -> tuple[int, int]:
    """Follow only children that repeat the label of their parent."""
    while level > 0:
        children = _children(hierarchy, level, block)
        label = hierarchy.labels[level][block]
        if len(children) > 1 or hierarchy.labels[level - 1][children.start] != label:
            break
        level, block = level - 1, children.start
    return level, block


def _children(hierarchy: Hierarchy, level: int, block: int) -> range:
    """Return the blocks one level below, which are neighbours."""
    if level == 0:
        return range(0)
    first = int(hierarchy.block_starts(level)[block])
    size = int(hierarchy.block_sizes(level)[block])
    below = hierarchy.levels[level - 1]
    return range(int(below[first]), int(below[first + size - 1]) + 1)


def _caption(hierarchy: Hierarchy, level: int, block: int) -> str:
    label = hierarchy.labels[level][block]
    if level == 0:
        return label
    size = int(hierarchy.block_sizes(level)[block])
    return f"{label} ({counted(size, 'leaf', 'leaves')})"
