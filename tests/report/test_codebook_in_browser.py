"""The page of a codebook in a real browser: it needs no script, fits small screens, and prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.release.codebook_studies import HOSTILE_COLUMN, study, without_the_last_six
from tests.report.browser import Browser, browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOADED = "return performance.getEntries().map((it) => it.name).filter((it) => it.includes(':'))"
COLOURS = "const it = getComputedStyle(document.body); return [it.color, it.backgroundColor]"


@pytest.fixture(scope="module")
def codebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("codebook")
    made = study(declared=True)
    made.release(without_the_last_six(made), folder / "o.csv", codebook=folder / "codebook.html")
    return folder / "codebook.html"


@pytest.fixture
def page(codebook: Path) -> Iterator[Browser]:
    with browser() as session:
        session.resize(1280, 1000)
        session.open(codebook)
        yield session
        assert session.log("browser") == []


def test_it_shows_every_column(page: Browser) -> None:
    assert [url for url in page.run(LOADED) if not url.startswith("file:")] == []
    titles = page.run("return [...document.querySelectorAll('h2')].map((it) => it.textContent)")
    assert titles == ["age", HOSTILE_COLUMN, "job", "born", "Reading labels in Python"]
    assert "read_label" in page.text("pre")
    assert page.run("return document.querySelectorAll('.forms tbody tr').length") >= 4


@pytest.mark.parametrize("width", [400, 1280])
def test_it_fits(page: Browser, width: int, tmp_path: Path) -> None:
    page.resize(width, 900)
    assert page.run("return document.documentElement.scrollWidth") <= width
    page.screenshot(tmp_path / "codebook.png")
    assert (tmp_path / "codebook.png").stat().st_size > 10_000


def test_dark_and_printed_styles(page: Browser) -> None:
    light = page.run(COLOURS)
    page.resize(1280, 1000, scheme="dark")
    assert page.run(COLOURS) != light
    page.develop("Emulation.setEmulatedMedia", media="print")
    assert page.run(COLOURS) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
