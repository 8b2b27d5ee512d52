"""``sfumato search`` on a small study: metrics are those of the study in Python."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.study.study_files import PEOPLE, write_people

from sfumato.classes.compilation import load_kernels
from sfumato.cli.main import main
from sfumato.documents.json_values import json_value
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run
from sfumato.views.run.run_view import run_view
from sfumato.views.run.solution_view import folded, spread

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

EVERY = '[suppression]\npolicy = "limit"\nlimit = 0.2\nthreshold = "every"\n'
OBJECTIVES = '[search]\nobjectives = ["k", "t", "loss"]\n'
MANY = '[search]\nobjectives = ["k", "t", "loss", "level(column=age)", "level(column=zip)"]\n'


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Where they are compiled, the notice would come too.
    load_kernels()
    capsys.readouterr()
    study = write_people(tmp_path, PEOPLE + EVERY + OBJECTIVES)
    assert main(["search", str(study), "-o", str(tmp_path / "out"), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    found = json.loads(captured.out)
    expected = read_study_file(study).study.search()
    run = read_run(tmp_path / "out")
    assert run.result == expected
    assert found == json_value(run_view(run))
    assert found["objectives"] == {"k": "higher", "t": "lower", "loss": "lower"}
    assert (found["exact"], found["finished"], found["resumable"]) == (True, True, False)
    assert (found["reason"], found["method"]) == (expected.reason, expected.method)
    assert (found["evaluations"], found["nodes"]) == (expected.evaluated, 48)
    assert (found["guarantee"], found["minimal"], found["rows"]) == (None, None, 80)
    assert found["run"] == str(tmp_path / "out")
    for shown, solution in zip(found["solutions"], expected.front, strict=True):
        assert (shown["id"], shown["levels"]) == (solution.id, solution.levels)
        assert (shown["values"], shown["threshold"]) == (solution.values, solution.threshold)
        assert shown["suppressed"] == solution.suppressed


def test_what_a_person_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_people(tmp_path)
    assert main(["search", str(study)]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    run = read_run(tmp_path / "study-run")
    front, facts = run.result.front, run_view(run).facts
    for line, fact in zip(lines, facts, strict=False):
        assert line == f"{fact.term.lower():19}{fact.text}"
    assert lines[0] == "source             people.csv, 80 records"
    assert facts[2].text == (
        "k (rows, higher is better), normalized-loss (share of all cells, lower is better)"
    )
    assert facts[-1].text.startswith(f"{len(front)} solutions, exact: every node of the lattice")
    start = len(facts) + 3
    listed = folded(run, front.solutions)
    rows = [line.split() for line in lines[start : start + len(listed)]]
    assert [row[0] for row in rows] == [str(solution.id) for solution in listed]
    assert [row[1] for row in rows] == [f"{solution.values['k']:.0f}" for solution in listed]
    last = listed[-1]
    assert rows[-1][3:] == ["0", f"age={last.levels['age']},zip={last.levels['zip']},sex=1"]
    assert shown.endswith(f"sfumato front {tmp_path / 'study-run'}\n")


def test_a_long_front_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_people(tmp_path, PEOPLE + EVERY + MANY)
    assert main(["search", str(study)]) == 0
    shown = capsys.readouterr().out
    run = read_run(tmp_path / "study-run")
    front = folded(run, run.result.front.solutions)
    assert len(front) > 20
    assert f"20 of {len(front)} solutions, evenly spread." in shown
    assert "threshold" in shown
    assert (
        "at most 16 records (20 %), smallest classes first, all thresholds within it tried" in shown
    )
    assert f"\n {front[-1].id}   " in shown


def test_spread_takes_both_ends() -> None:
    for count in (1, 19, 20, 21, 57, 4000):
        taken: Sequence[int] = spread(range(count), 20)
        assert len(taken) == min(20, count)
        assert list(taken) == sorted(set(taken))
        assert (taken[0], taken[-1]) == (0, count - 1)


def test_the_method_of_the_command_line_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = write_people(tmp_path, PEOPLE + '[search]\nmethod = "sweep"\n')
    assert main(["search", str(study), "--method", "branch-and-bound", "--threads", "1"]) == 0
    assert read_run(tmp_path / "study-run").result.method == "branch-and-bound"
    assert main(["search", str(study), "--force", "--method", "swep"]) == 1
    assert "did you mean 'sweep'" in capsys.readouterr().err
    assert main(["search", str(study), "--force", "--threads", "0"]) == 1
    assert "threads is 0" in capsys.readouterr().err


def test_a_run_is_not_replaced_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = write_people(tmp_path)
    assert main(["search", str(study), "--quiet"]) == 0
    created = (tmp_path / "study-run" / "run.json").read_bytes()
    # Refused before anything is read.
    (tmp_path / "people.csv").rename(tmp_path / "gone.csv")
    assert main(["search", str(study)]) == 1
    assert "study-run already holds a run" in capsys.readouterr().err
    assert (tmp_path / "study-run" / "run.json").read_bytes() == created
    (tmp_path / "gone.csv").rename(tmp_path / "people.csv")
    assert main(["search", str(study), "--force"]) == 0


def test_data_that_do_not_fit_leave_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = write_people(tmp_path, PEOPLE.replace("high = 39", "high = 30"))
    assert main(["search", str(study)]) == 1
    assert "column 'age' has" in capsys.readouterr().err
    (tmp_path / "people.csv").unlink()
    assert main(["search", str(study)]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert not (tmp_path / "study-run").exists()
