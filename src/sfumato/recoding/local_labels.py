"""The labels of the classes of a local recoding: what they cover, and what they are called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.microdata.count_table import Leaves
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import full_set_label, node_label, span_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.hierarchies.hierarchy import Hierarchy
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

    ``sizes`` has the number of domain values of every cover, and ``rows`` the rows of the table
    whose value it covers.
    """

    name: str
    output: Output
    of_class: Counts
    covers: tuple[Cover, ...]
    sizes: Counts
    rows: Counts
    identifier: CountedQuasiIdentifier

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The label of every cover. Different covers have different labels."""
        hierarchy, least = self.identifier.hierarchy, self.identifier.minimum_level
        texts = [_text(cover, hierarchy, least) for cover in self.covers]
        twice = {text for text, times in Counter(texts).items() if times > 1}
        return tuple(
            _plain_text(cover, hierarchy, least) if text in twice else text
            for text, cover in zip(texts, self.covers, strict=True)
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
        number: dict[Cover, int] = {}
        of_class = [number.setdefault(cover, len(number)) for cover in covers]
        marginal = table.marginal(Leaves(identifier.name))
        inside = [
            covered_leaves(cover, identifier.hierarchy, identifier.minimum_level)
            for cover in number
        ]
        found.append(
            LocalColumn(
                name=identifier.name,
                output=output,
                of_class=np.array(of_class, dtype=np.int64),
                covers=tuple(number),
                sizes=np.array([leaves.shape[0] for leaves in inside], dtype=np.int64),
                rows=np.array([marginal[leaves].sum() for leaves in inside], dtype=np.int64),
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


def _text(cover: Cover, hierarchy: PartitionedDomain, minimum_level: int) -> str:
    if cover.level is not None:
        block = int(hierarchy.levels[cover.level][cover.first])
        return hierarchy.labels[cover.level][block]
    return _plain_text(cover, hierarchy, minimum_level)


def _plain_text(cover: Cover, hierarchy: PartitionedDomain, minimum_level: int) -> str:
    """Return a label that names the values themselves, never a node above the minimum level."""
    if cover.listed:
        level = hierarchy.levels[minimum_level]
        names = [hierarchy.labels[minimum_level][level[leaf]] for leaf in cover.listed]
        return full_set_label(names)
    text = span_label(hierarchy.domain, cover.first, cover.last)
    if minimum_level and not cover.missing:
        own = node_label(_tree(hierarchy), cover.first, cover.last)
        text = text if own is None else own
    if cover.missing:
        return f"{text} or {hierarchy.domain.leaves[-1]}"
    return text


def _tree(hierarchy: PartitionedDomain) -> Hierarchy:
    from sfumato.hierarchies.hierarchy import tree_of

    return tree_of(hierarchy, column="")


def column_texts(columns: Sequence[LocalColumn]) -> dict[str, tuple[str, ...]]:
    """Return the labels of every column."""
    return {column.name: column.texts for column in columns}
