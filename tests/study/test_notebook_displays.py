"""What a notebook or a prompt shows of results: short, escaped, and never a value of a row."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from tests.study.people import people, study_of_people

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

VOID = {"br"}
LONGEST = 240


class Checked(HTMLParser):
    """Reads HTML, and holds that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(value: Any) -> str:
    page = Checked()
    page.feed(value._repr_html_())
    assert page.open == []
    return " ".join(page.texts)


@pytest.fixture(scope="module")
def study() -> sf.Study:
    people = study_of_people(objectives=["k", "normalized-loss"], suppression=sf.limited(0.1))
    return replace(people, require=["k>=2"])


@pytest.fixture(scope="module")
def result(study: sf.Study) -> sf.SearchResult:
    return study.search()


def test_a_study(study: sf.Study) -> None:
    assert len(repr(study)) < LONGEST
    assert "quasi-identifying age, zip, sex" in repr(study)
    text = shown(study)
    assert "Objectives: k, normalized-loss." in text
    assert "up to 10 % of the rows" in text
    assert "Policy: k>=2." in text


def test_a_search_and_its_front(result: sf.SearchResult) -> None:
    assert "exact" in repr(result)
    assert repr(result.front) in repr(result)
    assert len(repr(result)) < LONGEST
    assert repr(result.front).startswith(f"<Front of {len(result.front)} solutions: k ")
    text = shown(result)
    assert result.reason in text
    assert f"Front of {len(result.front)} solutions" in text
    assert "100.0 %" in text
    empty = sf.Front(objectives=result.front.objectives, solutions=())
    assert repr(empty) == "<Front of 0 solutions in k, normalized-loss>"
    assert "Front of 0 solutions" in shown(empty)


def test_a_solution_and_its_evaluation(study: sf.Study, result: sf.SearchResult) -> None:
    solution = result.front[1]
    assert repr(solution).startswith("<Solution 1: k ")
    assert "level of age" in shown(solution)
    evaluation = study.evaluate(solution)
    assert repr(evaluation).startswith(f"<Evaluation of {solution.recoding}: ")
    assert "normalized-loss" in shown(evaluation)


def test_a_comparison(study: sf.Study, result: sf.SearchResult) -> None:
    comparison = study.compare(result.front[0], result.front[1], properties="class-size")
    assert repr(comparison) == "<Comparison of solution 0 and solution 1 by class-size>"
    text = shown(comparison)
    assert "coverage" in text
    assert "solution 1" in text


def test_an_audit(study: sf.Study, result: sf.SearchResult, tmp_path: Path) -> None:
    release = study.release(result.front[-1 + len(result.front)], tmp_path / "o.csv")
    audit = study.audit(release.path)
    assert repr(audit).startswith("<Audit of ")
    assert "by age, zip, sex, k " in repr(audit)
    text = shown(audit)
    assert "required k>=2: met" in text
    by_columns = sf.audit(release.path, quasi=["age", "zip", "sex"])
    text = shown(by_columns)
    reasons = set(by_columns.not_measured.values())
    assert all(text.count(reason) == 1 for reason in reasons)


def test_hostile_names_are_escaped() -> None:
    table = people().rename(columns={"age": "<script>alert(1)</script>"})[
        ["<script>alert(1)</script>"]
    ]
    study = sf.Study(
        source=pd.DataFrame(table),
        attributes=[sf.quasi_identifying("<script>alert(1)</script>", sf.Intervals(widths=(5,)))],
    )
    page = study._repr_html_() + study.search()._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
