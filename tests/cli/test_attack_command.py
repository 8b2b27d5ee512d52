"""``sfumato attack``: planted people are found in the raw file, and not in a release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
import pytest
from tests.release.ledger.ledger_tables import BY_AGE, BY_PLACE, patients

from sfumato.cli.exit_codes import NOT_MET, WRONG_INPUT
from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

STUDY = """
[source]
path = "patients.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 30], low = 20, high = 79 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = true, keep = [3] }

[columns.sex]
role = "quasi-identifying"
hierarchy = { flat = true }

[columns.illness]
role = "sensitive"
distance = { hierarchy = "illness.csv" }
"""
ILLNESSES = "flu;lung;*\nasthma;lung;*\nangina;heart;*\n"


class Files(NamedTuple):
    folder: Path
    study: Path
    raw: Path
    by_age: Path
    by_place: Path


@pytest.fixture
def files(tmp_path: Path) -> Files:
    patients().to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "illness.csv").write_text(ILLNESSES)
    (tmp_path / "study.toml").write_text(STUDY)
    study = read_study_file(tmp_path / "study.toml").study
    found = Files(
        tmp_path,
        tmp_path / "study.toml",
        tmp_path / "patients.csv",
        tmp_path / "by-age.csv",
        tmp_path / "by-place.csv",
    )
    study.release(BY_AGE, found.by_age, ledger=False)
    study.release(BY_PLACE, found.by_place, ledger=False)
    return found


def printed(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0
) -> dict[str, object]:
    capsys.readouterr()
    assert main(["attack", *map(str, arguments), "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def learnt(view: dict[str, object]) -> dict[str, int]:
    lines = view["attacks"]
    assert isinstance(lines, list)
    return {line["attack"]: line["learnt"] for line in lines}


def by_hand(path: Path) -> dict[str, int]:
    """Return what an intruder learns by looking at every class with pandas."""
    table = pd.read_csv(path, dtype=str)
    group = table["illness"].map({"flu": "lung", "asthma": "lung", "angina": "heart"})
    classes = [table[name] for name in ("age", "zip", "sex")]
    values = table.groupby(classes)["illness"].transform("nunique")
    groups = group.groupby(classes).transform("nunique")
    return {
        "homogeneity": int((values == 1).sum()),
        "background-knowledge": int((values <= 2).sum()),
        "similarity": int((groups == 1).sum()),
    }


def test_the_raw_file_tells_and_the_release_does_not(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = printed(capsys, files.raw, files.study, code=NOT_MET)
    wanted = by_hand(files.raw)
    assert wanted["homogeneity"] > 100
    assert wanted.items() <= learnt(raw).items()
    released = printed(capsys, files.by_age, files.study)
    assert by_hand(files.by_age) == dict.fromkeys(wanted, 0)
    assert dict.fromkeys(wanted, 0).items() <= learnt(released).items()
    assert released["succeeds"] is False


def test_two_releases_together(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    study = read_study_file(files.study).study
    first, second = files.folder / "first.csv", files.folder / "second.csv"
    study.release({"age": 1, "zip": 0, "sex": 1}, first, ledger=False)
    study.release({"age": 0, "zip": 2, "sex": 0}, second, ledger=False)
    view = printed(capsys, first, files.study, "--with", second, code=NOT_MET)
    compositions = view["compositions"]
    assert isinstance(compositions, dict)
    one, two = (pd.read_csv(path, dtype=str) for path in (first, second))
    alone, together = [0, 0], 0
    for _, age, place, sex, _ in pd.read_csv(files.raw, dtype=str).itertuples(index=False):
        decade = int(age) // 10 * 10
        here = one[(one["age"] == f"[{decade}, {decade + 10})") & (one["zip"] == place)]
        there = two[(two["age"] == age) & (two["sex"] == sex)]
        told = [set(here["illness"]), set(there["illness"])]
        assert all(told)
        alone = [many + (len(each) == 1) for many, each in zip(alone, told, strict=True)]
        together += len(told[0] & told[1]) == 1
    assert together > max(alone)
    assert compositions["illness"] == {
        "people": 600,
        "alone": alone,
        "together": together,
        "excluded": 0,
    }


def test_a_register_finds_planted_people(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    source = pd.read_csv(files.raw, dtype=str)
    alone = ~source.duplicated(["age", "zip", "sex"], keep=False)
    plants = source[alone].head(20)
    plants.drop(columns="illness").to_csv(files.folder / "register.csv", index=False)
    register = ("--register", files.folder / "register.csv")
    raw = printed(capsys, files.raw, files.study, *register, code=NOT_MET)
    linking = raw["linking"]
    assert isinstance(linking, dict)
    found = linking["illness"]
    assert (found["people"], found["matched_rightly"], found["learnt_rightly"]) == (20, 20, 20)
    released = printed(capsys, files.by_age, files.study, *register)
    linking = released["linking"]
    assert isinstance(linking, dict)
    assert linking["illness"]["matched_rightly"] == 0
    assert linking["illness"]["smallest_crowd"] >= 2


def test_no_value_of_anybody_is_shown(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack", str(files.raw), str(files.study)]) == NOT_MET
    shown = capsys.readouterr().out
    assert "homogeneity" in shown
    assert not any(word in shown for word in ("flu", "asthma", "angina", "patient 1", "24"))


def test_what_cannot_be_attacked(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    source = pd.read_csv(files.raw, dtype=str)
    other = files.folder / "other.csv"
    for columns, code in (
        (["illness"], "no-quasi-identifier"),
        (["age", "zip"], "no-sensitive-column"),
    ):
        source[columns].to_csv(other, index=False)
        view = printed(capsys, other, files.study, code=WRONG_INPUT)
        assert isinstance(view["error"], dict)
        assert view["error"]["code"] == code
    source[["name", "illness"]].to_csv(other, index=False)
    view = printed(capsys, files.by_age, files.study, "--register", other, code=WRONG_INPUT)
    assert isinstance(view["error"], dict)
    assert view["error"]["code"] == "no-quasi-identifier"
    view = printed(capsys, files.by_age, files.study, "--with", other, code=WRONG_INPUT)
    assert isinstance(view["error"], dict)
    assert view["error"]["code"] == "no-quasi-identifier"
    view = printed(capsys, files.by_age, files.study, "--draws", "0", code=WRONG_INPUT)
    assert isinstance(view["error"], dict)
    assert view["error"]["where"]["key"] == "draws"
