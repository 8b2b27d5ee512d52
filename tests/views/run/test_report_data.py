"""What a report shows, without a browser."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.report.made_run import HOSTILE_COLUMN, HOSTILE_LABEL, hostile_study, made_run, people

from sfumato.errors import SettingsError
from sfumato.front.decisions.knee import knee
from sfumato.front.decisions.trade_off import trade_offs
from sfumato.views.json_text import page_json
from sfumato.views.run.report_computing import compute_report

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run


@cache
def run(*objectives: str) -> Run:
    return made_run(hostile_study(objectives=objectives or ("k", "loss")))


def test_metrics_of_every_solution_are_those_of_the_run() -> None:
    data = compute_report(run())
    names = [metric.name for metric in data.metrics]
    assert names[:2] == ["k", "loss"]
    assert names[-1] == "suppressed"
    assert set(names) == {*run().before.metrics, "suppressed"}
    for solution, detail in zip(data.solutions, run().details, strict=True):
        shown = dict(zip(names, solution.metrics, strict=True))
        assert shown.pop("suppressed") == detail.suppressed == solution.suppressed
        assert shown == detail.metrics
        assert solution.kept + solution.suppressed == data.rows == 300
        assert solution.classes == detail.classes
        assert solution.curve.sizes[0] == detail.metrics["k"]
        assert dict(zip(names, (f.before for f in data.metrics), strict=True)) == {
            **run().before.metrics,
            "suppressed": 0.0,
        }


def test_the_shares_of_rows_that_are_alone() -> None:
    data = compute_report(run())
    columns = ["age", HOSTILE_COLUMN, "zip"]
    table = people()
    sizes = table.groupby(columns)["name"].transform("size")
    assert data.alone_before == (sizes == 1).mean()
    assert data.solutions[0].alone == data.alone_before  # nothing is recoded in it
    assert data.solutions[-1].alone == 0


def test_losses_of_columns_make_up_the_loss() -> None:
    data = compute_report(run())
    for solution, detail in zip(data.solutions, run().details, strict=True):
        weights = [column.weight for column in data.columns]
        mean = sum(w * loss for w, loss in zip(weights, solution.column_losses, strict=True))
        assert mean / sum(weights) == pytest.approx(detail.metrics["normalized-loss"])
        assert sum(solution.loss_parts) == pytest.approx(1 if mean else 0)


def test_columns_and_their_levels() -> None:
    data = compute_report(run())
    age, town, code = data.columns
    assert (age.name, town.name, code.name) == ("age", HOSTILE_COLUMN, "zip")
    assert [level.blocks for level in age.levels] == [40, 8, 4, 2, 1]
    assert (town.weight, town.values) == (2.0, 3)
    assert HOSTILE_LABEL in town.levels[1].examples
    assert all(column.levels[0].examples == () for column in data.columns)


def test_level_0_shows_nothing_even_if_the_run_does() -> None:
    leaky = run().columns[0]
    level = replace(leaky.pages[0], examples=("23", "24"))
    column = replace(leaky, pages=(level, *leaky.pages[1:]))
    data = compute_report(replace(run(), columns=(column, *run().columns[1:])))
    assert data.columns[0].levels[0].examples == ()


def test_knee_regions_and_sentences_are_those_of_the_front() -> None:
    data, front = compute_report(run()), run().result.front
    found = knee(front)
    assert found is not None
    assert data.knee == data.chosen == found.id
    metrics = [detail.metrics for detail in run().details]
    said = [each.sentence for each in trade_offs(front, metrics)]
    assert [each.text for each in data.sentences] == [f"F{text[1:]}." for text in said]
    assert data.regions
    for region in data.regions:
        assert region.solutions[0] <= region.start < region.end
        assert data.solutions[region.end].metrics[0] in (
            front[region.end].values["k"],
            front[region.start].values["k"],
        )


@pytest.mark.parametrize(("other", "way"), [("t", "rises"), ("weighted-k", "falls")])
def test_privacy_that_falls_is_said_with_what_it_brings(other: str, way: str) -> None:
    found = run("k", other, "normalized-loss")
    data, front = compute_report(found), found.result.front
    sign = -1 if other == "t" else 1
    privacy = [sign * solution.values[other] for solution in front]
    around = [each for solution in data.solutions for each in (solution.up, solution.down) if each]
    worse = 0
    for sentence in (*around, *data.sentences):
        falls = privacy[sentence.end] < privacy[sentence.start]
        assert (f", and {other} {way} " in sentence.text) == falls
        assert sentence.gain == ("more k" if falls else "more privacy")
        assert not (sentence.flat and falls)
        worse += falls
    assert worse
    for region in data.regions:
        inside = [privacy[solution] for solution in region.solutions]
        assert inside == sorted(inside)
        assert way not in region.text


def test_the_picked_solution_opens_the_report() -> None:
    data = compute_report(run(), opening=run().pick("2"))
    assert (data.chosen, data.opening) == (2, "The report opens with solution 2: as asked.")


def test_without_a_policy_the_report_says_so_and_what_the_knee_weighs() -> None:
    data = compute_report(run())
    assert data.opening == (
        f"The report opens with solution {data.knee}: the knee of the front, the best balance of "
        "1/k against loss, because the study has no policy (require under [release])."
    )
    facts = {fact.term: fact.text for fact in data.facts}
    assert facts["Policy"] == "none: nothing is required of a release"


def test_with_a_policy_the_report_opens_with_its_least_loss() -> None:
    asked = made_run(replace(hostile_study(), require=("k>=5", "distinct-l>=2")))
    data, front = compute_report(asked), asked.result.front
    assert front[data.chosen].values["loss"] == min(each.values["loss"] for each in front)
    assert data.opening.startswith(
        f"The report opens with solution {data.chosen}: least loss among {len(front)} with the "
        "policy (k>=5 and distinct-l>=2)"
    )
    facts = {fact.term: fact.text for fact in data.facts}
    assert facts["Policy"] == "k>=5, distinct-l>=2 in every released class"


def test_a_front_without_a_knee_opens_with_the_best_balance() -> None:
    front = run().result.front
    two = replace(front, solutions=(front[0], replace(front.solutions[-1], id=1)))
    small = replace(
        run(),
        result=replace(run().result, front=two),
        details=(run().details[0], run().details[-1]),
    )
    data = compute_report(small)
    assert data.knee is None
    assert data.chosen in (0, 1)
    assert f"solution {data.chosen}: the best balance of 1/k against loss, because" in data.opening


def test_the_chart_opens_with_privacy_and_loss() -> None:
    def axes(*objectives: str) -> tuple[str, str]:
        data = compute_report(run(*objectives))
        return data.metrics[data.x].name, data.metrics[data.y].name

    assert axes("k", "loss") == ("k", "normalized-loss")
    assert axes("normalized-loss", "t") == ("t", "normalized-loss")
    assert axes("k", "distinct-l", "dm") == ("k", "dm")
    x, y = axes("gl", "sl")
    assert y == "gl"
    assert x != y
    x, y = axes("k", "t")
    assert x != y


def test_facts() -> None:
    data = compute_report(run())
    facts = {fact.term: fact.text for fact in data.facts}
    assert data.source == "patients.csv"
    assert data.made == "run of 15 November 2026, 22:10 UTC, sfumato 0.1.0"
    assert facts["Source"] == "patients.csv, 300 records"
    assert facts["Objectives"] == "k (rows, higher is better), loss (cells, lower is better)"
    assert facts["Suppression"] == "at most 15 records (5 %), smallest classes first"
    nodes = run().result.nodes
    assert facts["Search"] == f"sweep, {nodes} of {nodes} recodings evaluated in 1.2 s"
    assert "solutions, exact: every node of the lattice was evaluated" in facts["Front"]
    heuristic = replace(run().result, exact=False, reason="it was stopped")
    facts = {f.term: f.text for f in compute_report(replace(run(), result=heuristic)).facts}
    assert facts["Front"].endswith("solutions, not proved exact: it was stopped")


def test_the_command_can_be_pasted() -> None:
    assert compute_report(run()).command == (
        "sfumato release 'first run' --pick {id} -o released.csv"
    )


@pytest.mark.slow
def test_thousands_of_solutions_stay_small() -> None:
    front = run().result.front
    many = tuple(replace(front.solutions[place % len(front)], id=place) for place in range(3000))
    sizes = tuple((size, 1) for size in range(1, 1000))
    details = tuple(
        replace(run().details[place % len(front)], class_sizes=sizes) for place in range(3000)
    )
    result = replace(run().result, front=replace(front, solutions=many))
    data = compute_report(replace(run(), result=result, details=details))
    assert all(len(solution.curve.sizes) <= 20 for solution in data.solutions)
    assert len(page_json(data)) < 4_000_000


def test_an_empty_front_is_an_error() -> None:
    empty = replace(run().result, front=replace(run().result.front, solutions=()))
    with raises(SettingsError, code="empty-front"):
        compute_report(replace(run(), result=empty, details=()))
