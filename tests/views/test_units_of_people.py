"""Where a study counts people, what counts them is shown with the unit people, everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.report.made_run import made_run
from tests.study.test_people import study, visits

from sfumato.measures.catalogue import measure_classes
from sfumato.measures.measure import Kind
from sfumato.views.audit_view import audit_view
from sfumato.views.comparison_data import compute_comparison
from sfumato.views.comparison_view import comparison_view
from sfumato.views.evaluation_view import evaluation_view
from sfumato.views.run.report_computing import compute_report
from sfumato.views.run.run_view import run_facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.front.decisions.metric import Metric

ROWS = {
    **dict.fromkeys(("k", "weighted-k", "class-size-worst-tenth"), "rows"),
    **dict.fromkeys(("s-k", "s-l"), "rows, summed over rows"),
}
PEOPLE = {name: unit.replace("rows", "people") for name, unit in ROWS.items()}
FINE, COARSE = {"sex": 0, "age": 1}, {"sex": 1, "age": 2}


def units(metrics: Iterable[Metric], *, people: bool) -> None:
    """Check the units of what counts people, and that losses stay those of rows."""
    found = {metric.name: metric for metric in metrics}
    for name, unit in (PEOPLE if people else ROWS).items():
        assert found[name].unit == unit
        assert not people or "people" in found[name].meaning
    assert found["dm"].unit == "pairs of rows"
    assert found["c-avg"].unit == "classes of k rows"


def test_no_measure_of_privacy_counts_rows_where_people_are_counted() -> None:
    for kind in measure_classes().values():
        if kind.kind is Kind.PRIVACY:
            assert "rows" not in kind.unit_of(people=True)
            if "rows" in kind.unit:
                assert "people" in kind.meaning_to(people=True)
        else:
            assert kind.unit_of(people=True) == kind.unit
        assert kind.unit_of(people=False) == kind.unit


@pytest.mark.parametrize("people", [False, True])
def test_an_evaluation(people: bool) -> None:
    own = study(visits(), person=people)
    view = evaluation_view(own, own.evaluate(FINE))
    assert view.counts_people is people
    units(view.metrics, people=people)


@pytest.mark.parametrize("people", [False, True])
def test_an_audit(people: bool) -> None:
    table = visits()
    view = audit_view("x", study(table, person=people).audit(table))
    found = {metric.name: metric.unit for metric in view.metrics}
    assert found["k"] == ("people" if people else "rows")


@pytest.mark.parametrize("people", [False, True])
def test_a_run_and_its_report(people: bool) -> None:
    run = made_run(study(visits(), person=people))
    unit = "people" if people else "rows"
    facts = {fact.term: fact.text for fact in run_facts(run)}
    assert f"k ({unit}, higher is better)" in facts["Objectives"]
    report = compute_report(run)
    assert report.counts_people is people
    units(report.metrics, people=people)


@pytest.mark.parametrize("people", [False, True])
def test_a_comparison(people: bool) -> None:
    compared = study(visits(), person=people).compare(FINE, COARSE)
    unit = "people" if people else "rows"
    page = compute_comparison(compared, source="x")
    found = {each.name: each.unit for each in page.properties}
    assert found["class-size"] == found["own-value-count"] == unit
    assert found["row-loss"] == "cells"
    for side in comparison_view(compared).sides:
        assert side.counts_people is people
        assert (" people; " in side.text) is people
