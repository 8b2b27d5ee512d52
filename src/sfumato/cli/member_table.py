"""The members of a family as a table for people, and as JSON for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.cli.output import Output


def show_members(
    output: Output,
    records: Sequence[Mapping[str, str | Sequence[str]]],
    *,
    columns: Sequence[str],
    problems: Sequence[str],
) -> None:
    """Show some columns of the records, or all of them as JSON, and warn of broken plug-ins."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column)
    for record in records:
        table.add_row(*(Text(_written(record[column])) for column in columns))
    output.show(table)
    for problem in problems:
        output.warn(problem)
    output.json(records)


def _written(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value) or "–"
