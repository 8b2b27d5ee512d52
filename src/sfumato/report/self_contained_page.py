"""A page that is one text: its style, its scripts and its data are inside it."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from sfumato.views.json_text import page_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHARED_SCRIPTS = ("elements.js", "metrics.js", "axes.js")
"""What all pages draw with, in the order in which the functions of one use those of another."""


def self_contained_page(
    data: object,
    *,
    title: str,
    body: str,
    texts: Mapping[str, str],
    styles: Sequence[str],
    scripts: Sequence[str],
) -> str:
    """Return the page that shows ``data`` by the named parts.

    Its content security policy allows exactly this style and this script, by their hashes, and
    no request at all. ``texts`` fill the body and are HTML: whoever makes them escapes them. The
    title is escaped here, and every text of the data is set as text by the script.
    """
    style = "\n".join(map(_part, styles))
    script = "'use strict';\n(() => {\n" + "\n".join(map(_part, scripts)) + "})();\n"
    return Template(_part("frame.html")).substitute(
        policy=(
            f"default-src 'none'; style-src 'sha256-{_digest(style)}'; "
            f"script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
        ),
        title=escape(title),
        body=Template(_part(body)).substitute(texts),
        style=style,
        script=script,
        data=page_json(data),
    )


def facts_list(facts: Sequence[tuple[str, str]]) -> str:
    """Return terms and what is said of them as the inside of a list of facts, escaped."""
    return "\n".join(
        f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in facts
    )


def _part(name: str) -> str:
    return (files("sfumato.report") / "parts" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
