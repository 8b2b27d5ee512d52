"""The texts of the labels of a local recoding (docs/labels.md)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.hierarchies.domains.domain import CategoryDomain, MissingDomain, NumberDomain
from sfumato.hierarchies.kept_order import kept_order
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import full_set_label, interval_between, span_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        else _value_texts(covers, identifier, _places(identifier, kept))
    )
    twice = {text for text, times in Counter(texts).items() if times > 1}
    if not twice:
        return tuple(texts)
    # Values can look like labels of ours.
    places = _places(identifier, kept)
    inside = [tuple(sorted(places[leaf] for leaf in _kept_of(c, kept))) for c in covers]
    number_of = {each: number for number, each in enumerate(sorted(set(inside)), start=1)}
    return tuple(
        f"{text} (label {number_of[own]})" if text in twice else text
        for text, own in zip(texts, inside, strict=True)
    )


def _kept_of(cover: Cover, kept: Codes) -> list[int]:
    """Return the kept leaves that a cover holds."""
    if cover.listed:
        return list(cover.listed)
    last = int(kept[-1])
    inside = kept[(kept >= cover.first) & (kept <= cover.last)].tolist()
    return [*inside, last] if cover.missing else inside


def _places(identifier: CountedQuasiIdentifier, kept: Codes) -> dict[int, int]:
    """Return the place of every kept leaf in an order that only kept rows decide."""
    hierarchy, missing, least = (
        identifier.hierarchy,
        identifier.missing_leaf,
        identifier.minimum_level,
    )
    domain = hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    leaves = kept.tolist()
    if isinstance(known, CategoryDomain) and not identifier.domain_declared:
        values = kept[kept != missing]
        if least:
            names = hierarchy.labels[least]
            leaves = sorted(values.tolist(), key=lambda leaf: names[hierarchy.levels[least][leaf]])
        else:
            leaves = kept_order(hierarchy, values).leaves
        leaves += [missing] if missing in kept else []
    return {leaf: place for place, leaf in enumerate(leaves)}


def _node_texts(
    covers: Sequence[Cover], identifier: CountedQuasiIdentifier, kept: Codes
) -> list[str]:
    """Return the names of nodes, with their level where blocks of other levels have them too.

    Only kept values count: other blocks, and others in a block, may be there because of suppressed
    people.
    """
    hierarchy = identifier.hierarchy
    named: dict[str, set[bytes]] = {}
    for level in range(identifier.minimum_level, hierarchy.height + 1):
        blocks = hierarchy.levels[level][kept]
        order = np.argsort(blocks, kind="stable")
        starts = np.flatnonzero(np.diff(blocks[order])) + 1
        for leaves in np.split(kept[order], starts):
            name = hierarchy.labels[level][hierarchy.levels[level][leaves[0]]]
            named.setdefault(name, set()).add(leaves.tobytes())
    texts = []
    for cover in covers:
        assert cover.level is not None, "a node has a level"
        name = hierarchy.labels[cover.level][hierarchy.levels[cover.level][cover.first]]
        texts.append(f"{name} (level {cover.level})" if len(named[name]) > 1 else name)
    return texts


def _value_texts(
    covers: Sequence[Cover], identifier: CountedQuasiIdentifier, places: Mapping[int, int]
) -> list[str]:
    """Return labels that name the values themselves, or the blocks of the minimum level.

    ``places`` has the order of the kept leaves.
    """
    hierarchy, least = identifier.hierarchy, identifier.minimum_level
    names = [hierarchy.labels[least][block] for block in hierarchy.levels[least].tolist()]
    texts = []
    for cover in covers:
        if cover.listed:
            listed = sorted(cover.listed, key=places.__getitem__)
            texts.append(full_set_label([names[leaf] for leaf in listed]))
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
