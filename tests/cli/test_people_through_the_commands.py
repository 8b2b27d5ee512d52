"""A person key through the commands: init, search, report, release, audit, compare."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pandas as pd
from tests.study.test_people import visits

from sfumato.cli.main import main
from sfumato.release.audit.audit import UNDECIDED

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_from_init_to_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    visits(rows=300, people=90).to_csv(tmp_path / "visits.csv", index=False)
    study = tmp_path / "study.toml"
    assert main(["init", str(tmp_path / "visits.csv"), "--person", "patient"]) == 0
    written = tomllib.loads(study.read_text())
    assert written["columns"]["patient"] == {"role": "identifying", "person": True}
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    assert main(["report", str(tmp_path / "run")]) == 0
    released = tmp_path / "released.csv"
    command = ["release", str(tmp_path / "run"), "--pick", "k>=3", "-o", str(released)]
    assert main(command) == 0
    public = json.loads((tmp_path / "released.csv.certificate.json").read_text())
    assert public["counts"] == "people"
    assert public["metrics"]["k"] >= 3
    capsys.readouterr()
    # What init requires of k, the file alone cannot show: that is no fault of the release.
    assert main(["audit", str(released), str(study), "--json"]) == 0
    audit = json.loads(capsys.readouterr().out)
    assert "people" in audit["not_measured"]["k"]
    assert audit["undecided"] == ["k>=5", "distinct-l>=2"] == list(audit["requirements"])
    assert audit["unmet"] == []
    assert set(audit["requirements"].values()) == {UNDECIDED}
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "visits.csv":
            assert b"SECRET" not in path.read_bytes(), path


def _released(folder: Path) -> Path:
    """Release visits of people, and return the file; the study is beside it."""
    visits(rows=300, people=90).to_csv(folder / "visits.csv", index=False)
    assert main(["init", str(folder / "visits.csv"), "--person", "patient"]) == 0
    assert main(["search", str(folder / "study.toml"), "-o", str(folder / "run")]) == 0
    command = ["release", str(folder / "run"), "-o", str(folder / "released.csv")]
    assert main(command) == 0
    return folder / "released.csv"


def test_an_audit_leaves_undecided_what_only_the_person_key_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released, study = _released(tmp_path), str(tmp_path / "study.toml")
    capsys.readouterr()
    assert main(["audit", str(released), study]) == 0
    shown = capsys.readouterr().out
    assert "undecided" in shown
    assert ": met" not in shown
    # Who asks explicitly gets no answer, and that is a failure.
    assert main(["audit", str(released), study, "--require", "k>=5", "--json"]) == 3
    asked = json.loads(capsys.readouterr().out)
    assert (asked["unmet"], asked["undecided"]) == (["k>=5"], ["distinct-l>=2"])
    assert "people" in asked["requirements"]["k>=5"]
    # Of the source, which has the key, people are counted.
    assert main(["audit", str(tmp_path / "visits.csv"), study, "--json"]) == 3
    source = json.loads(capsys.readouterr().out)
    assert source["undecided"] == []
    assert source["requirements"]["k>=5"].startswith("not met")


def test_an_audit_tells_that_even_the_rows_are_too_few(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released, study = _released(tmp_path), str(tmp_path / "study.toml")
    table = pd.read_csv(released, dtype=str)
    kept = table.groupby(["sex", "age"]).cumcount() < 3
    table[kept].to_csv(released, index=False)
    (tmp_path / "released.csv.certificate.json").unlink()
    capsys.readouterr()
    assert main(["audit", str(released), study, "--json"]) == 3
    audit = json.loads(capsys.readouterr().out)
    assert "k>=5" in audit["unmet"]
    assert audit["requirements"]["k>=5"].startswith("not met")


def test_commands_show_people_as_the_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, run = str(tmp_path / "study.toml"), str(tmp_path / "run")
    visits(rows=300, people=90).to_csv(tmp_path / "visits.csv", index=False)
    assert main(["init", str(tmp_path / "visits.csv"), "--person", "patient"]) == 0
    capsys.readouterr()
    assert main(["search", study, "-o", run]) == 0
    assert "k (people, higher is better)" in " ".join(capsys.readouterr().out.split())
    assert main(["evaluate", run, "--solution", "0", "--json"]) == 0
    assert _units(capsys)["k"] == "people"
    assert main(["audit", str(tmp_path / "visits.csv"), study, "--json"]) == 3
    assert _units(capsys)["weighted-k"] == "people"
    assert main(["compare", run, "0", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sides"][0]["counts_people"] is True
    assert main(["report", run, "-o", str(tmp_path / "report.html")]) == 0
    assert '"counts_people":true' in (tmp_path / "report.html").read_text().replace(": ", ":")


def _units(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    shown = json.loads(capsys.readouterr().out)["metrics"]
    return {metric["name"]: metric["unit"] for metric in shown}


def test_init_refuses_a_key_that_is_not_there(tmp_path: Path) -> None:
    visits().to_csv(tmp_path / "visits.csv", index=False)
    assert main(["init", str(tmp_path / "visits.csv"), "--person", "pateint"]) != 0
    assert not (tmp_path / "study.toml").exists()
