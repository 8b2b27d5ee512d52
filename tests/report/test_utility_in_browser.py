"""What analysts can still do, in a real browser: wide and narrow, light and dark, and in print."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import Browser, browser
from tests.report.made_run import HOSTILE_COLUMN, NAMES, hostile_study, made_run

from sfumato.report.report import write_report
from sfumato.study.analysed_study import UtilityQuestion
from sfumato.study.runs.run import digest_of_rows
from sfumato.study.runs.run_utility import Along, RunUtility, utility_of_run, write_utility
from sfumato.utility.learning import LearningSettings
from sfumato.utility.random_queries import RandomWorkload
from sfumato.utility.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ASKED = "age between 30 and 40 and illness = flu"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunUtility]:
    """A report with a utility, and the utility."""
    pytest.importorskip("sklearn")
    folder = tmp_path_factory.mktemp("run")
    study = replace(hostile_study(), space=["lattice", "local"])
    made = made_run(study)
    digest = digest_of_rows(study).sha256
    run = replace(made, folder=folder, source=replace(made.source, sha256=digest))
    question = UtilityQuestion.of(
        workload=Workload(queries=(ASKED,), random=RandomWorkload(count=50)),
        targets="illness",
        learning=LearningSettings(learners=("logistic-regression", "random-forest"), folds=2),
        by=None,
    )
    found = utility_of_run(run, question, rule="k>=5,global", along=Along(marks=(2, 5)))
    write_utility(run, found)
    write_report(run, folder / "report.html")
    return folder / "report.html", found


@pytest.fixture
def page(told: tuple[Path, RunUtility]) -> Iterator[Browser]:
    with browser() as session:
        session.resize(1280, 1000)
        session.open(told[0])
        yield session
        assert session.log("browser") == []


def count(page: Browser, selector: str) -> int:
    return int(page.run("return document.querySelectorAll(arguments[0]).length", selector))


def test_every_column_that_moved_is_drawn(page: Browser, told: tuple[Path, RunUtility]) -> None:
    utility = told[1].utility
    moved = [each for each in utility.columns if each.total_variation >= 5e-4]
    assert count(page, ".distribution") == len(moved) > 0
    assert count(page, ".distribution .was") == sum(len(each.bins) for each in moved)
    assert HOSTILE_COLUMN in page.text("#associations")
    assert (
        page.run("return document.querySelector('#associations script, #associations b')") is None
    )
    text = page.text("#utility-text")
    assert f"Solution {told[1].solution} releases {utility.released:,} of 300 records" in text


def test_associations_show_the_originals_above_and_changes_below(
    page: Browser, told: tuple[Path, RunUtility]
) -> None:
    utility = told[1].utility
    rows = page.run(
        "return [...document.querySelectorAll('#associations tbody tr')]"
        ".map((r) => [...r.querySelectorAll('td')].map((c) => c.title))"
    )
    assert len(rows) == len(utility.columns)
    first = utility.pairs[0]
    for cell in (rows[0][1], rows[1][0]):
        assert cell.startswith(f"{first.first} and {first.second}: ")
    assert count(page, "#associations .was") == len(utility.pairs)
    assert count(page, "#associations .less, #associations .more") == len(utility.pairs)


def test_queries_groups_and_scores(page: Browser, told: tuple[Path, RunUtility]) -> None:
    utility = told[1].utility
    assert ASKED in page.text("#queries")
    assert f"{utility.queries[0].before:,}" in page.text("#queries")
    assert "median relative error" in page.text("#queries-text")
    assert utility.groups[0].value in page.text("#groups")
    target = utility.targets[0]
    assert f"{100 * target.majority:.1f} %" in page.text("#scores")
    assert f"{100 * target.original[0].accuracy:.1f} %" in page.text("#scores")
    assert count(page, "#scores tbody tr") == 2 + len(told[1].curve)
    assert count(page, "#learning-chart .point") == len(told[1].curve) > 1
    page.run(
        "const c = document.getElementById('learner'); c.value = '1'; "
        "c.dispatchEvent(new Event('change'))"
    )
    assert f"{100 * target.original[1].accuracy:.1f} %" in page.text("#scores")


def test_no_name_is_in_the_page(told: tuple[Path, RunUtility]) -> None:
    text = told[0].read_text(encoding="utf-8")
    assert not any(f'"{name}"' in text for name in NAMES)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(page: Browser, width: int, scheme: str) -> None:
    page.resize(width, 900, scheme=scheme)
    page.run("window.dispatchEvent(new Event('resize'))")
    outside = page.run(
        "return [...document.querySelectorAll('#utility *')].filter((e) => !e.closest('.scroll') "
        "&& e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))"
    )
    assert outside == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    ink, ground = page.run(
        "const s = getComputedStyle(document.querySelector('#utility h2')); "
        "return [s.color, getComputedStyle(document.body).backgroundColor]"
    )
    assert ink != ground


def test_no_number_is_out_of_sight_on_a_telephone(page: Browser) -> None:
    """Errors of queries and distortions of groups are in the last columns of wide tables."""
    page.resize(400, 900)
    for table in ("queries", "groups"):
        places = page.run(
            f"return [...document.querySelectorAll('#{table} td')].map((e) => "
            "[e.getBoundingClientRect().right, getComputedStyle(e, '::before').content])"
        )
        assert places
        assert all(right <= 400 for right, _ in places)
        assert all(label.strip('"') for _, label in places)
    page.resize(1280, 900)
    assert page.run("return getComputedStyle(document.querySelector('#groups thead')).display") == (
        "table-header-group"
    )


def test_print(page: Browser) -> None:
    page.develop("Emulation.setEmulatedMedia", media="print")
    printed = page.develop("Page.printToPDF", printBackground=True)
    assert len(printed["data"]) > 10_000
    assert page.run("return getComputedStyle(document.getElementById('utility')).display") != "none"
    assert count(page, ".distribution") > 0


def test_a_run_without_utility_has_no_such_part(tmp_path: Path) -> None:
    write_report(made_run(hostile_study()), tmp_path / "report.html")
    with browser() as session:
        session.open(tmp_path / "report.html")
        assert session.run("return document.getElementById('utility').hidden") is True
