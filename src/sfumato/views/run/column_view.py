"""What a recoding makes of a quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.recoding import Recoding
    from sfumato.study.runs.run import ColumnLabels, RunColumn
    from sfumato.study.study import Study

MOST_EXAMPLES = 4


@dataclass(frozen=True, kw_only=True)
class ColumnView:
    """A quasi-identifier, its level or number of blocks or labels, and what its values become.

    ``values_become`` has labels of blocks from level 1 up; of level 0 no value is shown. In a local
    recoding it has labels that cover several values.
    """

    name: str
    level: str
    values_become: str


def column_views(
    columns: Sequence[RunColumn],
    recoding: Recoding,
    study: Study,
    *,
    labels: Mapping[str, ColumnLabels],
) -> tuple[ColumnView, ...]:
    """Return every quasi-identifier at the level, or with the labels, that a recoding gives it."""
    attributes = {attribute.name: attribute for attribute in study.attributes}
    found = []
    for column in columns:
        place = column.place(recoding)
        if place is None:
            found.append(_labelled(column, labels[column.name]))
            continue
        found.append(
            ColumnView(
                name=column.name,
                level=_level(column, place),
                values_become=values_become(column, place, attributes[column.name]),
            )
        )
    return tuple(found)


def _labelled(column: RunColumn, labels: ColumnLabels) -> ColumnView:
    shown = ", ".join(labels.examples[:MOST_EXAMPLES])
    covered = f"{labels.covered:.1f}" if labels.covered < 100 else f"{labels.covered:,.0f}"
    mean = f"{covered} of {column.leaf_count:,} values in the mean"
    return ColumnView(
        name=column.name,
        level=counted(labels.count, "label"),
        values_become=f"{mean}, like {shown}" if shown else "unchanged",
    )


def _level(column: RunColumn, place: int) -> str:
    here = column.pages[place]
    if not here.is_level:
        return f"{here.blocks:,} blocks"
    if here.name is not None:
        return f"{here.name} ({place})"
    return f"{place} of {sum(page.is_level for page in column.pages) - 1}"


def values_become(column: RunColumn, place: int, attribute: Attribute) -> str:
    """Return what values become at a level: some labels, or that they stay as they are."""
    here = column.pages[place]
    if here.blocks == column.leaf_count and (place == 0 or not here.is_level):
        return f"unchanged{_unit(attribute)}"
    shown = ", ".join(here.examples[:MOST_EXAMPLES])
    more = here.blocks - min(len(here.examples), MOST_EXAMPLES)
    return f"{shown}, … and {more:,} more" if more > 0 else shown


def _unit(attribute: Attribute) -> str:
    """Return what the finest values are, where they are not written as they were."""
    builder = attribute.hierarchy
    if isinstance(builder, Dates) and builder.levels[0] != "day":
        return f", by the {builder.levels[0]}"
    if isinstance(builder, Dates) and builder.format is not None:
        return ", in ISO form"
    if isinstance(builder, Intervals) and builder.unit != 1:
        return f", in intervals of {builder.unit}"
    return ""
