"""The SQL of columns of which only some values matter, one text for all engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.sql.opened_table import OpenedTable, SessionT_co


def told_apart_table(
    table: OpenedTable[SessionT_co], told_apart: Mapping[str, Sequence[str]]
) -> OpenedTable[SessionT_co]:
    """Return the table with one text for all that need not be told apart in some columns."""
    if not told_apart:
        return table
    literal = table.dialect.literal
    columns = []
    for position, name in enumerate(table.names):
        column = f"c{position}"
        if name in told_apart:
            text = table.text(name)
            named = ", ".join(map(literal, told_apart[name])) or "NULL"
            other = literal(_other_text(told_apart[name]))
            column = (
                f"CASE WHEN {text} IS NULL THEN NULL WHEN {text} IN ({named}) THEN {text} "
                f"ELSE {other} END AS c{position}"
            )
        columns.append(column)
    return table.with_columns(f"(SELECT {', '.join(columns)} FROM {table.sql}) AS told_apart")


def _other_text(named: Sequence[str]) -> str:
    other = "other"
    while other in named:
        other += "'"
    return other
