from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

ROWS = ["country;sex;job"] + [
    f"{('France', 'Italy', 'Japan', 'Peru')[n % 4]};{'fm'[n % 2]};{('a', 'b', 'c')[n % 3]}"
    for n in range(60)
]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    assert main(["init", str(tmp_path / "people.csv"), "--quiet"]) == 0
    return tmp_path / "study.toml"


def test_tree_and_coverage(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["hierarchy", str(study), "country"]) == 0
    shown = capsys.readouterr().out
    assert "├── Asia (1 leaf)\n│   └── Eastern Asia" in shown or "├── Asia (1 leaf)" in shown
    assert "coverage: every value is in the hierarchy" in shown
    assert "1  hierarchy = { taxonomy = " in shown
    assert "United Nations Statistics Division" in shown
    assert "agglomerative information bottleneck" in shown


def test_values_that_are_not_covered(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = study.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if 'taxonomy = "countries"' in line)
    flat = 'hierarchy = { flat = ["France", "Italy"] }'
    study.write_text(text.replace(line, flat), encoding="utf-8")
    capsys.readouterr()
    assert main(["hierarchy", str(study), "country", "--json"]) == 3
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["covered"], found["problem"]) == (False, "value-not-in-hierarchy")
    # Values are for the eyes of the publisher, not for a script.
    assert "Japan" not in captured.out
    assert "Japan" in captured.err


def test_a_file_to_edit(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = study.parent / "country.csv"
    assert main(["hierarchy", str(study), "country", "-o", str(file)]) == 0
    assert 'hierarchy = "country.csv"' in capsys.readouterr().out
    assert "Japan;" in file.read_text(encoding="utf-8")
    text = study.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if 'taxonomy = "countries"' in line)
    before = read_study_file(study).study.hierarchies["country"]
    study.write_text(text.replace(line, 'hierarchy = "country.csv"'), encoding="utf-8")
    assert read_study_file(study).study.hierarchies["country"].labels == before.labels
    assert main(["hierarchy", str(study), "country", "-o", str(file)]) == 1
    assert main(["hierarchy", str(study), "country", "-o", str(file), "--force"]) == 0


def test_a_proposal_is_written(study: Path, tmp_path: Path) -> None:
    file = tmp_path / "groups.csv"
    assert main(["hierarchy", str(study), "country", "--proposal", "2", "-o", str(file)]) == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 4
    assert main(["hierarchy", str(study), "country", "--proposal", "9"]) == 1


def test_columns_that_are_not_there(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["hierarchy", str(study), "contry", "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["suggestion"]) == ("no-such-column", "country")
