"""The members of a family as a table for people, and as JSON for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.cli.output import Output
    from sfumato.plugins.offers import Origin

    Record = Mapping[str, str | bool | Sequence[str] | None]


def show_members(
    output: Output,
    records: Sequence[Record],
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


def origin_record(origin: Origin) -> dict[str, str | None]:
    """Return where a member comes from, in one text and in its parts."""
    return {"origin": str(origin), "package": origin.package, "version": origin.version}


def _written(value: str | bool | Sequence[str] | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ", ".join(value or ()) or "–"
