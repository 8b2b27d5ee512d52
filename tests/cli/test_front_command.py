"""``sfumato front``: the solutions of a run, and what rules allow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.documents.json_values import json_value
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run, write_run
from sfumato.views.run.front_view import front_view
from sfumato.views.run.solution_view import folded

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run

EXTRA = """
[suppression]
policy = "limit"
limit = 0.1
[search]
objectives = ["k", "normalized-loss", "recursive-l(c=2)"]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("people")
    study_file = read_study_file(write_people(folder, PEOPLE + EXTRA))
    return write_run(folder / "run", study_file, study_file.study.search(), seconds=0)


def front(run: Run, *arguments: str) -> int:
    return main(["front", str(run.folder), *arguments])


def rows(shown: str) -> list[list[str]]:
    """Return the cells of the table, its head first."""
    lines = shown.split("solution", 1)[0].splitlines()[:-1]
    return [line.split() for line in lines if line.strip(" ─")]


def test_all_solutions(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert front(run) == 0
    shown = capsys.readouterr().out
    head, *found = rows(shown)
    assert head[:5] == ["id", "k", "normalized-loss", "recursive-l(c=2)", "suppressed"]
    every = run.result.front.solutions
    solutions = folded(run, every)
    assert [row[0] for row in found] == [str(solution.id) for solution in solutions]
    assert [row[1] for row in found] == [f"{s.values['k']:.0f}" for s in solutions]
    assert f"{len(every)} solutions; the front is exact." in shown


def test_json(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert front(run, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json_value(front_view(run))
    assert (found["run"], found["exact"], found["rows"]) == (str(run.folder), True, 80)
    for shown, solution, detail in zip(
        found["solutions"], run.result.front, run.details, strict=True
    ):
        assert shown == {
            "id": solution.id,
            "freedom": "global",
            "levels": solution.levels,
            "recoding": {"levels": solution.levels},
            "counted": "level",
            "coarseness": solution.levels,
            "values": solution.values,
            "suppressed": solution.suppressed,
            "threshold": solution.threshold,
            "classes": detail.classes,
            # An infinite value (enhanced-beta-likeness) is a text in JSON.
            "metrics": json_value(detail.metrics),
            "bound": None,
            "equals": run.stands_for.count(run.stands_for[solution.id]) - 1,
            "same_as": detail.same_as,
        }


def test_measures_are_chosen(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert front(run, "--columns", "t, s-l(column='income'),recursive-l(c=2.0),t") == 0
    head, *_ = rows(capsys.readouterr().out)
    assert head[1:-2] == ["t", "s-l(column=income)", "recursive-l(c=2)"]
    assert front(run, "--all-measures") == 0
    head, *_ = rows(capsys.readouterr().out)
    assert head[1:4] == ["k", "normalized-loss", "recursive-l(c=2)"]
    assert set(head[1:-2]) == set(run.before.metrics)


@pytest.mark.parametrize(
    ("measure", "falls"), [("k", True), ("t", False), ("loss", False), ("weighted-k", True)]
)
def test_the_best_come_first(
    measure: str, falls: bool, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front(run, "--sort", measure, "--json") == 0
    metrics = [s["metrics"][measure] for s in json.loads(capsys.readouterr().out)["solutions"]]
    assert len(set(metrics)) > 1
    assert metrics == sorted(metrics, reverse=falls)


def test_other_orders(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert front(run, "--sort", "suppressed", "--json") == 0
    found = json.loads(capsys.readouterr().out)["solutions"]
    assert [s["suppressed"] for s in found] == sorted(s["suppressed"] for s in found)
    assert front(run, "--sort", "id", "--json") == 0
    found = json.loads(capsys.readouterr().out)["solutions"]
    assert [s["id"] for s in found] == list(range(len(found)))


def test_a_rule_leaves_those_it_allows(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "k>=5,t<=0.4"
    allowed = [
        solution
        for solution in run.result.front
        if solution.values["k"] >= 5 and run.details[solution.id].metrics["t"] <= 0.4
    ]
    least = min(allowed, key=lambda solution: solution.values["normalized-loss"])
    assert 0 < len(allowed) < len(run.result.front)
    assert front(run, "--pick", rule, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [s["id"] for s in found["solutions"]] == [s.id for s in allowed]
    assert found["pick"]["id"] == least.id
    assert front(run, "--pick", rule) == 0
    shown = capsys.readouterr().out
    assert f"{len(allowed)} of {len(run.result.front)} solutions; the front is exact." in shown
    assert f"sfumato release --pick would take solution {least.id}: " in shown
    told = shown.partition("values become")[2]
    for column, level in zip(run.columns, least.levels.values(), strict=True):
        top = len(column.pages) - 1
        (line,) = [line for line in told.splitlines() if line.split()[:1] == [column.name]]
        cells = line.split(maxsplit=4)
        assert cells[1:4] == [str(level), "of", str(top)]
        if level == 0:
            assert cells[4].strip() == "unchanged"
        else:
            assert cells[4].startswith(column.pages[level].examples[0])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--pick", "k>=5000"], 3, "no solution has k>=5000"),
        (["--pick", "k>=2,loss<0.001"], 3, "as a share of all cells that is normalized-loss<0.001"),
        (["--pick", "k=>5"], 1, "'=>' is not a comparison"),
        (["--columns", "wieghted-k"], 1, "did you mean 'weighted-k'"),
        (
            ["--columns", "recursive-l(c=9)"],
            1,
            "has no metrics of 'recursive-l(c=9)'; expected",
        ),
        (["--sort", "lose"], 1, "did you mean 'loss'"),
    ],
)
def test_slips_teach(
    arguments: list[str], code: int, said: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front(run, *arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_what_is_not_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["front", str(tmp_path)]) == 1
    assert "is not a run folder: it has no run.json" in capsys.readouterr().err


def test_the_run_needs_neither_study_nor_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_people(tmp_path / "study", PEOPLE + EXTRA)
    assert main(["search", str(path), "-o", str(tmp_path / "run")]) == 0
    for file in ("study.toml", "people.csv", "hierarchies/sex.csv"):
        Path(tmp_path, "study", file).unlink()
    capsys.readouterr()
    assert main(["front", str(tmp_path / "run")]) == 0
    assert read_run(tmp_path / "run").details
