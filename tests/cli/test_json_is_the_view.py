"""What ``--json`` prints is the view that the terminal renders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.documents.json_values import json_value
from sfumato.front.decisions.alternatives import Tolerance
from sfumato.front.decisions.pick_rule import read_constraints
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import write_run
from sfumato.views.audit_view import audit_view
from sfumato.views.comparison_view import comparison_view
from sfumato.views.run.front_view import alternatives_view

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.runs.run import Run

LIMIT = '[suppression]\npolicy = "limit"\nlimit = 0.1\n'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("people")
    study_file = read_study_file(write_people(folder, PEOPLE + LIMIT))
    return write_run(folder / "run", study_file, study_file.study.search(), seconds=0)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> object:
    assert main([*map(str, arguments), "--json"]) in (0, 3)
    return json.loads(capsys.readouterr().out)


def test_compare(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    front, study = run.result.front, run.study_file.study
    view = comparison_view(study.compare(front[0], front[1]), by="sex")
    assert printed(capsys, "compare", run.folder, "0", "1", "--by", "sex") == json_value(view)
    sums = [side.kept + side.suppressed for side in view.sides]
    assert sums == [view.rows, view.rows]
    for one in view.properties.values():
        whole = one.gainers
        parts = whole.better_off_in_first + whole.better_off_in_second + whole.unchanged
        assert parts == whole.rows == sum(group.rows for group in one.by_value)


def test_alternatives(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    view = alternatives_view(run, {"k": 3.0}, tolerance=Tolerance(loss=0.2))
    arguments = ("front", run.folder, "--instead-of", "k=3", "--loss-tolerance", "0.2")
    assert printed(capsys, *arguments) == json_value(view)
    assert (view.choice, view.partial) == ("k = 3", True)
    assert all(solution.values["k"] > 3 for solution in view.more_privacy)


def test_audit(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    source, rule = run.source.path, "k>=2, usefulness<=1"
    audit = run.study_file.study.audit(source)
    view = audit_view(source, audit, required=read_constraints(rule))
    assert printed(capsys, "audit", source, run.folder, "--require", rule) == json_value(view)
    assert view.unmet == ("k>=2", "usefulness<=1")
    assert view.requirements["k>=2"] == "not met: it is 1"
    assert view.requirements["usefulness<=1"].startswith("cannot be measured: ")
    assert (view.identifying, view.passes) == (("name",), False)
    assert {metric.name for metric in view.metrics} == set(view.kept_rows)
