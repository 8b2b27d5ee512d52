"""The order of categories that occur, as it would be if nobody else were there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.hierarchies.domains.natural_order import natural_order

if TYPE_CHECKING:
    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


class KeptOrder(NamedTuple):
    """Some leaves in an order, and whether it is that of numbers or dates."""

    leaves: list[int]
    ordered: bool


def kept_order(hierarchy: PartitionedDomain, kept: Codes) -> KeptOrder:
    """Return the order that some leaves of an undeclared domain of categories have by themselves.

    One text among numbers, perhaps that of somebody who is suppressed, gives all of them the order
    of texts. Here it is as if only the leaves of kept rows had occurred: numbers and dates in
    natural order if that keeps every block together, others by their texts.

    >>> from sfumato.hierarchies.builders.flat import Flat
    >>> sizes = Flat().build(["10", "9", "unknown"], column="size")
    >>> sizes.domain.leaves
    ('10', '9', 'unknown')
    >>> kept_order(sizes, np.array([0, 1], dtype=np.int32))
    KeptOrder(leaves=[1, 0], ordered=True)
    """
    texts = [hierarchy.domain.leaves[leaf] for leaf in kept.tolist()]
    order = natural_order(texts) if texts else None
    if order is not None and all(_together(level[kept[order]]) for level in hierarchy.levels):
        return KeptOrder(kept[order].tolist(), True)
    return KeptOrder([leaf for _, leaf in sorted(zip(texts, kept.tolist(), strict=True))], False)


def _together(blocks: Codes) -> bool:
    """Say whether equal blocks are neighbours."""
    return bool(np.count_nonzero(np.diff(blocks)) + 1 == np.unique(blocks).shape[0])
