"""Labels of partitions that tell nothing of the rows that are left out.

They are a function of what the study declares, of the kept rows and of where the partition cuts
between them. A block that no kept row is in has no label.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.domains.domain import (
    CategoryDomain,
    DateDomain,
    MissingDomain,
    NumberDomain,
)
from sfumato.hierarchies.domains.exact_number import grid_line, tidy_number
from sfumato.hierarchies.kept_order import KeptOrder, kept_order
from sfumato.recoding.block_labels import node_label, set_label, span_label

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.classes.anonymization import Anonymization
    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.microdata.count_table import CountedQuasiIdentifier
    from sfumato.recoding.written_column import ColumnBlocks


def kept_leaves(anonymization: Anonymization) -> list[Flags]:
    """Return, for every quasi-identifier, which leaves occur in the rows that are kept."""
    table = anonymization.table
    cell_of = np.repeat(np.arange(table.cells), np.diff(table.entry_starts))
    kept = np.unique(cell_of[~anonymization.suppressed])
    found = []
    for q, hierarchy in enumerate(table.hierarchies):
        flags: Flags = np.zeros(hierarchy.leaf_count, dtype=np.bool_)
        flags[table.cell_codes[q][kept]] = True
        found.append(flags)
    return found


def with_kept_labels(
    column: ColumnBlocks, hierarchy: Hierarchy, identifier: CountedQuasiIdentifier, kept: Flags
) -> ColumnBlocks:
    """Return a partition's blocks with labels that do not depend on the rows that are left out.

    ``kept`` are the leaves that kept rows have. Where a domain is not declared its leaves are the
    values that occur: sets of categories name the kept ones only, the node of a tree names those
    that hold all of its kept leaves, and the outermost intervals are open, because their ends would
    be the least and the greatest value. That a value is missing is said where a kept row lacks one.
    Above a minimum level only the first leaf of its blocks is known to be kept, so that sets name
    these blocks.
    """
    occurring = np.flatnonzero(kept).astype(np.int32)
    blocks = _KeptBlocks(
        hierarchy=hierarchy,
        identifier=identifier,
        block_of_leaf=column.block_of_leaf,
        kept=occurring,
    )
    shown = np.unique(column.block_of_leaf[occurring]).tolist()
    labels = {block: blocks.label(block) for block in shown}
    times = Counter(labels.values())
    numbered = {
        block: f"{label} (block {place})" if times[label] > 1 else label
        for place, (block, label) in enumerate(labels.items(), start=1)
    }
    return replace(column, labels=tuple(numbered.get(b) for b in range(len(column.labels))))


@dataclass(frozen=True, kw_only=True, eq=False)
class _KeptBlocks:
    """The blocks of a column that hold kept leaves. Blocks are runs of neighbouring leaves."""

    hierarchy: Hierarchy
    identifier: CountedQuasiIdentifier
    block_of_leaf: Codes
    kept: Codes

    def label(self, block: int) -> str:
        """Return the label of a block with kept leaves."""
        domain, gap = self.hierarchy.domain, self.hierarchy.missing_leaf
        first, end = np.searchsorted(self.block_of_leaf, [block, block + 1]).tolist()
        last = end - 1
        if not isinstance(domain, MissingDomain) or gap is None:
            return self._known_label(domain, block, first, last)
        if first == gap or not (self.identifier.domain_declared or block in self._shown):
            return domain.label
        lacking = last == gap and bool(self.kept[-1] == gap)
        if lacking and self._is_everything(block, first, gap - 1):
            return self._top
        known = self._known_label(domain.known, block, first, min(last, gap - 1))
        return f"{known} or {domain.label}" if lacking else known

    @property
    def _top(self) -> str:
        return self.hierarchy.labels[-1][0]

    @cached_property
    def _known(self) -> Codes:
        """The kept leaves but that of missing values."""
        known: Codes = self.kept[self.kept != self.hierarchy.missing_leaf]
        return known

    @cached_property
    def _block_of_known(self) -> Codes:
        blocks: Codes = self.block_of_leaf[self._known]
        return blocks

    @cached_property
    def _shown(self) -> list[int]:
        """The blocks of kept rows that do not lack the value."""
        return list(np.unique(self._block_of_known).tolist())

    def _is_everything(self, block: int, first: int, last: int) -> bool:
        """Say whether all kept values are in a block, or all values of a declared domain."""
        if not self.identifier.domain_declared:
            return self._shown == [block]
        missing = self.hierarchy.missing_leaf
        end = self.hierarchy.leaf_count if missing is None else missing
        return first == 0 and last == end - 1

    def _known_label(self, domain: Domain, block: int, first: int, last: int) -> str:
        """Return the label of a block, missing values apart."""
        # Where no kept row lacks the value, the top is as if no row did.
        alone = self._known.shape == self.kept.shape
        everything = alone and self._is_everything(block, first, last)
        if self.identifier.domain_declared:
            own = node_label(self.hierarchy, first, last)
            if own is not None:
                return own
            return self._top if everything else span_label(domain, first, last)
        if everything:
            return self._top
        if isinstance(domain, NumberDomain | DateDomain):
            return self._open_label(domain, block, first, last)
        return self._category_label(block)

    def _open_label(
        self, domain: NumberDomain | DateDomain, block: int, first: int, last: int
    ) -> str:
        """Return the label of numbers or dates, without the ends that nobody declared."""
        begins, ends = block == self._shown[0], block == self._shown[-1]
        if begins and ends:
            return "any value"
        if not begins and not ends:
            own = node_label(self.hierarchy, first, last)
            return span_label(domain, first, last) if own is None else own
        if isinstance(domain, DateDomain):
            edge = domain.leaves[last + 1] if begins else domain.leaves[first]
            return f"before {edge}" if begins else f"from {edge} on"
        place = last + 1 if begins else first
        line = grid_line(place, origin=domain.exact_low, unit=domain.exact_unit)
        return f"under {tidy_number(line)}" if begins else f"{tidy_number(line)} and over"

    def _category_label(self, block: int) -> str:
        """Return the name of the finest node with these kept leaves, or else the leaves."""
        hierarchy, least = self.hierarchy, self.identifier.minimum_level
        begin, end = np.searchsorted(self._block_of_known, [block, block + 1]).tolist()
        inside = self._known[begin:end]
        for level in range(least, hierarchy.height):
            node = hierarchy.levels[level][inside]
            if (node == node[0]).all() and self._kept_of_node[level][node[0]] == inside.shape[0]:
                return hierarchy.labels[level][int(node[0])]
        if least:
            codes = np.unique(hierarchy.levels[least][inside]).tolist()
            return set_label(sorted(hierarchy.labels[least][code] for code in codes))
        places = sorted(self._place_of[leaf] for leaf in inside.tolist())
        texts = [hierarchy.domain.leaves[self._order.leaves[place]] for place in places]
        if self._order.ordered and places[-1] - places[0] == len(places) - 1:
            return span_label(CategoryDomain(values=tuple(texts), ordered=True), 0, len(texts) - 1)
        return set_label(texts)

    @cached_property
    def _kept_of_node(self) -> list[Counts]:
        """How many kept leaves every node has, by level."""
        return [np.bincount(level[self._known]) for level in self.hierarchy.levels]

    @cached_property
    def _place_of(self) -> dict[int, int]:
        return {leaf: place for place, leaf in enumerate(self._order.leaves)}

    @cached_property
    def _order(self) -> KeptOrder:
        return kept_order(self.hierarchy, self._known)
