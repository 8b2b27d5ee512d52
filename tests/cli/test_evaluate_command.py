"""``sfumato evaluate``: the metrics of one recoding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.documents.json_values import json_value
from sfumato.study.file.study_file import read_study_file
from sfumato.views.evaluation_view import evaluation_view

if TYPE_CHECKING:
    from pathlib import Path

EVERY = '[suppression]\npolicy = "limit"\nlimit = 0.2\nthreshold = "every"\n'
LEVELS = "age=2,zip=4,sex=0"


def evaluate(*arguments: str | Path) -> int:
    return main(["evaluate", *map(str, arguments)])


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path, PEOPLE + EVERY)
    study = read_study_file(path).study
    levels = {"age": 2, "zip": 4, "sex": 0}
    smallest = study.evaluate(levels).threshold
    for threshold in (None, smallest):
        chosen = [] if threshold is None else ["--threshold", str(threshold)]
        assert evaluate(path, "--levels", LEVELS, "--json", *chosen) == 0
        expected = study.evaluate(levels, threshold=threshold)
        found = json.loads(capsys.readouterr().out)
        assert found == json_value(evaluation_view(study, expected))
        assert (found["levels"], found["values"]) == (levels, expected.values)
        assert (found["rows"], found["suppressed"]) == (80, expected.suppressed)
        assert (found["empty"], found["meets"]) == (False, None)


def test_what_a_person_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path)
    assert evaluate(path, "--levels", "age=3,zip=5", "--level", "sex=1") == 0
    shown = capsys.readouterr().out
    assert "levels      age=3,zip=5,sex=1\n" in shown
    assert "kept        80 of 80 rows in 1 class\n" in shown
    assert "suppressed  0 rows (0 %)\n" in shown
    lines = [line.split() for line in shown.splitlines() if line.strip()]
    rows = {line[0]: line for line in lines}
    assert rows["age"] == ["age", "3", "of", "3", "*"]
    assert rows["k"] == ["k", "80", "rows", "higher"]
    assert rows["normalized-loss"] == [
        "normalized-loss",
        "1",
        "share",
        "of",
        "all",
        "cells",
        "lower",
    ]
    assert rows["s-k"][1] == "6,400"


def test_what_the_levels_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path)
    assert evaluate(path, "--levels", "age=1,zip=4,sex=0") == 0
    shown = {
        line.split()[0]: " ".join(line.split()[1:])
        for line in capsys.readouterr().out.splitlines()
        if line.strip()
    }
    assert shown["column"] == "level values become"
    assert shown["age"] == "1 of 3 [20, 25), [25, 30), [30, 35), [35, 40)"
    assert shown["zip"] == "4 of 5 2*"
    assert shown["sex"] == "0 of 1 unchanged"


def test_an_empty_release_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path, PEOPLE + '[suppression]\npolicy = "given-k"\nk = 81\n')
    assert evaluate(path, "--levels", LEVELS) == 0
    shown = capsys.readouterr().out
    assert "suppressed  80 rows (100 %): classes of fewer than 81" in shown
    assert "All records are suppressed" in shown
    assert evaluate(path, "--levels", LEVELS, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["empty"], found["values"]["c-avg"]) == (True, "inf")


def test_a_run_folder_is_a_study_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path, PEOPLE + EVERY)
    assert main(["search", str(path), "-o", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    evaluate(path, "--levels", LEVELS, "--json")
    of_study = capsys.readouterr().out
    assert evaluate(tmp_path / "run", "--levels", LEVELS, "--json") == 0
    assert capsys.readouterr().out == of_study
    with (tmp_path / "people.csv").open("a") as file:
        file.write("person 99,20,24101,F,flu,1,no\n")
    assert evaluate(tmp_path / "run", "--levels", LEVELS) == 1
    assert "has changed since it was searched" in capsys.readouterr().err


def test_names_with_commas_and_equals_signs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.csv").write_text('"a,b";"c=d"\n1;2\n1;3\n')
    path = tmp_path / "odd.toml"
    path.write_text(
        '[source]\npath = "odd.csv"\ndelimiter = ";"\nheader = true\n'
        + "".join(
            f'[columns."{name}"]\nrole = "quasi-identifying"\nhierarchy = {{ flat = true }}\n'
            for name in ("a,b", "c=d")
        )
    )
    for arguments in (
        ["--levels", '"a,b"=0,"c=d"=1'],
        ["--level", "a,b=0", "--level", "c=d=1"],
    ):
        assert evaluate(path, *arguments, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["levels"], found["values"]["k"]) == ({"a,b": 0, "c=d": 1}, 2.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--levels", "age=1,zip=1"], "'sex' has no level; give one level for each of age, zip"),
        ([], "'age' has no level"),
        (["--levels", LEVELS + ",ilness=1"], "'ilness' is not a quasi-identifier"),
        (["--levels", "age=9,zip=1,sex=0"], "level 9 of column 'age' does not exist; its levels "),
        (["--levels", "age=x,zip=1,sex=0"], "the level of column 'age' is 'x'"),
        (
            ["--levels", LEVELS, "--threshold", "3"],
            "threshold 3 cannot be chosen: the study keeps all classes in this recoding; to "
            'choose, set threshold = "every" under [suppression]',
        ),
    ],
)
def test_slips_teach(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(write_people(tmp_path), *arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
