"""The page: one file that holds what it may, escaped, and appears whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.report.made_run import (
    HOSTILE_COLUMN,
    HOSTILE_LABEL,
    NAMES,
    STATEMENT_FOLDER,
    hostile_study,
    made_run,
    people,
)

from sfumato.documents.threat_model import THREAT_MODEL
from sfumato.errors import SettingsError
from sfumato.report.report import write_report

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.runs.run import Run


@cache
def run() -> Run:
    return made_run(hostile_study(), source="<b>patients & 'co'.csv")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(run(), path)
    return path.read_text(encoding="utf-8")


class Parts(HTMLParser):
    """The elements of a page, and the texts of its styles and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.scripts.append("")
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data
        else:
            self.words.append(data)


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(text: str) -> None:
    parts = Parts(text)
    policy = next(
        attributes["content"]
        for tag, attributes in parts.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    style, data, script = parts.scripts
    digest = {
        each: base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()
        for each in (style, script)
    }
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest[style]}'; "
        f"script-src 'sha256-{digest[script]}'; base-uri 'none'; form-action 'none'"
    )
    assert json.loads(data)["source"] == "<b>patients & 'co'.csv"


def test_nothing_is_fetched(text: str) -> None:
    for tag, attributes in Parts(text).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a"), tag
        assert not {"src", "href", "srcset", "style"} & set(attributes)
    outside = text.replace("http://www.w3.org/2000/svg", "")  # a name, which nothing asks for
    assert "//" not in re.sub(r"^\s*//.*$", "", outside, flags=re.M).replace(" // ", "")
    assert "url(" not in outside.replace("url(#inside)", "")
    assert "@import" not in text


def test_scripts_set_texts_and_never_html(text: str) -> None:
    script = Parts(text).scripts[-1]
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
        "srcdoc",
        "fetch(",
        "XMLHttp",
        "WebSocket",
        "sendBeacon",
        "import(",
        "localStorage",
    ):
        assert way not in script, way


def test_hostile_names_stay_texts(text: str) -> None:
    parts = Parts(text)
    assert {tag for tag, _ in parts.elements} <= {
        "html", "head", "meta", "title", "style", "body", "header", "p", "h1", "h2", "h3",
        "strong", "dl", "div", "dt", "dd", "noscript", "main", "section", "label", "select",
        "span", "button", "ul", "li", "pre", "code", "details", "summary", "table", "script",
    }  # fmt: skip
    assert not any(key.startswith("on") for _, found in parts.elements for key in found)
    words = "".join(parts.words)
    assert HOSTILE_COLUMN in words
    assert "<b>patients & 'co'.csv" in words
    assert HOSTILE_LABEL in json.dumps(json.loads(parts.scripts[1]), ensure_ascii=False).replace(
        '\\"', '"'
    )


def test_it_says_that_it_is_not_for_publication(text: str) -> None:
    assert "Not for publication." in "".join(Parts(text).words)


def test_it_names_the_threat_model(text: str) -> None:
    assert THREAT_MODEL in "".join(Parts(text).words)


def test_no_original_value_and_no_trace_of_the_machine(text: str) -> None:
    assert STATEMENT_FOLDER not in text
    assert "confidential statement folder" not in text
    assert "5ec7e7" not in text
    assert not any(name in text for name in NAMES)
    data = json.loads(Parts(text).scripts[1])
    strings: set[str] = set()

    def gather(value: object) -> None:
        if isinstance(value, str):
            strings.add(value)
        elif isinstance(value, dict):
            for each in value.values():
                gather(each)
        elif isinstance(value, list):
            for each in value:
                gather(each)

    gather(data)
    table = people()
    for column in ("age", "zip", "illness", HOSTILE_COLUMN):
        assert not strings & set(table[column])


def test_of_the_table_before_only_totals_are_told(text: str) -> None:
    data = json.loads(Parts(text).scripts[1])
    assert "class_sizes" not in text
    # Curves are about released rows: each ends at all of them, and begins at k.
    for solution in data["solutions"]:
        assert solution["curve"]["shares"][-1] == 1
        assert solution["curve"]["sizes"][0] == solution["metrics"][0]


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("<html>older")
    path.chmod(0o644)
    write_report(run(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def test_the_same_run_gives_the_same_report(tmp_path: Path, text: str) -> None:
    write_report(run(), tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == text


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("<html>older")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with raises(SettingsError, code="unwritable-file"):
        write_report(run(), path)
    assert path.read_text() == "<html>older"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_report(run(), tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"a;b\n1;2\n", b"[source]\n", b"PAR1\xff\x00", b"<html"[:3]])
def test_only_a_page_is_replaced(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(content)
    with raises(SettingsError, code="never-replaced"):
        write_report(run(), path)
    assert path.read_bytes() == content
    for page in (b"", b"\xef\xbb\xbf \n<!doctype HTML><p>older", b"<HTML>"):
        path.write_bytes(page)
        write_report(run(), path)
        assert b"Not for publication" in path.read_bytes()


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    with raises(SettingsError, code="is-a-folder"):
        write_report(run(), tmp_path)
    with raises(SettingsError, code="unwritable-file"):
        write_report(run(), tmp_path / "nowhere" / "report.html")
    assert list(tmp_path.iterdir()) == []
