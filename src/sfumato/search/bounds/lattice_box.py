"""Boxes of the lattice: all nodes between a finest and a coarsest corner."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sfumato.search.bounds.evaluated_nodes import EvaluatedNodes

Node: TypeAlias = tuple[int, ...]


def box_size(finest: Node, coarsest: Node) -> int:
    """Return the number of nodes of a box.

    >>> box_size((0, 1), (2, 1))
    3
    """
    return math.prod(b - a + 1 for a, b in zip(finest, coarsest, strict=True))


def with_level(node: Node, q: int, level: int) -> Node:
    """Return a node with another level of one column."""
    return (*node[:q], level, *node[q + 1 :])


def without_excluded_tops(
    evaluated: EvaluatedNodes, finest: Node, coarsest: Node, above: Node | None, *, low: Node
) -> Node:
    """Return the coarsest corner without the top levels that are excluded in any combination.

    ``above`` and ``low`` are the nodes whose evidence bounds the box (`EvaluatedNodes.bounds`).
    """
    for q in range(len(finest)):
        while coarsest[q] > finest[q] and evaluated.excludes(
            with_level(finest, q, coarsest[q]), above, low=low
        ):
            coarsest = with_level(coarsest, q, coarsest[q] - 1)
    return coarsest


def column_to_split(
    finest: Node, coarsest: Node, level_losses: tuple[tuple[float, ...], ...]
) -> int:
    """Return the column whose top level costs the most loss, of those with several levels."""
    return max(
        (q for q in range(len(finest)) if coarsest[q] > finest[q]),
        key=lambda q: (level_losses[q][coarsest[q]] - level_losses[q][coarsest[q] - 1], -q),
    )
