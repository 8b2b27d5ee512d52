"""``sfumato release`` and ``sfumato audit`` from a run folder, as scripts and people use them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = '[suppression]\npolicy = "limit"\nlimit = 0.2\n[search]\nobjectives = ["k", "loss"]\n'


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    study = write_people(tmp_path, PEOPLE + LIMIT)
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    return tmp_path / "run"


def test_from_a_run_to_a_release_and_back(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "k>=4", "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["values"]["k"] >= 4
    assert said["rows"] + said["suppressed"] == 80
    private = run / "releases" / "out.csv.private.json"
    assert said["private_certificate"] == str(private)
    settings = json.loads(private.read_text())
    assert settings["search"]["solution"] == said["solution"]
    assert 'policy = "limit"' in settings["settings"]
    assert main(["audit", str(out), str(run), "--private-certificate", str(private), "--json"]) == 0
    audit = json.loads(capsys.readouterr().out)
    assert audit["basis"] == "whole table"
    assert audit["values"] == pytest.approx(
        {name: v for name, v in said["values"].items() if name in audit["values"]}
    )
    assert audit["levels"] == said["levels"]
    assert main(["audit", str(out), str(tmp_path / "study.toml"), "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["basis"] == "kept rows"
    assert alone["values"] == alone["kept_rows"]
    assert alone["whole_table"] is None


def test_what_a_person_sees(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "3", "-o", str(out)]) == 0
    captured = capsys.readouterr()
    assert "solution 3" in captured.err
    assert "verified" in captured.out
    assert "(private, keep it)" in captured.out
    assert main(["audit", str(out), str(run)]) == 0
    shown = capsys.readouterr().out
    assert "suppressed rows are unknown" in " ".join(shown.split())
    assert "not measured  entropy-loss, precision, protection, usefulness" in shown


def test_exit_codes(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.csv")
    assert main(["release", str(run), "--pick", "k>=1000", "-o", out]) == 3
    assert "no solution" in capsys.readouterr().err
    assert main(["release", str(run), "--pick", "k>=2", "-o", out]) == 0
    assert main(["release", str(run), "--pick", "k>=2", "-o", out]) == 1
    assert "is there already" in capsys.readouterr().err
    assert main(["release", str(run), "--pick", "k>=2", "-o", out, "--force"]) == 0
    capsys.readouterr()
    audit = ["audit", out, str(run)]
    assert main([*audit, "--require", "k>=2"]) == 0
    assert main([*audit, "--require", "k>=2, distinct-l>=50"]) == 3
    shown = capsys.readouterr().out
    assert "required      k>=2: met" in shown
    assert "required      distinct-l>=50: not met: it is" in shown
    for wrong, said in [
        ("kk>=2", "did you mean"),
        ("entropy-l>=2,5", "with a decimal point"),
        ("knee", "knee"),
        ("5", "5"),
    ]:
        assert main([*audit, "--require", wrong]) == 1
        assert said in capsys.readouterr().err
    assert main([*audit, "--require", "usefulness<=1"]) == 3
    assert "usefulness<=1: cannot be measured: it needs the values before" in (
        capsys.readouterr().out
    )
    assert main(["audit", str(tmp_path / "people.csv"), str(run)]) == 3
    assert "the identifying column 'name' is in the table" in capsys.readouterr().out
    # Without a rule it starts from the policy, which this study does not have.
    assert main(["release", str(run), "-o", out]) == 1
    assert "--pick" in capsys.readouterr().err


def test_a_source_that_changed_is_not_released(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "people.csv"
    people.write_text(people.read_text() + "x,20,24100,F,flu,1,no\n")
    assert main(["release", str(run), "--pick", "0", "-o", str(tmp_path / "out.csv")]) == 1
    assert "has changed since it was searched" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_starred_rows(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.parquet")
    command = ["release", str(run), "--pick", "k>=3", "-o", out, "--suppressed", "star", "--json"]
    assert main(command) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["suppressed"] > 0
    rows = pq.read_table(out).to_pylist()
    starred = [row for row in rows if row["age"] == row["zip"] == row["sex"] == "*"]
    assert len(starred) == said["suppressed"]
    # Neither the sensitive columns nor the others tell anything about a suppressed person.
    assert all(row[name] is None for row in starred for name in ("illness", "income", "smokes"))
    assert main(["audit", out, str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["starred"] == said["suppressed"]


def test_a_release_does_not_go_into_the_private_folder(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (run / "front.csv").read_bytes()
    command = ["release", str(run), "--pick", "2", "-o", str(run / "front.csv"), "--force"]
    assert main(command) == 1
    assert "is in the run folder, which is private" in capsys.readouterr().err
    assert (run / "front.csv").read_bytes() == before


@pytest.mark.parametrize("way", ["up", "link", "linked folder", "certificate", "codebook"])
def test_no_way_leads_into_the_private_folder(
    way: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in run.rglob("*"))
    (tmp_path / "other").mkdir()
    (tmp_path / "linked").symlink_to(run)
    (tmp_path / "link.csv").symlink_to(run / "new.csv")
    place = {
        "up": tmp_path / "other" / ".." / run.name / "new.csv",
        "link": tmp_path / "link.csv",
        "linked folder": tmp_path / "linked" / "new.csv",
    }.get(way, tmp_path / "new.csv")
    command = ["release", str(run), "--pick", "2", "-o", str(place), "--force", "--json"]
    if place == tmp_path / "new.csv":
        command += [f"--{way}", str(tmp_path / "linked" / "new.json")]
    assert main(command) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "private-place"
    assert sorted(path.name for path in run.rglob("*")) == before


def test_private_certificates_outlive_a_new_search(run: Path, tmp_path: Path) -> None:
    assert main(["release", str(run), "--pick", "2", "-o", str(tmp_path / "out.csv")]) == 0
    private = run / "releases" / "out.csv.private.json"
    before = private.read_bytes()
    assert main(["search", str(tmp_path / "study.toml"), "-o", str(run), "--force"]) == 0
    assert private.read_bytes() == before
    assert (run / "releases").stat().st_mode & 0o777 == 0o700


def test_what_should_not_be_overlooked_is_said(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "0", "-o", str(out), "--quiet"]) == 0
    captured = capsys.readouterr()
    assert "warning: k = 1: at least one record is unique in its class" in captured.err
    assert "as they are  'illness', 'income', 'smokes'" in captured.out
    text = out.read_text().splitlines()
    out.write_text("\n".join([text[0] + ",mail", *(line + ",a@b.c" for line in text[1:])]))
    assert main(["audit", str(out), str(run)]) == 3
    assert "the study does not know the column 'mail'" in capsys.readouterr().out


def test_destinations_are_checked_before_the_source_is_read(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.csv").unlink()
    for out, said in [("a.xlsx", "expected one of '.csv'"), ("no/a.csv", "there is no folder")]:
        assert main(["release", str(run), "--pick", "0", "-o", str(tmp_path / out)]) == 1
        assert said in capsys.readouterr().err


def test_an_audit_without_a_study(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.csv")
    assert main(["release", str(run), "--pick", "k>=2", "-o", out, "--json"]) == 0
    promised = json.loads(capsys.readouterr().out)["values"]
    named = ["--quasi", 'age, "zip",sex', "--sensitive", "illness,income"]
    assert main(["audit", out, *named, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["quasi_identifiers"] == ["age", "zip", "sex"]
    assert (found["values"]["k"], found["values"]["distinct-l"]) == (
        promised["k"],
        promised["distinct-l"],
    )
    assert main(["audit", out, *named]) == 0
    shown = capsys.readouterr().out
    assert f"equal in      age, zip, sex: k = {promised['k']:.0f}" in shown
    reasons = [line.split(": ", 1)[1] for line in shown.splitlines() if "not measured  " in line]
    assert len(reasons) == len(set(reasons)) == 2
    assert main(["audit", out, *named, "--require", "k>=1000"]) == 3


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ((), "STUDY"),
        (("RUN", "--quasi", "age"), "--quasi"),
        (("RUN", "--sensitive", "age"), "--sensitive"),
        (("--quasi", "age", "--private-certificate", "x.json"), "--private-certificate"),
    ],
)
def test_an_audit_needs_a_study_or_columns(
    given: tuple[str, ...], key: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(run) if word == "RUN" else word for word in given]
    assert main(["audit", str(run.parent / "people.csv"), *words, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["where"]["key"] == key
