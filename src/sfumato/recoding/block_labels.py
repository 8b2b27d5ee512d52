"""Labels for any block of neighbouring leaves."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from sfumato.hierarchies.domains.domain import DateDomain, MissingDomain, NumberDomain
from sfumato.hierarchies.domains.exact_number import grid_line, parse_number, tidy_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.hierarchies.hierarchy import Hierarchy

MOST_LISTED = 30
"""A block of more categories is written by its first and last one and their number."""


def block_label(hierarchy: Hierarchy, first: int, last: int) -> str:
    """Return the label of the block from one leaf to another.

    A block that is a node of the tree has the node's own name, at the finest level that has it.
    Any other is an interval of numbers, a span of dates, or a set of categories.

    >>> from sfumato.hierarchies.builders.intervals import Intervals
    >>> age = Intervals(low=17, high=90, widths=(10,)).build([], column="age")
    >>> block_label(age, 0, 7), block_label(age, 3, 12), block_label(age, 4, 4)
    ('[17, 25)', '[20, 30)', '21')
    """
    own = node_label(hierarchy, first, last)
    return span_label(hierarchy.domain, first, last) if own is None else own


def node_label(hierarchy: Hierarchy, first: int, last: int) -> str | None:
    """Return the name of the tree node with these leaves, None if there is none."""
    for level, codes in enumerate(hierarchy.levels):
        if codes[first] == codes[last]:
            # Levels only merge: at this one the block is the node, or lies inside a greater one.
            block = int(codes[first])
            starts = int(hierarchy.block_starts(level)[block]) == first
            ends = int(hierarchy.block_sizes(level)[block]) == last - first + 1
            return hierarchy.labels[level][block] if starts and ends else None
    return None


def span_label(domain: Domain, first: int, last: int) -> str:
    """Return the label of a block by its leaves alone.

    >>> from sfumato.hierarchies.domains.domain import CategoryDomain
    >>> span_label(CategoryDomain(values=("Divorced", "Widowed", "Married")), 0, 1)
    '{Divorced, Widowed}'
    """
    leaves = domain.leaves
    if first == last:
        return leaves[first]
    if isinstance(domain, MissingDomain):
        if last == len(leaves) - 1:
            return f"{span_label(domain.known, first, last - 1)} or {domain.label}"
        return span_label(domain.known, first, last)
    if isinstance(domain, NumberDomain):
        low, high = (
            tidy_number(grid_line(line, origin=domain.exact_low, unit=domain.exact_unit))
            for line in (first, last + 1)
        )
        return f"[{low}, {high}{']' if domain.closed and last == domain.count - 1 else ')'}"
    if isinstance(domain, DateDomain) or (
        domain.ordered and any(parse_number(leaf) is None for leaf in (leaves[first], leaves[last]))
    ):
        return f"{leaves[first]} to {leaves[last]}"
    if domain.ordered:
        return f"[{leaves[first]}, {leaves[last]}]"
    return set_label(leaves[first : last + 1])


def interval_between(first: str, last: str) -> str | None:
    """Return the interval from one interval to another, None if their names are not intervals.

    >>> interval_between("[20, 30)", "[40, 50)"), interval_between("young", "old")
    ('[20, 50)', None)
    """
    ends = [name[1:-1].split(", ") for name in (first, last)]
    if not all(name[:1] == "[" and name[-1:] in ("]", ")") for name in (first, last)):
        return None
    if not all(len(pair) == 2 and None not in map(parse_number, pair) for pair in ends):
        return None
    return f"[{ends[0][0]}, {ends[1][1]}{last[-1]}"


def set_label(values: Sequence[str]) -> str:
    """Return the label of a set of categories.

    >>> set_label(["Bonn"]), set_label(["Bonn", "Ulm"])
    ('Bonn', '{Bonn, Ulm}')
    """
    if len(values) > MOST_LISTED:
        return f"{{{values[0]}, …, {values[-1]}: {len(values)} values}}"
    return full_set_label(values)


def full_set_label(values: Sequence[str]) -> str:
    """Return the label of a set of categories, with all of them.

    A value that has a comma, a brace or a quotation mark is quoted, so that a reader can take the
    label apart; so is one that has nothing, or blanks at an end.

    >>> full_set_label(["Bonn", "Frankfurt, Main"])
    '{Bonn, "Frankfurt, Main"}'
    """
    if len(values) == 1 and not values[0].startswith("{"):
        return values[0]
    return f"{{{', '.join(map(_quoted, values))}}}"


def _quoted(value: str) -> str:
    if value != value.strip() or not value or any(sign in value for sign in ',{}"'):
        return '"' + value.replace('"', '""') + '"'
    return value


def block_labels(hierarchy: Hierarchy, cuts: Sequence[int]) -> tuple[str, ...]:
    """Return the labels of all blocks of a partition; ``cuts`` are the leaves after each cut.

    They are unique, or the release would merge blocks. Names of nodes are unique inside a level
    only: where two of different levels meet, the blocks are named by their leaves instead.
    """
    starts = [0, *cuts, hierarchy.leaf_count]
    spans = [(first, end - 1) for first, end in itertools.pairwise(starts)]
    labels = [block_label(hierarchy, first, last) for first, last in spans]
    for attempt in (span_label, _numbered_label):
        counts = Counter(labels)
        if len(counts) == len(labels):
            break
        labels = [
            attempt(hierarchy.domain, first, last) if counts[label] > 1 and first < last else label
            for label, (first, last) in zip(labels, spans, strict=True)
        ]
    return tuple(labels)


def _numbered_label(domain: Domain, first: int, last: int) -> str:
    """Return a label that no other block can have, for values that look like labels of ours."""
    return f"{span_label(domain, first, last)} (values {first + 1} to {last + 1})"
