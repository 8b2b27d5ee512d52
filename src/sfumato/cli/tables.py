"""Tables in a terminal, of anything and of the members of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.plugins.offers import Origin

    Record = Mapping[str, str | bool | Sequence[str] | None]


def text_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[str] = ()
) -> Table:
    """Return a table of plain texts; the columns named in ``right`` are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        if head in right:
            table.add_column(Text(head), justify="right")
        else:
            table.add_column(Text(head), overflow="fold")
    for cells in rows:
        table.add_row(*map(Text, cells))
    return table


def show_members(
    output: Output,
    records: Sequence[Record],
    *,
    columns: Sequence[str],
    problems: Sequence[str],
) -> None:
    """Show some columns of the records, or all of them as JSON, and warn of broken plug-ins."""
    cells = [[_written(record[column]) for column in columns] for record in records]
    output.show(text_table(columns, cells))
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
