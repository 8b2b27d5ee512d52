"""A microaggregated release from a study file to an audit, as people and scripts see it."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.engines.messages.block_statistics import Statistic
from sfumato.errors import SettingsError
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

WITH_STATISTICS = PEOPLE.replace("weight = 2.0\n", "weight = 2.0\ndigits = 1\n").replace(
    "{ prefix = true }\n", '{ prefix = true }\nstatistic = "mode"\n'
)
RELEASE = '[suppression]\npolicy = "limit"\nlimit = 0.2\n[release]\nvalues = "microaggregated"\n'


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    study = write_people(tmp_path, WITH_STATISTICS + RELEASE)
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    return tmp_path / "run"


def test_from_a_study_file_to_an_audit(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "k>=4", "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["released_values"] == "microaggregated"
    assert said["statistics"] == {"age": "mean", "zip": "mode", "sex": "mode"}
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == said["rows"]
    assert all(len(row["age"].partition(".")[2]) <= 1 for row in rows)
    assert {row["sex"] for row in rows} <= {"F", "M"}
    private = said["private_certificate"]
    assert main(["audit", str(out), str(run), "--private-certificate", private, "--json"]) == 0
    audit = json.loads(capsys.readouterr().out)
    assert audit["statistics"] == said["statistics"]
    assert audit["levels"] == said["levels"]
    assert audit["values"] == pytest.approx(
        {name: v for name, v in said["values"].items() if name in audit["values"]}
    )
    assert main(["audit", str(out), str(run), "--require", "k>=4, loss<=100"]) == 3
    shown = capsys.readouterr().out
    assert "statistics    age (mean), zip (mode), sex (mode)" in shown
    assert "k>=4: met" in shown
    assert "loss<=100: cannot be measured: the cells are statistics of blocks" in shown


def test_the_command_line_overrules_the_study(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    command = ["release", str(run), "--pick", "k>=4", "-o", str(out), "--force"]
    assert main(command) == 0
    captured = capsys.readouterr()
    assert "statistics   age (mean), zip (mode), sex (mode)" in captured.out
    assert "and the statistics of all blocks, from the source" in captured.out
    assert main([*command, "--values", "generalized"]) == 0
    assert "statistics" not in capsys.readouterr().out
    # The certificate beside it is that of the file that is there now.
    assert main(["audit", str(out), str(run), "--require", "loss<=1000"]) == 0
    with pytest.raises(SystemExit) as left:
        main([*command, "--values", "averages"])
    assert left.value.code == 2


def test_blocks_of_one_value_are_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text("age\n23\n23\n31\n34\n")
    study = tmp_path / "study.toml"
    study.write_text(
        '[source]\npath = "t.csv"\n[columns.age]\nrole = "quasi-identifying"\n'
        "hierarchy = { intervals = [10], low = 20, high = 39 }\n"
    )
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    out = str(tmp_path / "o.csv")
    command = ["release", str(tmp_path / "run"), "--pick", "k>=2", "-o", out]
    assert main([*command, "--values", "microaggregated"]) == 0
    assert "blocks whose rows all have the same value: 1 of 'age'" in capsys.readouterr().err


def test_what_a_study_file_says(tmp_path: Path) -> None:
    read = read_study_file(write_people(tmp_path, WITH_STATISTICS + RELEASE))
    by_name = {attribute.name: attribute for attribute in read.study.attributes}
    assert (by_name["age"].statistic, by_name["age"].digits) == (None, 1)
    assert by_name["zip"].statistic is Statistic.MODE
    assert read.released_values == "microaggregated"
    assert read_study_file(write_people(tmp_path)).released_values == "generalized"


@pytest.mark.parametrize(
    ("text", "code", "table", "key", "suggestion"),
    [
        (
            PEOPLE.replace("weight = 2.0", 'statistic = "meen"'),
            *("unknown-choice", "[columns.age]", "statistic", "mean"),
        ),
        (
            PEOPLE.replace("weight = 2.0", "digits = 1.5"),
            *("wrong-type", "[columns.age]", "digits", None),
        ),
        (
            PEOPLE.replace("weight = 2.0", 'digits = 1\nstatistic = "mode"'),
            *("conflicting-settings", "[columns.age]", "digits", None),
        ),
        (
            PEOPLE.replace('distance = "ordered"', 'statistic = "mean"'),
            *("conflicting-settings", "[columns.income]", "statistic", None),
        ),
        (
            PEOPLE + '[release]\nvalues = "microagregated"\n',
            *("unknown-choice", "[release]", "values", "microaggregated"),
        ),
    ],
)
def test_what_is_wrong_in_a_study_file(
    tmp_path: Path, text: str, code: str, table: str, key: str, suggestion: str | None
) -> None:
    with raises(SettingsError, code=code, table=table, key=key, suggestion=suggestion):
        read_study_file(write_people(tmp_path, text))
