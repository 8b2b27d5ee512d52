"""A person key through the commands: init, search, report, release, audit, compare."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

from tests.study.test_people import visits

from sfumato.cli.main import main

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
    # What init requires of k, the file alone cannot show.
    assert main(["audit", str(released), str(study), "--json"]) == 3
    audit = json.loads(capsys.readouterr().out)
    assert "people" in audit["not_measured"]["k"]
    assert any("people" in verdict for verdict in audit["requirements"].values())
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "visits.csv":
            assert b"SECRET" not in path.read_bytes(), path


def test_init_refuses_a_key_that_is_not_there(tmp_path: Path) -> None:
    visits().to_csv(tmp_path / "visits.csv", index=False)
    assert main(["init", str(tmp_path / "visits.csv"), "--person", "pateint"]) != 0
    assert not (tmp_path / "study.toml").exists()
