"""What is always true of a hierarchy, checked where one is made."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes


def check_hierarchy(
    *, leaves: Sequence[str], levels: Sequence[Codes], labels: Sequence[Sequence[str]]
) -> None:
    """Raise HierarchyError unless levels and labels make a tree over the leaves.

    >>> check_hierarchy(leaves=("a", "b"), levels=(np.arange(2),), labels=(("a", "b"),))
    Traceback (most recent call last):
    ...
    sfumato.errors.HierarchyError: the last level has 2 blocks: 'a', 'b'; expected one block; add \
a level with the one label '*'
    """
    if not leaves:
        raise HierarchyError(
            "the domain is empty", code="no-values", expected="a hierarchy of at least one leaf"
        )
    if not levels or len(levels) != len(labels):
        raise HierarchyError(
            f"there are {counted(len(levels), 'level')} and labels for {len(labels)}",
            code="level-count",
            found=str(len(levels)),
            expected="at least level 0, and labels for every level",
        )
    for level, codes in enumerate(levels):
        _check_covered(level, codes, leaves)
        _check_numbering(level, codes, leaves)
        _check_labels(level, int(codes[-1]) + 1, labels[level])
    _check_identity(levels[0], leaves, labels[0])
    for level in range(len(levels) - 1):
        _check_merges(level, levels[level], levels[level + 1], labels[level])
    if levels[-1][-1] != 0:
        raise HierarchyError(
            f"the last level has {len(labels[-1])} blocks: {listed(labels[-1])}",
            code="several-tops",
            found=listed(labels[-1]),
            expected="one block",
            remedy="add a level with the one label '*'",
        )


def _check_covered(level: int, codes: Codes, leaves: Sequence[str]) -> None:
    if codes.shape == (len(leaves),):
        return
    size = codes.size if codes.ndim == 1 else 0
    uncovered = leaves[size:]
    detail = f": {listed(uncovered)} without one" if uncovered else ""
    raise HierarchyError(
        f"level {level} has codes of shape {codes.shape} for "
        f"{counted(len(leaves), 'leaf', 'leaves')}{detail}",
        code="uncovered-leaf",
        found=listed(uncovered),
        expected="one block for every leaf",
    )


def _check_numbering(level: int, codes: Codes, leaves: Sequence[str]) -> None:
    steps = np.diff(codes, prepend=-1)
    wrong = (steps < 0) | (steps > 1)
    wrong[0] = codes[0] != 0
    if wrong.any():
        torn = [leaves[leaf] for leaf in np.flatnonzero(wrong).tolist()]
        raise HierarchyError(
            f"the blocks of level {level} are torn at {listed(torn)}",
            code="torn-block",
            found=listed(torn),
            expected="runs of neighbouring leaves, numbered 0, 1, … in their order",
            remedy="order the leaves so that blocks stay together (Hierarchy.from_rows does)",
        )


def _check_labels(level: int, blocks: int, names: Sequence[str]) -> None:
    if len(names) != blocks:
        raise HierarchyError(
            f"level {level} has {counted(blocks, 'block')} and {counted(len(names), 'label')}: "
            f"{listed(names)}",
            code="label-count",
            found=listed(names),
            expected="one label for every block",
        )
    if len(set(names)) < len(names):
        repeated = [name for name, times in Counter(names).items() if times > 1]
        raise HierarchyError(
            f"level {level} has {counted(len(repeated), 'label')} for more than one block: "
            f"{listed(repeated)}",
            code="duplicate",
            found=listed(repeated),
            remedy="give the blocks of a level different labels",
        )


def _check_identity(codes: Codes, leaves: Sequence[str], names: Sequence[str]) -> None:
    if codes[-1] != len(leaves) - 1:
        merged = [leaves[i] for i in (np.flatnonzero(np.diff(codes) == 0) + 1).tolist()]
        raise HierarchyError(
            f"level 0 joins {listed(merged)} to the leaf before",
            code="not-the-identity",
            found=listed(merged),
            expected="every leaf as its own block",
            remedy="merge them at level 1",
        )
    if tuple(names) != tuple(leaves):
        renamed = [name for name, leaf in zip(names, leaves, strict=True) if name != leaf]
        raise HierarchyError(
            f"level 0 has the labels {listed(renamed)}",
            code="not-the-identity",
            found=listed(renamed),
            expected="the leaves themselves",
            remedy="other labels belong to level 1",
        )


def _check_merges(level: int, fine: Codes, coarse: Codes, names: Sequence[str]) -> None:
    torn = (np.diff(fine) == 0) & (np.diff(coarse) != 0)
    if torn.any():
        split = [names[block] for block in np.unique(fine[1:][torn]).tolist()]
        raise HierarchyError(
            f"level {level + 1} splits {counted(len(split), 'block')} of level {level}: "
            f"{listed(split)}",
            code="level-splits",
            found=listed(split),
            expected="levels that only merge",
            remedy="keep the leaves of a block together at every coarser level",
        )
