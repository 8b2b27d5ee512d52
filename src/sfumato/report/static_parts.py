"""Tables and bars of pages that need no script: they can be printed and read anywhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, name: str = ""
) -> str:
    """Return a table whose first column is text and whose others are numbers; all is escaped.

    >>> table(["a", "b"], [["<x>", "1"]], caption="c").partition("<tbody>")[2][:42]
    '<tr><th scope="row">&lt;x&gt;</th><td clas'
    """
    first, *others = heads
    head = f'<th scope="col">{escape(first)}</th>' + "".join(
        f'<th scope="col" class="number">{escape(each)}</th>' for each in others
    )
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f'<td class="number">{escape(cell)}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    identity = f' id="{escape(name)}"' if name else ""
    return (
        f'<div class="scroll"><table{identity}><caption class="unseen">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def bar(share: float, kind: str) -> str:
    """Return a bar of a share of 0 to 1, as a picture that any width stretches.

    >>> bar(0.25, "before")[:45]
    '<svg class="share before" viewBox="0 0 100 8"'
    """
    width = f"{100 * min(max(share, 0.0), 1.0):.4g}"
    return (
        f'<svg class="share {kind}" viewBox="0 0 100 8" preserveAspectRatio="none" '
        f'aria-hidden="true"><rect width="{width}" height="8"/></svg>'
    )


def bars(
    rows: Sequence[tuple[str, Sequence[tuple[float, str]]]],
    kinds: Sequence[tuple[str, str]],
    *,
    caption: str,
    name: str = "",
) -> str:
    """Return a bar chart as a table: a row for each name, with bars of shares and their texts.

    ``kinds`` are the class and the name of each bar of a row. Every bar has its number beside it,
    so that nothing is told by colour or length alone.
    """
    legend = "".join(
        f'<li><span class="key {kind}"></span>{escape(text)}</li>' for kind, text in kinds
    )
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th><td>'
        + "".join(
            f'<span class="bar-line"><span class="unseen">{escape(kinds[place][1])}: </span>'
            f'{bar(share, kinds[place][0])}<span class="bar-text">{escape(text)}</span></span>'
            for place, (share, text) in enumerate(cells)
        )
        + "</td></tr>"
        for row, cells in rows
    )
    identity = f' id="{escape(name)}"' if name else ""
    shown = f'<ul class="legend">{legend}</ul>' if len(kinds) > 1 else ""
    return (
        f'{shown}<table class="bars"{identity}><caption class="unseen">{escape(caption)}</caption>'
        f"<tbody>{body}</tbody></table>"
    )
