"""The frame of a page that is one text, with its style, its script and its data inside it."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def part(room: str, name: str) -> str:
    """Return a part of the pages of a room, by its name.

    >>> part("sfumato.pages", "frame.html").splitlines()[0]
    '<!DOCTYPE html>'
    """
    return (files(room) / "parts" / name).read_text(encoding="utf-8")


def framed_page(
    *, title: str, body: str, styles: Sequence[str], script: str = "", data: str | None = None
) -> str:
    """Return a whole page: the shared style and ``styles``, and a script with its data, if any.

    Its content security policy allows exactly this style and this script, by their hashes, and
    no request at all. The title is escaped here. ``body`` is HTML and ``data`` is JSON: whoever
    makes them escapes them.
    """
    style = "\n".join([part("sfumato.pages", "page.css"), *styles])
    scripts, allowed = "", ""
    if script:
        scripts = (
            f'<script type="application/json" id="data">{data}</script>\n'
            f"<script>{script}</script>\n"
        )
        allowed = f"script-src 'sha256-{_digest(script)}'; "
    return Template(part("sfumato.pages", "frame.html")).substitute(
        policy=(
            f"default-src 'none'; style-src 'sha256-{_digest(style)}'; {allowed}"
            "base-uri 'none'; form-action 'none'"
        ),
        title=escape(title),
        body=body,
        style=style,
        scripts=scripts,
    )


def facts_list(facts: Sequence[tuple[str, str]]) -> str:
    """Return terms and what is said of them as the inside of a list of facts, escaped.

    >>> facts_list([("file", "<b>.csv")])
    '<div><dt>file</dt><dd>&lt;b&gt;.csv</dd></div>'
    """
    return "\n".join(
        f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in facts
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
