"""What notebooks show of a result: a short table as HTML, without style or script of its own."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_ROWS = 20
"""How many rows a notebook shows of a long table: the first and the last ones."""


def notebook_table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    notes: Iterable[str] = (),
    most: int | None = MOST_ROWS,
) -> str:
    """Return a table with a title above and notes below, escaped; a long one is cut in the middle.

    >>> notebook_table("a < b", ["k"], [["5"]]).count("&lt;")
    1
    >>> cut = notebook_table("many", ["n"], [[str(n)] for n in range(30)])
    >>> cut.count("<tr>"), "10 more rows" in cut
    (22, True)
    """
    lines = [_row(row) for row in rows]
    if most is not None and len(lines) > most:
        half = most // 2
        left = len(lines) - 2 * half
        lines[half : len(lines) - half] = [
            f'<tr><td colspan="{len(heads)}">… {left:,} more rows …</td></tr>'
        ]
    below = "".join(f"<p>{escape(note)}</p>" for note in notes)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    table = (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        if lines
        else ""
    )
    return f"<div><p><strong>{escape(title)}</strong></p>{table}{below}</div>"


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
