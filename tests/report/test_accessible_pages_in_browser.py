"""The pages can be read and used by everybody: with a keyboard, on a phone, in the dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.report.axe import lacking_axe, serious_faults
from tests.report.browser import Browser, browser
from tests.report.made_run import hostile_study, made_run

from sfumato.report.comparison import write_comparison
from sfumato.report.report import write_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIDTHS = (320, 400, 768, 1280)
UNREACHABLE = """
return [...document.querySelectorAll('*')].filter((node) => {
  const style = getComputedStyle(node);
  const scrolls = ['auto', 'scroll'].includes(style.overflowX)
      && node.scrollWidth > node.clientWidth + 1
    || ['auto', 'scroll'].includes(style.overflowY) && node.scrollHeight > node.clientHeight + 1;
  return scrolls && node !== document.scrollingElement && node.tabIndex < 0;
}).map((node) => node.outerHTML.slice(0, 100));
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("accessible")
    study = hostile_study(objectives=("k", "t", "loss"), limit=0.1)
    run = made_run(study)
    write_report(run, folder / "report.html")
    both = study.compare(run.result.front[0], run.result.front[1])
    write_comparison(both, folder / "comparison.html")
    return {name: folder / f"{name}.html" for name in ("report", "comparison")}


@pytest.fixture(scope="module")
def session() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["report", "comparison"])
def test_what_scrolls_can_be_focused(
    session: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    session.resize(width, 900)
    session.open(pages[name])
    assert session.run(UNREACHABLE) == []


def test_what_does_not_scroll_is_no_stop(session: Browser, pages: dict[str, Path]) -> None:
    session.resize(1280, 900)
    session.open(pages["report"])
    stops = "return [...document.querySelectorAll('.scroll[tabindex]')].length"
    wide = session.run(stops)
    session.resize(320, 900)
    session.open(pages["report"])
    assert session.run(stops) > wide


@pytest.mark.skipif(bool(lacking_axe()), reason=lacking_axe())
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["report", "comparison"])
def test_axe_finds_nothing_serious(
    session: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    session.resize(width, 900, scheme=scheme)
    session.open(pages[name])
    assert serious_faults(session) == []


def test_every_metric_is_explained_where_it_stands_and_in_the_glossary(
    session: Browser, pages: dict[str, Path]
) -> None:
    session.resize(1280, 900)
    session.open(pages["report"])
    found = session.run(
        "return [...document.querySelectorAll('#metrics tbody th')].map((head) => "
        "[head.textContent, head.querySelector('[title]')?.title])"
    )
    assert found
    assert all(title for _, title in found)
    words = session.run(
        "return Object.fromEntries([...document.querySelectorAll('#glossary dt')].map((term) => "
        "[term.textContent, term.nextElementSibling.textContent]))"
    )
    assert all(words[name].startswith(title) for name, title in found)
    assert {"record", "quasi-identifiers", "equivalence class", "information loss"} <= set(words)


def test_a_click_on_a_name_leads_to_its_explanation(
    session: Browser, pages: dict[str, Path]
) -> None:
    session.resize(1280, 900)
    session.open(pages["report"])
    session.run("document.querySelector('#glossary').open = false")
    session.click("#key-metrics .explained")
    assert session.run("return document.querySelector('#glossary').open")
    here = "return document.activeElement.matches('#glossary dt') && "
    assert session.run(f"{here} document.activeElement.textContent") == "k"
    box = session.run("return document.activeElement.getBoundingClientRect().top")
    assert 0 < box < 900
