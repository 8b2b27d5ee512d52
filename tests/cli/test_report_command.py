from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.report.made_run import people

from sfumato.cli.exit_codes import DONE, NOT_MET, WRONG_INPUT
from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

STUDY = """
[source]
path = "people.csv"
unlisted = "insensitive"
[columns.name]
role = "identifying"
[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20], low = 20, high = 59 }
[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = 5 }
[columns.illness]
role = "sensitive"
[suppression]
policy = "limit"
limit = 0.05
"""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    people().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "study.toml").write_text(STUDY)
    folder = tmp_path / "run"
    assert main(["search", str(tmp_path / "study.toml"), "-o", str(folder), "--quiet"]) == DONE
    capsys.readouterr()
    return folder


def data_of(report: Path) -> dict[str, object]:
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', report.read_text("utf-8")
    )
    assert found is not None
    return dict(json.loads(found[1]))


def test_it_lies_in_the_run_folder(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run)]) == DONE
    output = capsys.readouterr()
    assert f"The report is in {run / 'report.html'}" in output.out.replace("\n", "")
    assert "not for publication" in output.err
    data = data_of(run / "report.html")
    assert data["source"] == "people.csv"
    assert data["chosen"] == data["knee"]
    assert "it opens with solution" in output.err
    assert str(run.parent) not in (run / "report.html").read_text("utf-8")


def test_a_rule_says_what_it_opens_with(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = run.parent / "mine.html"
    assert main(["report", str(run), "--pick", "k>=2", "-o", str(place)]) == DONE
    assert "opens with solution 1: least normalized-loss among" in capsys.readouterr().err
    assert data_of(place)["chosen"] == 1
    assert not (run / "report.html").exists()


def test_it_replaces_only_if_told(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--quiet"]) == DONE
    (run / "report.html").write_text("<!DOCTYPE html>mine")
    assert main(["report", str(run)]) == WRONG_INPUT
    assert "replace it with --force" in capsys.readouterr().err
    assert (run / "report.html").read_text() == "<!DOCTYPE html>mine"
    assert main(["report", str(run), "--force"]) == DONE
    assert data_of(run / "report.html")["rows"] == 300


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("people.csv", "is the source of the run, and is never replaced"),
        ("linked.html", "is the source of the run, and is never replaced"),
        ("run/study.toml", "is the study of the run, and is never replaced"),
        ("study.toml", "is not an HTML file"),
        ("run/front.json", "is not an HTML file"),
    ],
)
def test_it_replaces_neither_data_nor_studies(
    name: str, said: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run.parent / "linked.html").symlink_to(run.parent / "people.csv")
    before = (run.parent / name).read_bytes()
    for options in ([], ["--force"]):
        assert main(["report", str(run), "-o", str(run.parent / name), *options]) == WRONG_INPUT
        message = capsys.readouterr().err
        assert said in message
        assert "--force" not in message
    assert (run.parent / name).read_bytes() == before


def test_a_rule_that_nothing_meets(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--pick", "k>=9999"]) == NOT_MET
    assert "no solution has k>=9999; the largest k is 300" in capsys.readouterr().err
    assert not (run / "report.html").exists()


def test_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path / "nowhere")]) == WRONG_INPUT
    assert "nowhere" in capsys.readouterr().err
