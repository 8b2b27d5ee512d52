"""Hierarchies of Adult with the paper's lengths and other groups than ours, to see what they do."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.study.study import Study

Groups = Literal["even", "growing", "random"]
"""How values are grouped: into runs of about equal length, all that come last into one ever longer
run, or at cuts that are drawn."""

GROUPS: tuple[Groups, ...] = get_args(Groups)
SEED = 2010


def made_up_study(study: Study, groups: Groups) -> Study:
    """Return a study whose hierarchies keep their values and lengths, with made-up groups."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    attributes = [
        replace(each, hierarchy=made_up(study.hierarchies[each.name], groups, rng=rng))
        if each.name in study.hierarchies
        else each
        for each in study.attributes
    ]
    return replace(study, attributes=attributes)


def made_up(tree: object, groups: Groups, *, rng: np.random.Generator) -> Hierarchy:
    """Return a hierarchy over the same ordered values with as many levels.

    The number of blocks falls by about the same factor from level to level.

    >>> tree = Hierarchy.from_rows([(v, "x", "y", "*") for v in "abcdefgh"])
    >>> made_up(tree, "even", rng=np.random.default_rng(1)).labels[1]
    ('a-b', 'c-d', 'e-f', 'g-h')
    >>> made_up(tree, "growing", rng=np.random.default_rng(1)).labels[1]
    ('a-a', 'b-b', 'c-c', 'd-h')
    """
    assert isinstance(tree, Hierarchy)
    leaves = tree.domain.leaves
    cuts = list(range(1, len(leaves)))
    columns: list[list[str]] = [list(leaves)]
    for level in range(1, tree.height):
        blocks = max(2, round(len(leaves) ** (1 - level / tree.height)))
        cuts = _chosen(cuts, min(blocks - 1, len(cuts)), groups, rng)
        columns.append(_labels(leaves, cuts))
    columns.append([TOP] * len(leaves))
    return Hierarchy.from_rows(list(zip(*columns, strict=True)))


def _chosen(cuts: Sequence[int], count: int, groups: Groups, rng: np.random.Generator) -> list[int]:
    """Return some of the cuts of the level below, so that levels only merge."""
    if groups == "growing":
        return list(cuts[:count])
    if groups == "random":
        return sorted(rng.choice(cuts, size=count, replace=False).tolist())
    places = np.round(np.linspace(0, len(cuts) + 1, count + 2)[1:-1]).astype(np.int64) - 1
    return [cuts[place] for place in places.tolist()]


def _labels(leaves: Sequence[str], cuts: Sequence[int]) -> list[str]:
    ends = [0, *cuts, len(leaves)]
    return [
        f"{leaves[first]}-{leaves[last - 1]}"
        for first, last in pairwise(ends)
        for _ in range(last - first)
    ]
