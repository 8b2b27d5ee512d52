"""A page that is one text, with its style, its scripts and its data inside it, and its file."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING

from sfumato.documents.whole_file import write_whole
from sfumato.errors import SettingsError
from sfumato.pages.frame import framed_page, part
from sfumato.views.json_text import page_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


SHARED_SCRIPTS = ("elements.js", "metrics.js", "axes.js", "scrolling.js")
"""What all pages draw with, in the order in which the functions of one use those of another."""


@dataclass(frozen=True, kw_only=True)
class PagePart:
    """What a page shows: its data, and the parts that draw them.

    ``texts`` fill the ``body`` and are HTML: whoever makes them escapes them. Every text of the
    data is set as text by the scripts. It is a page of its own, or stands inside another one.
    """

    title: str
    body: str
    texts: Mapping[str, str]
    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    data: object

    def html(self, *, main: str) -> str:
        """Return the body, whose main part is an element of some name."""
        return Template(_part(self.body)).substitute(self.texts, main=main)

    @property
    def style(self) -> str:
        """The style, beside that of all pages."""
        return "\n".join(map(_part, self.styles))

    @property
    def script(self) -> str:
        """The script, whose names nobody else sees."""
        return "'use strict';\n(() => {\n" + "\n".join(map(_part, self.scripts)) + "})();\n"

    @property
    def json(self) -> str:
        """The data that the script draws."""
        return page_json(self.data)


def self_contained_page(part: PagePart) -> str:
    """Return the page that is one file."""
    return framed_page(
        title=part.title,
        body=part.html(main="main"),
        styles=[part.style],
        script=part.script,
        data=part.json,
    )


def _part(name: str) -> str:
    return part("sfumato.report", name)


def check_page_path(
    path: Path, *, force: bool, kept: Mapping[Path, str], what: str, option: str
) -> None:
    """Refuse a place that a page must not take: a folder, the files it comes from, other work.

    ``kept`` says of files that are never replaced what they are; ``what`` is what errors call the
    page, ``option`` the one that names another file. With ``force`` a file is replaced, and only
    one that is HTML: never data or a study.
    """
    if path.is_dir():
        raise SettingsError(
            f"{path} is a folder",
            code="is-a-folder",
            file=path,
            remedy=f"name a file in it, like {path}/report.html",
        )
    if not path.exists():
        return
    for other, other_is in kept.items():
        if other.exists() and path.samefile(other):
            raise SettingsError(
                f"{path} is {other_is}, and is never replaced",
                code="never-replaced",
                file=path,
                remedy=f"name another file with {option}",
            )
    if not _is_html(path):
        raise SettingsError(
            f"{path} exists and is not an HTML file, so the {what} does not replace it",
            code="never-replaced",
            file=path,
            remedy=f"name another file with {option}",
        )
    if not force:
        raise SettingsError(
            f"{path} exists",
            code="already-exists",
            file=path,
            remedy=f"name another file with {option}, or replace it with --force",
        )


def _is_html(path: Path) -> bool:
    """Say whether a file begins as a page does, or is empty."""
    try:
        with path.open("rb") as file:
            start = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    except OSError as error:
        raise SettingsError.unreadable(path, error) from None
    return not start or start.startswith((b"<!doctype html", b"<html"))


def write_page(text: str, path: Path) -> None:
    """Write a page that only its owner may read; it appears whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise SettingsError.unwritable(
            path, error, remedy="name a file in a folder that exists and that you may write to"
        ) from None
