"""``sfumato risk``: a run, a study and a file, in text, JSON and as a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pytest
from tests.cli.test_attack_command import ILLNESSES, STUDY
from tests.release.ledger.ledger_tables import BY_AGE, patients

from sfumato.cli.exit_codes import WRONG_INPUT
from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

POPULATION = '\n[population]\npath = "population.csv"\n'
SEARCH = '\n[search]\nobjectives = ["k", "loss"]\n[release]\nrequire = ["prosecutor-risk<0.05"]\n'
QUASI = ["age", "zip", "sex"]


class Files(NamedTuple):
    folder: Path
    study: Path
    released: Path
    run: Path
    rows: pd.DataFrame
    population: pd.DataFrame


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("risk")
    rows = patients()
    population = pd.concat([rows, rows.sample(400, random_state=1)])[QUASI]
    rows.to_csv(folder / "patients.csv", index=False)
    population.to_csv(folder / "population.csv", index=False)
    (folder / "illness.csv").write_text(ILLNESSES)
    (folder / "study.toml").write_text(STUDY + POPULATION + SEARCH)
    study = read_study_file(folder / "study.toml").study
    study.release(BY_AGE, folder / "released.csv", ledger=False)
    assert main(["search", str(folder / "study.toml"), "-o", str(folder / "run"), "--quiet"]) == 0
    return Files(
        folder,
        folder / "study.toml",
        folder / "released.csv",
        folder / "run",
        rows,
        population,
    )


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["risk", *map(str, arguments), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_study_has_the_risk_of_its_source(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    view = printed(capsys, files.study)
    sizes = files.rows.groupby(QUASI).size()
    before = view["before"]
    assert view["after"] is None
    assert before["rows"] == len(files.rows)
    assert before["classes"] == len(sizes)
    assert before["prosecutor"]["mean"] == pytest.approx(len(sizes) / len(files.rows))
    assert before["prosecutor"]["at_highest"] == int((sizes == 1).sum())
    around = files.population.groupby(QUASI).size()
    marketer = float((sizes / around.loc[sizes.index]).sum()) / len(files.rows)
    assert before["marketer"] == pytest.approx(marketer)
    assert before["journalist"]["highest"] == 1 / around.loc[sizes.index].min()
    assert "exact" in view["population"]


def test_a_file_has_the_risk_of_its_labels(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    view = printed(capsys, files.released, files.study)
    released = pd.read_csv(files.released, dtype=str)
    sizes = released.groupby(QUASI).size()
    after = view["after"]
    assert after["label"] == "released.csv"
    assert after["classes"] == len(sizes)
    assert after["suppressed"] == len(files.rows) - len(released)
    assert after["prosecutor"]["highest"] == 1 / sizes.min()
    # The labels of the population, by the rows of the source that have them.
    evaluated = read_study_file(files.study).study.evaluate(BY_AGE).values
    assert after["journalist"]["highest"] == pytest.approx(evaluated["journalist-risk"])
    assert after["marketer"] == pytest.approx(evaluated["mean-journalist-risk"])


def test_a_run_has_the_risk_before_and_after(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    view = printed(capsys, files.run)
    assert view["after"]["prosecutor"]["highest"] < 0.05
    assert view["before"]["prosecutor"]["highest"] == 1.0
    other = printed(capsys, files.run, "--pick", "0", "--largest", "2", "--above", "0.3")
    assert other["after"]["label"] == "solution 0"
    assert max(len(each["columns"]) for each in other["before"]["subsets"]) == 2
    assert list(other["before"]["prosecutor"]["above"]) == ["30 %"]


def test_what_is_printed_and_what_the_page_says(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    page = files.folder / "risk.html"
    assert main(["risk", str(files.run), "-o", str(page), "--force"]) == 0
    text = capsys.readouterr().out
    html = page.read_text(encoding="utf-8")
    assert "prosecutor: highest" in text
    for part in ("Distribution of risk", "Special uniques", "prosecutor: highest", "100 %"):
        assert part in html
    assert "<script" not in html
    assert page.stat().st_mode & 0o077 == 0
    # No value of anybody, no name.
    for name in [*files.rows["name"], *files.rows["zip"].unique(), *files.rows["illness"].unique()]:
        assert str(name) not in html
        assert str(name) not in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["released.csv"], "missing-setting"),
        (["study.toml", "--pick", "k>=2"], "conflicting-settings"),
        (["run", "--force"], "conflicting-settings"),
        (["run", "--above", "1.5"], "out-of-range"),
        (["run", "--largest", "0"], "out-of-range"),
        (["run", "-o", "patients.csv"], "never-replaced"),
    ],
)
def test_what_cannot_be_asked(
    files: Files,
    arguments: list[str],
    code: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files.folder)
    capsys.readouterr()
    assert main(["risk", *arguments, "--json"]) == WRONG_INPUT
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_the_report_attacks_a_released_file(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    page = files.folder / "report.html"
    command = ["report", str(files.run), "-o", str(page), "--attack", str(files.released)]
    assert main(command) == 0
    html = page.read_text(encoding="utf-8")
    assert "homogeneity (illness)" in html
    assert 'id="risk-bands"' in html
    assert main(["report", str(files.run), "-o", str(page), "--register", "x.csv"]) == WRONG_INPUT
    assert "--attack" in capsys.readouterr().err


def test_a_population_that_is_too_small(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files.rows.to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "illness.csv").write_text(ILLNESSES)
    for text in ('path = "population.csv"', "size = 5"):
        files.population[:50].to_csv(tmp_path / "population.csv", index=False)
        (tmp_path / "study.toml").write_text(f"{STUDY}\n[population]\n{text}\n")
        capsys.readouterr()
        assert main(["risk", str(tmp_path / "study.toml"), "--json"]) == WRONG_INPUT
        error = json.loads(capsys.readouterr().out)["error"]
        assert error["code"] == "population-too-small"


@pytest.mark.parametrize("weight", ["0.5", "-1", "many"])
def test_weights_that_are_none(
    files: Files, tmp_path: Path, weight: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = files.rows.assign(weight=["2"] * (len(files.rows) - 1) + [weight])
    rows.to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "illness.csv").write_text(ILLNESSES)
    asked = '\n[columns.weight]\nrole = "identifying"\n\n[population]\nweights = "weight"\n'
    (tmp_path / "study.toml").write_text(STUDY + asked)
    capsys.readouterr()
    assert main(["risk", str(tmp_path / "study.toml"), "--json"]) == WRONG_INPUT
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "weights-below-one"
    assert error["where"]["column"] == "weight"
    assert error["found"] == repr(weight)
    assert "1 or more" in error["expected"]
