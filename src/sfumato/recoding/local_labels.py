"""The labels of the classes of a local recoding: what they cover, and what they are called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.hierarchies.domains.domain import DateDomain, MissingDomain, NumberDomain
from sfumato.microdata.count_table import Leaves
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import full_set_label, span_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable
    from sfumato.recoding.local import Local


class Cover(NamedTuple):
    """What a label covers: the leaves from ``first`` to ``last``, or those that are listed.

    ``missing`` says that missing values are covered besides. ``level`` is that of a node.
    """

    first: int
    last: int
    missing: bool = False
    listed: tuple[int, ...] = ()
    level: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class LocalColumn:
    """The labels of one quasi-identifier: which of its ``covers`` every class has.

    Covers ascend in the order of the domain. ``sizes`` has the number of domain values of every
    cover, and ``rows`` the rows of the table whose value it covers. ``kept`` are the leaves of the
    kept cells.
    """

    name: str
    output: Output
    of_class: Counts
    covers: tuple[Cover, ...]
    sizes: Counts
    rows: Counts
    kept: Codes
    identifier: CountedQuasiIdentifier

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The label of every cover. Different covers have different labels.

        They are a function of the kept rows and of declared domains alone.
        """
        texts = _node_texts(self) if self.output is Output.HIERARCHY else _value_texts(self)
        twice = {text for text, times in Counter(texts).items() if times > 1}
        if not twice:
            return tuple(texts)
        # Values can look like labels of ours.
        return tuple(
            f"{text} (label {number})" if text in twice else text
            for number, text in enumerate(texts, start=1)
        )

    def leaves(self, cover: Cover) -> Codes:
        """Return the leaves that a cover holds."""
        return covered_leaves(cover, self.identifier.hierarchy, self.identifier.minimum_level)


def local_columns(table: CountTable, recoding: Local) -> tuple[LocalColumn, ...]:
    """Return the labels of all classes of a recoding, from the cells that it keeps."""
    recoding.check(table)
    kept = np.flatnonzero(recoding.classes >= 0)
    order = kept[np.argsort(recoding.classes[kept], kind="stable")]
    classes = recoding.classes[order]
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    found = []
    for q, identifier in enumerate(table.quasi_identifiers):
        output = recoding.outputs[identifier.name]
        make = {
            Output.HIERARCHY: _nodes,
            Output.INTERVAL: _intervals,
            Output.SET: _sets,
        }[output]
        covers = make(table.cell_codes[q][order], starts, identifier)
        # In the order of the domain: that of the classes would tell of their cells.
        number = {cover: code for code, cover in enumerate(sorted(set(covers)))}
        marginal = table.marginal(Leaves(identifier.name))
        inside = [
            covered_leaves(cover, identifier.hierarchy, identifier.minimum_level)
            for cover in number
        ]
        found.append(
            LocalColumn(
                name=identifier.name,
                output=output,
                of_class=np.array([number[cover] for cover in covers], dtype=np.int64),
                covers=tuple(number),
                sizes=np.array([leaves.shape[0] for leaves in inside], dtype=np.int64),
                rows=np.array([marginal[leaves].sum() for leaves in inside], dtype=np.int64),
                kept=np.unique(table.cell_codes[q][kept]),
                identifier=identifier,
            )
        )
    return tuple(found)


def covered_leaves(cover: Cover, hierarchy: PartitionedDomain, minimum_level: int) -> Codes:
    """Return all leaves of the domain that a cover holds."""
    if cover.listed:
        blocks = hierarchy.levels[minimum_level][list(cover.listed)]
        leaves = np.flatnonzero(np.isin(hierarchy.levels[minimum_level], blocks))
    else:
        leaves = np.arange(cover.first, cover.last + 1)
    if cover.missing:
        leaves = np.append(leaves, hierarchy.leaf_count - 1)
    return leaves.astype(np.int32)


def _nodes(codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier) -> list[Cover]:
    """Return the lowest node of the hierarchy that covers the values of every class."""
    hierarchy = identifier.hierarchy
    covers: list[Cover | None] = [None] * starts.shape[0]
    for level in range(identifier.minimum_level, hierarchy.height + 1):
        blocks = hierarchy.levels[level][codes]
        least, most = np.minimum.reduceat(blocks, starts), np.maximum.reduceat(blocks, starts)
        first, sizes = hierarchy.block_starts(level), hierarchy.block_sizes(level)
        for c in np.flatnonzero(least == most).tolist():
            if covers[c] is None:
                block = int(least[c])
                begins = int(first[block])
                covers[c] = Cover(begins, begins + int(sizes[block]) - 1, level=level)
    return [cover for cover in covers if cover is not None]


def _intervals(codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier) -> list[Cover]:
    """Return the least and the greatest value of every class, and whether some are missing."""
    beyond = np.iinfo(np.int32).max
    known = (
        np.ones(codes.shape, dtype=np.bool_)
        if identifier.missing_leaf is None
        else codes != identifier.missing_leaf
    )
    first = np.minimum.reduceat(np.where(known, codes, beyond), starts)
    last = np.maximum.reduceat(np.where(known, codes, -1), starts)
    missing = np.maximum.reduceat(~known, starts)
    blocks = identifier.hierarchy.levels[identifier.minimum_level]
    sizes = identifier.hierarchy.block_sizes(identifier.minimum_level)
    covers = []
    for begin, end, some in zip(first.tolist(), last.tolist(), missing.tolist(), strict=True):
        if end < 0:
            assert identifier.missing_leaf is not None
            covers.append(Cover(identifier.missing_leaf, identifier.missing_leaf))
        else:
            # A cell has the first leaf of a block of the minimum level.
            covers.append(Cover(begin, end + int(sizes[blocks[end]]) - 1, missing=bool(some)))
    return covers


def _sets(codes: Codes, starts: Counts, identifier: CountedQuasiIdentifier) -> list[Cover]:  # noqa: ARG001
    """Return the values of every class."""
    ends = [*starts[1:].tolist(), codes.shape[0]]
    covers = []
    for begin, end in zip(starts.tolist(), ends, strict=True):
        listed = tuple(np.unique(codes[begin:end]).tolist())
        covers.append(Cover(listed[0], listed[-1], listed=listed))
    return covers


def _node_texts(column: LocalColumn) -> list[str]:
    """Return the names of nodes, with their level where blocks of other levels have them too.

    Only blocks that hold a kept value count: others may be there because of suppressed people.
    """
    hierarchy = column.identifier.hierarchy
    named: dict[str, set[tuple[int, int]]] = {}
    for level in range(column.identifier.minimum_level, hierarchy.height + 1):
        starts, sizes = hierarchy.block_starts(level), hierarchy.block_sizes(level)
        for block in np.unique(hierarchy.levels[level][column.kept]).tolist():
            leaves = int(starts[block]), int(sizes[block])
            named.setdefault(hierarchy.labels[level][block], set()).add(leaves)
    texts = []
    for cover in column.covers:
        assert cover.level is not None, "a node has a level"
        name = hierarchy.labels[cover.level][hierarchy.levels[cover.level][cover.first]]
        texts.append(f"{name} (level {cover.level})" if len(named[name]) > 1 else name)
    return texts


def _value_texts(column: LocalColumn) -> list[str]:
    """Return labels that name the values themselves, or the blocks of the minimum level."""
    hierarchy, least = column.identifier.hierarchy, column.identifier.minimum_level
    names = [hierarchy.labels[least][block] for block in hierarchy.levels[least].tolist()]
    texts = []
    for cover in column.covers:
        if cover.listed:
            texts.append(full_set_label([names[leaf] for leaf in cover.listed]))
            continue
        text = _interval_text(hierarchy.domain, cover, names, least)
        texts.append(f"{text} or {hierarchy.domain.leaves[-1]}" if cover.missing else text)
    return texts


def _interval_text(domain: Domain, cover: Cover, names: Sequence[str], minimum_level: int) -> str:
    """Return the label of an interval; whole numbers are named by the least and the greatest."""
    first, last = names[cover.first], names[cover.last]
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if first == last:
        return first
    if isinstance(known, NumberDomain) and known.whole:
        return f"[{known.leaves[cover.first]}, {known.leaves[cover.last]}]"
    if minimum_level and not isinstance(known, NumberDomain | DateDomain):
        return f"{first} to {last}"
    return span_label(known, cover.first, cover.last)
