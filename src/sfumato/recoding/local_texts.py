"""The texts of the labels of a local recoding (docs/labels.md)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.hierarchies.domains.domain import MissingDomain, NumberDomain
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import full_set_label, interval_between, span_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.microdata.count_table import CountedQuasiIdentifier


class Cover(NamedTuple):
    """What a label covers: the leaves from ``first`` to ``last``, or those that are listed.

    ``missing`` says that missing values are covered besides. ``level`` is that of a node.
    """

    first: int
    last: int
    missing: bool = False
    listed: tuple[int, ...] = ()
    level: int | None = None


def cover_texts(
    covers: Sequence[Cover], output: Output, identifier: CountedQuasiIdentifier, kept: Codes
) -> tuple[str, ...]:
    """Return the labels of covers; those of different covers differ.

    ``kept`` are the leaves of kept rows. Labels are a function of these rows and of what the study
    declares, so that they tell nothing of suppressed people.
    """
    texts = (
        _node_texts(covers, identifier, kept)
        if output is Output.HIERARCHY
        else _value_texts(covers, identifier)
    )
    twice = {text for text, times in Counter(texts).items() if times > 1}
    if not twice:
        return tuple(texts)
    # Values can look like labels of ours.
    return tuple(
        f"{text} (label {number})" if text in twice else text
        for number, text in enumerate(texts, start=1)
    )


def _node_texts(
    covers: Sequence[Cover], identifier: CountedQuasiIdentifier, kept: Codes
) -> list[str]:
    """Return the names of nodes, with their level where blocks of other levels have them too.

    Only blocks that hold a kept value count: others may be there because of suppressed people.
    """
    hierarchy = identifier.hierarchy
    named: dict[str, set[tuple[int, int]]] = {}
    for level in range(identifier.minimum_level, hierarchy.height + 1):
        starts, sizes = hierarchy.block_starts(level), hierarchy.block_sizes(level)
        for block in np.unique(hierarchy.levels[level][kept]).tolist():
            leaves = int(starts[block]), int(sizes[block])
            named.setdefault(hierarchy.labels[level][block], set()).add(leaves)
    texts = []
    for cover in covers:
        assert cover.level is not None, "a node has a level"
        name = hierarchy.labels[cover.level][hierarchy.levels[cover.level][cover.first]]
        texts.append(f"{name} (level {cover.level})" if len(named[name]) > 1 else name)
    return texts


def _value_texts(covers: Sequence[Cover], identifier: CountedQuasiIdentifier) -> list[str]:
    """Return labels that name the values themselves, or the blocks of the minimum level."""
    hierarchy, least = identifier.hierarchy, identifier.minimum_level
    names = [hierarchy.labels[least][block] for block in hierarchy.levels[least].tolist()]
    texts = []
    for cover in covers:
        if cover.listed:
            texts.append(full_set_label([names[leaf] for leaf in cover.listed]))
            continue
        text = _interval_text(hierarchy.domain, cover, names, least)
        texts.append(f"{text} or {hierarchy.domain.leaves[-1]}" if cover.missing else text)
    return texts


def _interval_text(domain: Domain, cover: Cover, names: Sequence[str], minimum_level: int) -> str:
    """Return the label of an interval; whole numbers are named by the least and the greatest.

    Blocks of a minimum level are named by their own ends. Their first and last values in the
    domain may be the least and the greatest that occur, and those of suppressed people.
    """
    first, last = names[cover.first], names[cover.last]
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if first == last:
        return first
    if minimum_level:
        return interval_between(first, last) or f"{first} to {last}"
    if isinstance(known, NumberDomain) and known.whole:
        return f"[{known.leaves[cover.first]}, {known.leaves[cover.last]}]"
    return span_label(known, cover.first, cover.last)
