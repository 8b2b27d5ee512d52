"""A report of several spaces in a real browser: shapes, legend, labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import Browser, browser
from tests.report.made_run import HOSTILE_COLUMN, hostile_study, made_run

from sfumato.recoding.recoding import FREEDOMS
from sfumato.report.report import write_report
from sfumato.study.runs.solution_details import run_columns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.study.runs.run import Run


@pytest.fixture(scope="module")
def run() -> Run:
    study = replace(hostile_study(), space=["lattice", "partitions", "local"])
    made = made_run(study)
    recodings = [solution.recoding for solution in made.result.front]
    bounds = {2: 0.001}
    return replace(
        made,
        result=replace(made.result, loss_bounds=bounds),
        columns=run_columns(study.count_table, recodings),
    )


@pytest.fixture
def page(run: Run, tmp_path: Path) -> Iterator[Browser]:
    write_report(run, tmp_path / "report.html")
    with browser() as session:
        session.resize(1280, 1000)
        session.open(tmp_path / "report.html")
        yield session
        assert session.log("browser") == []


def test_every_freedom_has_its_shape_and_its_panel(page: Browser, run: Run) -> None:
    drawn = page.run(
        "return [...document.querySelectorAll('.point')].map((p) => [p.dataset.id, p.tagName, "
        "p.getAttribute('class')])"
    )
    front = run.result.front
    assert len(drawn) == len(front)
    for number, shape, classes in drawn:
        freedom = front[int(number)].freedom
        assert shape == ("circle" if freedom == "global" else "path")
        assert classes == f"point {freedom}"
    legend = page.text("#legend")
    assert all(freedom in legend for freedom in front.freedoms)
    assert "What each freedom buys" in page.text("#freedoms")
    assert page.run("return document.querySelectorAll('#by-freedom tbody tr').length") == 4


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_a_solution_of_every_freedom_can_be_selected(page: Browser, run: Run, freedom: str) -> None:
    solution = run.result.front.with_freedom(freedom).solutions[-1]
    page.click(f'#table tr[data-id="{solution.id}"] button')
    assert f"{freedom} recoding" in page.text("#solution-marks")
    shown = page.text("#columns")
    assert HOSTILE_COLUMN in shown
    assert ("different label" in shown) == (freedom == "local")
    assert ("a partition of its own" in shown) == (freedom == "partitions")
    hidden = page.run("return document.querySelector('#bound').hidden")
    assert hidden == (freedom != "local")
    if freedom == "local":
        assert "No local recoding" in page.text("#bound") or "no local recoding" in page.text(
            "#bound"
        )
