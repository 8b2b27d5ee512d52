"""Groups of categories that behave alike, level by level, with labels to be renamed."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors.listing import counted
from sfumato.hierarchies.hierarchy import TOP
from sfumato.hierarchies.taxonomies.plain_text import spelling
from sfumato.study.proposal.information_bottleneck import merged_alike
from sfumato.study.proposal.ordered_categories import in_order
from sfumato.study.proposal.proposed_hierarchy import ProposedHierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.information_bottleneck import Blocks
    from sfumato.study.proposal.value_behaviour import ValueBehaviour

FEWEST_GROUPED = 3
"""Fewer values than this have no level between themselves and the top."""
LONGEST_LABEL = 40


def proposed_groups(behaviour: ValueBehaviour, *, most: int) -> ProposedHierarchy | None:
    """Return a hierarchy of the values that behave alike, None if there is nothing to merge.

    Spellings of one value are merged first. Rare values go where they cost least, into a group with
    a value that can be shown.
    """
    if most < 1:
        return None
    spelled = _spelled(behaviour)
    chiefs = [behaviour.values[members[0]] for members in spelled]
    order = in_order(chiefs)
    if order is not None:
        spelled = [spelled[chiefs.index(value)] for value in order]
    rare = behaviour.rows[-1] > 0
    told = [*spelled, *([(len(behaviour.values),)] if rare else [])]
    one_spelling = len(spelled) < len(behaviour.values)
    if len(spelled) < 2 or (len(told) < FEWEST_GROUPED and not one_spelling):
        return None
    values = [behaviour.values[place] for members in spelled for place in members]
    rows = [behaviour.rows[place] for members in told for place in members]
    levels = _levels(behaviour, told, most=most, ordered=order is not None)
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
    words = [f"{len(blocks)} {kind}" for blocks in levels]
    if one_spelling:
        words[0] = f"{len(levels[0])} values in one spelling"
    return ProposedHierarchy(
        settings=settings,
        levels=("the value", *words, TOP),
        remarks=tuple(remarks),
        without_values=outline,
    )


def _spelled(behaviour: ValueBehaviour) -> list[tuple[int, ...]]:
    """Return the places of the values, those of one spelling together, the most frequent first."""
    groups: dict[str, list[int]] = {}
    for place, value in enumerate(behaviour.values):
        groups.setdefault(spelling(value), []).append(place)
    return [
        tuple(sorted(places, key=lambda place: (-behaviour.rows[place], place)))
        for places in groups.values()
    ]


def _levels(
    behaviour: ValueBehaviour, told: Sequence[tuple[int, ...]], *, most: int, ordered: bool
) -> list[Blocks]:
    """Return the blocks of each level, by the places of the values in the order of ``told``."""
    starts = list(accumulate((len(members) for members in told), initial=0))
    rare = told[-1] == (len(behaviour.values),)
    counts = np.array([behaviour.counts[list(members)].sum(axis=0) for members in told])
    mergers = merged_alike(counts, ordered=ordered, first=len(told) - 1 if rare else None)
    shown = len(told) - rare
    sizes = [min(size, shown) for size in _sizes(len(told), most)]
    if len(told) - rare < len(behaviour.values):
        # The first level is that of one spelling.
        sizes = [shown, *(size for size in sizes if size < shown)][:most]
    return [
        tuple(
            tuple(place for unit in block for place in range(starts[unit], starts[unit + 1]))
            for block in mergers.with_blocks(size)
        )
        for size in sizes
    ]


def _sizes(count: int, most: int) -> list[int]:
    """Return numbers of groups that shrink by about the same factor, at least by half each.

    >>> _sizes(16, 4), _sizes(7, 4), _sizes(41, 2), _sizes(2, 4)
    ([8, 4, 2], [4, 2], [12, 3], [])
    """
    if count < FEWEST_GROUPED:
        return []
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
