"""Labels of blocks that tell nothing of the rows that are left out."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.domains.domain import DateDomain, MissingDomain, NumberDomain
from sfumato.hierarchies.domains.exact_number import grid_line, tidy_number
from sfumato.recoding.block_labels import node_label, set_label, span_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags
    from sfumato.classes.anonymization import Anonymization
    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.hierarchies.hierarchy import Hierarchy
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
    column: ColumnBlocks,
    hierarchy: Hierarchy,
    kept: Flags,
    *,
    declared: bool,
    minimum_level: int = 0,
) -> ColumnBlocks:
    """Return a partition's blocks with labels that do not depend on the rows that are left out.

    ``kept`` are the leaves that kept rows have. Where a domain is not ``declared`` its leaves are
    the values that occur: sets of categories name the kept ones only, and the outermost intervals
    are open, because their ends would be the least and the greatest value. That a value is
    missing is said where a kept row lacks one. Names of nodes of the tree stay. Above a
    ``minimum_level`` only the first leaf of its blocks is known to be kept, so that sets name
    these blocks.
    """
    cuts = (np.flatnonzero(np.diff(column.block_of_leaf)) + 1).tolist()
    starts = [0, *cuts, hierarchy.leaf_count]
    labels = [
        _label(hierarchy, first, end - 1, kept, declared=declared, minimum_level=minimum_level)
        for first, end in itertools.pairwise(starts)
    ]
    twice = {label for label, times in Counter(labels).items() if times > 1}
    return replace(
        column,
        labels=tuple(
            f"{label} (block {place + 1})" if label in twice else label
            for place, label in enumerate(labels)
        ),
    )


def _label(
    hierarchy: Hierarchy, first: int, last: int, kept: Flags, *, declared: bool, minimum_level: int
) -> str:
    own = node_label(hierarchy, first, last)
    if own is not None:
        return own
    domain = hierarchy.domain
    missing = isinstance(domain, MissingDomain) and last == len(domain.leaves) - 1
    names = _names(hierarchy, minimum_level)
    if isinstance(domain, MissingDomain):
        known: Domain = domain.known
        label = _known_label(known, first, last - missing, kept, names, declared=declared)
        return f"{label} or {domain.label}" if missing and kept[last] else label
    return _known_label(domain, first, last, kept, names, declared=declared)


def _names(hierarchy: Hierarchy, minimum_level: int) -> list[str] | None:
    """Return the label of the block at the minimum level of every leaf, None without one."""
    if not minimum_level:
        return None
    return [
        hierarchy.labels[minimum_level][block] for block in hierarchy.levels[minimum_level].tolist()
    ]


def _known_label(
    domain: Domain,
    first: int,
    last: int,
    kept: Flags,
    names: Sequence[str] | None,
    *,
    declared: bool,
) -> str:
    if declared:
        return span_label(domain, first, last)
    if isinstance(domain, NumberDomain | DateDomain):
        return _open_label(domain, first, last)
    inside = (first + np.flatnonzero(kept[first : last + 1])).tolist()
    if not inside:
        # No row has this label: it is never written.
        return span_label(domain, first, last)
    if names is not None:
        return set_label(list(dict.fromkeys(names[leaf] for leaf in inside)))
    if domain.ordered:
        return span_label(domain, inside[0], inside[-1])
    return set_label([domain.leaves[leaf] for leaf in inside])


def _open_label(domain: NumberDomain | DateDomain, first: int, last: int) -> str:
    begins, ends = first == 0, last == len(domain.leaves) - 1
    if not begins and not ends:
        return span_label(domain, first, last)
    if begins and ends:
        return "any value"
    if isinstance(domain, DateDomain):
        return f"before {domain.leaves[last + 1]}" if begins else f"from {domain.leaves[first]} on"
    line = grid_line(last + 1 if begins else first, origin=domain.exact_low, unit=domain.exact_unit)
    return f"under {tidy_number(line)}" if begins else f"{tidy_number(line)} and over"
