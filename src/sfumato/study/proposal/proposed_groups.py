"""Groups of categories that behave alike, level by level, with labels to be renamed."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.hierarchy import TOP
from sfumato.study.proposal.information_bottleneck import merged_alike
from sfumato.study.proposal.ordered_categories import in_order
from sfumato.study.proposal.proposed_hierarchy import Detail, ProposedHierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.information_bottleneck import Blocks
    from sfumato.study.proposal.value_behaviour import ValueBehaviour

FEWEST_GROUPED = 3
"""Fewer values than this have no level between themselves and the top."""
LONGEST_LABEL = 40
_MOST_LEVELS = {Detail.FULL: 4, Detail.MIDDLE: 2, Detail.COARSE: 1}


def proposed_groups(behaviour: ValueBehaviour, *, detail: Detail) -> ProposedHierarchy | None:
    """Return a hierarchy of the values that behave alike, None if there is nothing to merge.

    Rare values go where they cost least, into a group with a value that can be shown.
    """
    order = in_order(behaviour.values)
    values = order or behaviour.values
    rare = behaviour.rows[-1] > 0
    if len(values) < 2 or len(values) + rare < FEWEST_GROUPED:
        return None
    place = {value: row for row, value in enumerate(behaviour.values)}
    chosen = [*(place[value] for value in values), *([len(values)] if rare else [])]
    mergers = merged_alike(
        behaviour.counts[chosen],
        ordered=order is not None,
        first=len(values) if rare else None,
    )
    sizes = [min(size, len(values)) for size in _sizes(len(chosen), _MOST_LEVELS[detail])]
    levels = [mergers.with_blocks(size) for size in sizes]
    rows = tuple(behaviour.rows[row] for row in chosen)
    labelled = _labelled(levels, values, rows, ordered=order is not None)
    settings: dict[str, TomlValue] = {"groups": _groups(levels, labelled, values)}
    outline: dict[str, TomlValue] = {"groups": [len(blocks) for blocks in levels]}
    remarks = [_reason(behaviour, ordered=order is not None)]
    if rare:
        group = next(
            label
            for block, label in zip(levels[0], labelled[0], strict=True)
            if len(values) in block
        )
        settings["others"] = group
        remarks.append("Values too rare to be shown here go into the group that others names.")
    kind = "ranges of neighbours" if order else "groups of values that behave alike"
    words = (f"{len(blocks)} {kind}" for blocks in levels)
    return ProposedHierarchy(
        settings=settings,
        levels=("the value", *words, TOP),
        remarks=tuple(remarks),
        without_values=outline,
    )


def _sizes(count: int, most: int) -> list[int]:
    """Return numbers of groups that shrink by about the same factor, at least by half each.

    >>> _sizes(16, 4), _sizes(7, 4), _sizes(41, 2)
    ([8, 4, 2], [4, 2], [12, 3])
    """
    levels = min(most, max(1, math.ceil(math.log2(count)) - 1))
    sizes = {round(count ** (level / (levels + 1))) for level in range(1, levels + 1)}
    return sorted((size for size in sizes if 2 <= size < count), reverse=True)


def _groups(
    levels: Sequence[Blocks], labels: Sequence[Sequence[str]], values: Sequence[str]
) -> list[TomlValue]:
    """Return for each level the labels with their members, of the first one with the values."""
    groups: list[TomlValue] = [
        {
            label: [values[value] for value in sorted(block) if value < len(values)]
            for block, label in zip(levels[0], labels[0], strict=True)
        }
    ]
    labelled = [
        dict(zip(blocks, names, strict=True)) for blocks, names in zip(levels, labels, strict=True)
    ]
    for below, above in pairwise(labelled):
        groups.append(
            {
                label: [member for inner, member in below.items() if inner[0] in block]
                for block, label in above.items()
            }
        )
    return groups


def _labelled(
    levels: Sequence[Blocks], values: Sequence[str], rows: Sequence[int], *, ordered: bool
) -> list[list[str]]:
    """Return the labels of all blocks; one label never stands for two blocks."""
    block_of: dict[str, tuple[int, ...]] = {value: (n,) for n, value in enumerate(values)}
    block_of[TOP] = ()
    found = []
    for blocks in levels:
        labels = []
        for block in blocks:
            members = tuple(sorted(block))
            plain = label = _label(members, values, rows, ordered=ordered)
            number = 2
            while block_of.setdefault(label, members) != members:
                label, number = f"{plain} ({number})", number + 1
            labels.append(label)
        found.append(labels)
    return found


def _label(
    members: tuple[int, ...], values: Sequence[str], rows: Sequence[int], *, ordered: bool
) -> str:
    shown = [member for member in members if member < len(values)]
    rare = len(shown) < len(members)
    if ordered:
        ends = [values[shown[0]], *([values[shown[-1]]] if len(shown) > 1 else [])]
        return " to ".join(ends) + (" or other" if rare else "")
    by_rows = sorted(shown, key=lambda member: (-rows[member], member))
    texts = [values[member] for member in by_rows] + (["other"] if rare else [])
    label = " or ".join(texts)
    if len(texts) <= 2 or len(label) <= LONGEST_LABEL:
        return label
    return f"{texts[0]} and {'others' if rare else counted(len(texts) - 1, 'other')}"


def _reason(behaviour: ValueBehaviour, *, ordered: bool) -> str:
    merged = "neighbours in the order of the values" if ordered else "values"
    return (
        f"The groups are a proposal made from the data: {merged} that behave alike towards the "
        f"other quasi-identifiers are merged first (agglomerative information bottleneck on "
        f"{counted(len(behaviour.towards), 'column')}). Nothing here knows what the values mean: "
        "rename the groups and move values where they belong."
    )
