"""``sfumato utility``: what analysts can still do with a solution of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import write_people

from sfumato.cli.main import main
from sfumato.study.runs.run_utility import RunUtility, read_utility

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = write_people(tmp_path)
    assert main(["search", str(path), "-o", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    return tmp_path / "run"


def test_json_is_what_is_kept_and_the_report_shows_it(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["utility", str(run), "--pick", "k>=2", "--along", "2,5,9999", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    kept = read_utility(run)
    assert kept == RunUtility.model_validate(printed)
    assert kept is not None
    assert [point.mark for point in kept.curve] == [2, 5]
    assert kept.unreached == ("k ≥ 9999 (global)",)
    assert (run / "utility.json").stat().st_mode & 0o077 == 0
    assert main(["report", str(run)]) == 0
    assert '"utility":{"solution"' in (run / "report.html").read_text(encoding="utf-8")


def test_what_a_person_sees(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workload = run.parent / "queries.toml"
    workload.write_text('queries = ["age > 30"]\n', encoding="utf-8")
    given = ["utility", str(run), "--pick", "k>=2", "--workload", str(workload), "--no-save"]
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert "Columns, before and after" in shown
    assert "age > 30" in shown
    assert "Written queries: 1 query" in shown
    assert not (run / "utility.json").exists()


@pytest.mark.parametrize(
    ("given", "key"), [(["--along", "2,x"], "--along"), (["--folds", "1"], "folds")]
)
def test_wrong_options(
    run: Path, given: list[str], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["utility", str(run), "--pick", "k>=2", "--json", *given]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["where"]["key"] == key


def test_a_utility_that_was_edited_is_refused(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "utility.json").write_text("{}", encoding="utf-8")
    assert main(["report", str(run)]) == 1
    assert "utility.json" in capsys.readouterr().err
