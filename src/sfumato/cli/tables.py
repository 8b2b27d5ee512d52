"""Tables in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from rich.table import Table


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
