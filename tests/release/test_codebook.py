"""Codebooks as JSON and as pages: what they say, and what they must not."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises
from tests.release.codebook_studies import (
    HOSTILE_COLUMN,
    HOSTILE_TOWN,
    NAMES,
    people,
    study,
    without_the_last_six,
)

import sfumato as sf
from sfumato.errors import ReleaseError
from sfumato.release.codebook.codebook import Codebook, CodebookColumn, CodebookLabel
from sfumato.release.codebook.formats import codebook_writer
from sfumato.release.codebook.label_forms import label_forms
from sfumato.release.codebook.page import codebook_page
from sfumato.release.codebook.reading_example import reading_example

if TYPE_CHECKING:
    from pathlib import Path


class Page(HTMLParser):
    """The elements and the words of a page, without its style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self.in_style = self.in_style and tag != "style"

    def handle_data(self, data: str) -> None:
        if not self.in_style:
            self.words += data


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("codebooks")
    made = study()
    recoding = without_the_last_six(made)
    for ending in ("json", "html"):
        made.release(recoding, folder / f"{ending}.csv", codebook=folder / f"codebook.{ending}")
    return folder


def book(released: Path) -> Codebook:
    return Codebook.model_validate_json((released / "codebook.json").read_text(encoding="utf-8"))


def test_the_ending_says_what_is_written(released: Path, tmp_path: Path) -> None:
    assert (released / "codebook.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    made = study()
    for name in ("codebook.txt", "codebook", "codebook.htm"):
        with raises(ReleaseError, code="unknown-format", expected=(".json", ".html")):
            made.release(without_the_last_six(made), tmp_path / "out.csv", codebook=tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    assert codebook_writer(tmp_path / "CODEBOOK.HTML") is codebook_page


def test_the_page_has_what_the_json_has(released: Path) -> None:
    words = Page((released / "codebook.html").read_text(encoding="utf-8")).words
    content = book(released)
    for name, column in content.columns.items():
        assert name in words
        assert f"{len(column.labels)} different label" in words
        assert sum(form.labels for form in label_forms(column)) == len(column.labels)
        for form in label_forms(column):
            assert form.meaning in words
            assert all(example in words for example in form.examples)
    assert re.search(r"[0-9a-f]{64}", words)
    assert "sf.read_label(" in words


def test_it_is_one_page_that_asks_for_nothing(released: Path) -> None:
    text = (released / "codebook.html").read_text(encoding="utf-8")
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in ("script", "link", "img", "iframe", "base", "form", "a", "b")
        assert not {"src", "href", "srcset", "style"} & set(attributes)
        assert not any(key.startswith("on") for key in attributes)
    policy = next(a["content"] for t, a in page.elements if t == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "url(" not in text
    assert HOSTILE_COLUMN in page.words
    assert HOSTILE_TOWN.replace('"', '""') in page.words
    assert len(text) < 20_000


@pytest.mark.parametrize("declared", [False, True])
def test_it_shows_nothing_that_the_release_does_not_show(declared: bool, tmp_path: Path) -> None:
    everybody, pages = people(), {}
    for table in (everybody, everybody[:-6]):
        made = replace(study(declared=declared), source=table)
        for ending in ("json", "html"):
            path = tmp_path / f"{len(table)}.{ending}"
            made.release(without_the_last_six(made), tmp_path / "o.csv", codebook=path, force=True)
            text = Page(path.read_text(encoding="utf-8")).words
            pages[len(table), ending] = re.sub(r"(SHA-256)?[0-9a-f]{64}", "", text)
    shown = (tmp_path / "o.csv").read_text(encoding="utf-8")
    for (rows, ending), text in pages.items():
        # Those who were suppressed change nothing.
        assert text == pages[60, ending], rows
        assert not any(name in text for name in NAMES)
        for value in ("Buxtehude", "1931", "gout", "cold"):
            assert value not in text
        # No value that its label hides, of a column whose domain is what occurs.
        for name in ("born", *([] if declared else ["age"])):
            for value in set(everybody[name]):
                alone = re.search(rf"(?<![\d-]){value}(?![\d-])", text)
                assert alone is None or value in shown, (name, value)


def test_a_group_with_the_name_of_a_value_has_a_codebook(tmp_path: Path) -> None:
    towns = ["Blaustein", "Senden", "Köln", "Bonn"]
    frame = pd.DataFrame({"town": towns * 3, "illness": ["flu", "gout", "cold"] * 4})
    made = sf.Study(
        source=frame,
        attributes=[
            sf.quasi_identifying(
                "town",
                sf.Groups(levels=[{"Ulm": ["Ulm", "Blaustein", "Senden"], "Rhein": towns[2:]}]),
                output="hierarchy",
            ),
            sf.sensitive("illness"),
        ],
        space="local",
    )
    found = made.search().front
    coarse = next(s for s in found if s.values["k"] >= 6)
    for ending in ("json", "html"):
        made.release(coarse, tmp_path / f"{ending}.csv", codebook=tmp_path / f"c.{ending}")
    content = Codebook.model_validate_json((tmp_path / "c.json").read_text(encoding="utf-8"))
    labels = {each.label: each.values for each in content.columns["town"].labels}
    # Nobody lives in Ulm itself, so the text alone does not say which of the two it is.
    assert labels == {"Ulm": None, "Rhein": ("Köln", "Bonn")}


def column(kind: str, *labels: CodebookLabel) -> CodebookColumn:
    return CodebookColumn.model_validate({"kind": kind, "form": "…", "labels": labels})


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("set", "Ulm", "value"),
        ("set", '{Ulm, "Frankfurt, Main"}', "set"),
        ("hierarchy", "Ulm", "value or group"),
        ("hierarchy", "Ulm (level 1)", "group of a level"),
        ("hierarchy", "[20, 40)", "half-open interval"),
        ("interval", "[20, 40]", "interval"),
        ("interval", "2024-01-04 to 2024-01-09", "interval"),
        ("interval", "[20, 40] or ?", "or missing"),
        ("level", "from A to B", "value or group"),
        ("level", "*", "everything"),
    ],
)
def test_forms(kind: str, text: str, form: str) -> None:
    (found,) = label_forms(column(kind, CodebookLabel(label=text)))
    assert (found.name, found.labels, found.examples) == (form, 1, (text,))


@pytest.mark.parametrize(
    ("kind", "text", "values"),
    [
        ("set", '{Ulm, "Frankfurt, Main"}', ("Ulm", "Frankfurt, Main")),
        ("interval", "[17, 19]", ("17", "18", "19")),
        ("hierarchy", "[18, 20)", ("18", "19")),
    ],
)
def test_the_lines_of_python_run(kind: str, text: str, values: tuple[str, ...]) -> None:
    made = Codebook(
        kind="sfumato codebook 1",
        file="out.csv",
        sha256="0" * 64,
        suppressed="left out",
        columns={"it's a column": column(kind, CodebookLabel(label=text))},
    )
    *lines, last = reading_example(made).splitlines()
    names: dict[str, object] = {}
    exec("\n".join(lines), names)
    assert eval(last, names) == values


@pytest.mark.parametrize("text", ["2412*", "[00201, 00203]"])
def test_lines_for_other_labels_name_what_they_need(text: str) -> None:
    made = Codebook(
        kind="sfumato codebook 1",
        file="out.csv",
        sha256="0" * 64,
        suppressed="left out",
        columns={"zip": column("level", CodebookLabel(label=text))},
    )
    assert f"sf.read_label({text!r}, hierarchy).values" in reading_example(made)


def test_long_lists_are_cut_and_short_ones_open() -> None:
    values = tuple(f"town {n}" for n in range(50))
    made = Codebook(
        kind="sfumato codebook 1",
        file="out.csv",
        sha256="0" * 64,
        suppressed="left out",
        columns={"town": column("level", CodebookLabel(label="north", values=values))},
    )
    page = Page(codebook_page(made))
    assert "town 29" in page.words
    assert "town 30" not in page.words
    assert "and 20 more values" in page.words
    assert ("details", {"open": None}) in page.elements
