"""The page of a risk and the report's part on risk in a real browser: small, dark, printed."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import Browser, browser
from tests.report.made_run import HOSTILE_COLUMN, hostile_study, made_run

from sfumato.report.report import write_report
from sfumato.report.risk import write_risk
from sfumato.views.attack_view import attack_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOADED = "return performance.getEntries().map((it) => it.name).filter((it) => it.includes(':'))"
COLOURS = "const it = getComputedStyle(document.body); return [it.color, it.backgroundColor]"
WIDTHS = """
return [...document.querySelectorAll(`${arguments[0]} tr`)].map((row) =>
  [...row.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('width')) / 100))
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("risk")
    study = hostile_study()
    run = made_run(study)
    solution = run.opening().solution
    write_risk(study.risk(solution), folder / "risk.html", source="<b>patients & 'co'.csv")
    study.release(solution, folder / "released.csv", ledger=False)
    attacks = attack_view("released.csv", study.attack(folder / "released.csv"))
    write_report(run, folder / "report.html", attacks=attacks)
    return {name: folder / f"{name}.html" for name in ("risk", "report")}


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with browser() as session:
        yield session


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("name", ["risk", "report"])
def test_it_fits_and_loads_nothing(
    started: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    started.resize(width, 900)
    started.open(pages[name])
    assert started.run("return document.documentElement.scrollWidth") <= width
    assert [url for url in started.run(LOADED) if not url.startswith("file:")] == []
    assert started.log("browser") == []


def test_the_page_of_a_risk_needs_no_script_and_reads_nothing_as_html(
    started: Browser, pages: dict[str, Path]
) -> None:
    started.open(pages["risk"])
    assert started.run("return document.querySelectorAll('script, b, img').length") == 0
    assert started.text("h1") == "<b>patients & 'co'.csv"
    assert HOSTILE_COLUMN in started.text("#subsets")


def test_bars_are_as_long_as_their_shares(started: Browser, pages: dict[str, Path]) -> None:
    started.open(pages["risk"])
    study = hostile_study()
    found = study.risk(made_run(study).opening().solution)
    assert found.after is not None
    sides = (found.before.prosecutor, found.after.prosecutor)
    for place, bars in enumerate(started.run(WIDTHS, "#distribution")):
        wanted = [side.by_band()[place] / side.everybody for side in sides]
        assert bars == pytest.approx(wanted, abs=1e-3)


def test_the_report_shows_the_risk_of_the_selected_solution(
    started: Browser, pages: dict[str, Path]
) -> None:
    started.resize(1280, 1000)
    started.open(pages["report"])
    data = json.loads(started.run("return document.getElementById('data').textContent"))
    seen = set()
    for row in (0, 1):
        started.run("document.querySelectorAll('#table tbody tr')[arguments[0]].click()", row)
        shown = started.text("#risk-marks")
        seen.add(shown)
        own = data["solutions"][int(shown.split()[-1])]
        for place, bars in enumerate(started.run(WIDTHS, "#risk-bands")):
            assert bars == pytest.approx([data["risk_before"][place], own["risk"][place]], abs=1e-3)
    assert len(seen) == 2
    assert "homogeneity (illness)" in started.text("#attacks")
    assert "prosecutor-risk" in started.text("#risk-figures")


@pytest.mark.parametrize("name", ["risk", "report"])
def test_dark_and_printed_styles(started: Browser, pages: dict[str, Path], name: str) -> None:
    started.resize(1280, 1000)
    started.open(pages[name])
    light = started.run(COLOURS)
    started.resize(1280, 1000, scheme="dark")
    assert started.run(COLOURS) != light
    started.develop("Emulation.setEmulatedMedia", media="print")
    assert started.run(COLOURS) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    printed = base64.b64decode(started.develop("Page.printToPDF", printBackground=False)["data"])
    assert printed.startswith(b"%PDF")
    started.develop("Emulation.setEmulatedMedia", media="")
