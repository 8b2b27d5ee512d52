"""What the levels of a recoding mean: for every quasi-identifier, what its values become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from sfumato.microdata.roles import Attribute
    from sfumato.study.runs.run import RunColumn
    from sfumato.study.study import Study

MOST_EXAMPLES = 4


def level_meanings(columns: Sequence[RunColumn], levels: Mapping[str, int], study: Study) -> Table:
    """Return a table with a row for every quasi-identifier: its level and examples of labels.

    The examples are labels of blocks from level 1 up. At level 0 no value is shown.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    attributes = {attribute.name: attribute for attribute in study.attributes}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("column", "level", "values become"):
        table.add_column(head, overflow="fold")
    for column in columns:
        level = levels[column.name]
        place = f"{level} of {len(column.levels) - 1}"
        if column.levels[level].name is not None:
            place = f"{column.levels[level].name} ({level})"
        if column.levels[level].cuts is not None:
            place = f"{column.levels[level].blocks:,} blocks"
        become = level_meaning(column, level, attributes[column.name])
        table.add_row(*map(Text, (column.name, place, become)))
    return table


def level_meaning(column: RunColumn, level: int, attribute: Attribute) -> str:
    """Return what values become at a level, such as ``[20, 30), [30, 40), …``."""
    here = column.levels[level]
    if here.blocks == column.leaf_count and (level == 0 or here.cuts is not None):
        return f"as it is{_unit(attribute)}"
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
