"""Groups of people: whose picture is distorted most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.microdata.count_table import exact_bincount
from sfumato.utility.bins import bins_of
from sfumato.utility.distributions import shares_of, total_variation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.utility.released_table import ReleasedTable

MOST_GROUPS = 20


class GroupPicture(Record):
    """The people who have one original value of a column, and what became of all other columns.

    ``distortion`` is the mean over the other columns of the total variation between what these
    people have and what their released rows show; 1 where none of their rows is released.
    """

    column: str = Field(description="The column that makes the group.")
    value: str = Field(description="The value, or the bin, of the group.")
    rows: int = Field(description="The rows of the group.")
    suppressed: int = Field(description="How many of them are not released.")
    distortion: float = Field(description="The mean total variation of the other columns, 0 to 1.")
    worst: str = Field(description="The column whose distribution moved most.")
    worst_distortion: float = Field(description="Its total variation.")


def group_pictures(
    released: ReleasedTable, *, by: Sequence[str] | None = None
) -> tuple[GroupPicture, ...]:
    """Return the groups of some columns, the most distorted first.

    Without ``by`` they are the categories with at most 20 values. Groups are told apart by the
    originals, so that it is their publisher who can compute this, and nobody else.
    """
    original = released.original
    places = (
        [
            place
            for place, column in enumerate(original.columns)
            if column.numbers is None and 1 < len(column.leaves) <= MOST_GROUPS
        ]
        if by is None
        else [original.place(name) for name in by]
    )
    found = [picture for place in places for picture in _groups(released, place)]
    return tuple(sorted(found, key=lambda each: (-each.distortion, each.column, each.value)))


def _groups(released: ReleasedTable, place: int) -> list[GroupPicture]:
    original = released.original
    own = original.columns[place]
    bins = bins_of(own, exact_bincount(own.codes, original.counts, len(own.leaves)))
    group = bins.of_leaf[own.codes].astype(np.int64)
    rows = exact_bincount(group, original.counts, bins.count)
    kept = exact_bincount(group, released.counts, bins.count)
    others = [q for q in range(len(original.columns)) if q != place]
    distances = np.ones((bins.count, len(others)))
    for at, q in enumerate(others):
        column, shown = original.columns[q], released.columns[q]
        leaves, labels = len(column.leaves), shown.labels
        # Column by column, so that a table of groups and labels is all that takes room.
        before = exact_bincount(group * leaves + column.codes, original.counts, bins.count * leaves)
        after = exact_bincount(group * labels + shown.codes, released.counts, bins.count * labels)
        for number in np.flatnonzero(kept).tolist():
            spread = shown.spread(
                after[number * labels : (number + 1) * labels].astype(np.float64), leaves
            )
            was = before[number * leaves : (number + 1) * leaves]
            distances[number, at] = total_variation(shares_of(was), shares_of(spread))
    if not others:
        return []
    return [
        GroupPicture(
            column=own.name,
            value=bins.names[number],
            rows=int(rows[number]),
            suppressed=int(rows[number] - kept[number]),
            distortion=float(distances[number].mean()),
            worst=original.columns[others[int(distances[number].argmax())]].name,
            worst_distortion=float(distances[number].max()),
        )
        for number in np.flatnonzero(rows).tolist()
    ]
