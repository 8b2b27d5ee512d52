"""Local recodings from a study file to the report: like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.documents.json_values import json_value
from sfumato.errors import SettingsError, UnmetError
from sfumato.recoding.local import Local
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.runs.run import Run

LOCAL = """
[search]
space = "local"
objectives = ["k", "normalized-loss"]
[search.ruin-and-recreate]
largest-k = 8
rounds = 1
"""


def searched(folder: Path, more: str) -> Run:
    study = write_people(folder, PEOPLE + more)
    assert main(["search", str(study), "-o", str(folder / "run"), "--quiet"]) == 0
    return read_run(folder / "run")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return searched(tmp_path_factory.mktemp("local"), LOCAL)


def test_a_run_is_read_back_as_it_was_found(run: Run) -> None:
    read = run.study_file
    again = read.study.search(
        method=read.search.method, settings=read.search.for_spaces(read.study.spaces)
    )
    assert again.method == run.result.method == "ruin-and-recreate"
    assert again.front == run.result.front
    assert {solution.freedom for solution in run.result.front} == {"local"}
    for solution, detail in zip(run.result.front, run.details, strict=True):
        evaluation = run.study_file.study.evaluate(solution)
        assert evaluation.values == detail.metrics
        assert evaluation.classes == detail.classes
        assert set(detail.labels) == set(solution.recoding.names)
        assert "height" not in detail.metrics


def test_the_front_shows_classes_and_labels(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["front", str(run.folder), "--pick", "k>=5"]) == 0
    shown = capsys.readouterr().out
    assert "classes" in shown
    assert "labels" in shown
    assert "levels" not in shown
    assert "values in the mean" in shown
    assert main(["front", str(run.folder), "--json"]) == 0
    view = json.loads(capsys.readouterr().out)
    assert view["freedoms"] is None
    for each in view["solutions"]:
        assert each["freedom"] == "local"
        assert each["counted"] == "labels"
        assert each["recoding"]["local"]["classes"] >= each["classes"]
        assert each["bound"]["k"] <= each["metrics"]["k"]
        assert 0 < each["bound"]["least"] <= each["metrics"]["normalized-loss"]
        assert "no local recoding at k ≥" in each["bound"]["text"]
        labels = run.details[each["id"]].labels
        assert each["coarseness"] == {name: labels[name].count for name in labels}


def test_evaluate_and_compare_take_a_local_solution(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["evaluate", str(run.folder), "--solution", "1", "--json"]) == 0
    view = json.loads(capsys.readouterr().out)
    assert view["values"] == json_value(run.details[1].metrics)
    assert view["freedom"] == "local"
    assert main(["evaluate", str(run.folder), "--solution", "1"]) == 0
    assert "recoding    local" in capsys.readouterr().out
    assert main(["compare", str(run.folder), "0", "1"]) == 0
    page = tmp_path / "page.html"
    assert main(["compare", str(run.folder), "0", "1", "--by", "sex", "--report", str(page)]) == 0
    assert page.exists()
    study = run.study_file.study
    both = study.compare(run.result.front[1], {"age": 1, "zip": 2, "sex": 0})
    assert both.verdicts


def test_the_report_shows_labels_and_no_single_value(run: Run) -> None:
    assert main(["report", str(run.folder), "--force"]) == 0
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    values = {
        name: set(hierarchy.labels[0])
        for name, hierarchy in run.study_file.study.hierarchies.items()
    }
    for solution in data["solutions"]:
        assert solution["levels"] == [None] * 3
        for column, labels in zip(data["columns"], solution["labels"], strict=True):
            assert not values[column["name"]] & set(labels["examples"])
            assert 1 <= labels["covered"] <= column["values"]


def test_a_measure_of_levels_or_partitions_is_refused(tmp_path: Path) -> None:
    for name in ("height", "ql"):
        text = PEOPLE + LOCAL.replace("normalized-loss", name)
        study = read_study_file(write_people(tmp_path, text)).study
        with raises(SettingsError, code="conflicting-settings", key="objectives", found=repr(name)):
            _ = study.problem


def test_evaluation_says_which_measures_a_local_recoding_lacks(run: Run) -> None:
    solution = run.result.front[0]
    assert isinstance(solution.recoding, Local)
    with raises(SettingsError, code="needs-partitions", found="'ql'"):
        run.study_file.study.evaluate(solution, measures=["ql"])


def test_a_stopped_local_search_goes_on(run: Run, tmp_path: Path) -> None:
    study = write_people(tmp_path, PEOPLE + LOCAL)
    command = ["search", str(study), "-o", str(tmp_path / "run"), "--quiet"]
    assert main([*command, "--seconds", "0.001"]) == 0
    assert not read_run(tmp_path / "run").result.finished
    assert main([*command, "--resume"]) == 0
    assert read_run(tmp_path / "run").result.front == run.result.front


@pytest.mark.parametrize("output", ["hierarchy", "interval", "set"])
def test_the_output_of_a_column_is_its_kind_of_labels(tmp_path: Path, output: str) -> None:
    text = PEOPLE.replace("weight = 2.0", f'weight = 2.0\noutput = "{output}"')
    study = write_people(tmp_path, text + LOCAL)
    solution = read_study_file(study).study.search(settings=_few()).front[0]
    assert isinstance(solution.recoding, Local)
    assert solution.recoding.outputs["age"] == output


def _few() -> object:
    return sf.RuinAndRecreateSettings(largest_k=3, rounds=1)


def test_methods_are_listed_with_their_space(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert found["ruin-and-recreate"]["spaces"] == ["local"]
    assert "local" in found["auto"]["spaces"]
    assert "largest-k" in found["ruin-and-recreate"]["settings"]


def test_a_freedom_that_no_solution_uses_cannot_be_picked(run: Run) -> None:
    with raises(UnmetError, code="no-such-solution"):
        run.pick("global,k>=2")


def test_the_ending_of_a_codebook_decides(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["release", str(run.folder), "--pick", "k>=3", "-o", str(tmp_path / "out.csv")]
    assert main([*words, "--codebook", str(tmp_path / "book.txt")]) != 0
    assert "expected one of '.json', '.html'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    for name in ("book.html", "book.json"):
        assert main([*words, "--force", "--codebook", str(tmp_path / name)]) == 0
    assert (tmp_path / "book.html").read_text().startswith("<!DOCTYPE html>")
    assert set(json.loads((tmp_path / "book.json").read_text())["columns"]) == {"age", "zip", "sex"}
