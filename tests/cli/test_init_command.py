from __future__ import annotations

import json
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.study.proposal_tables import FIRST_NAMES, SURNAMES, write_messy_hospital

from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = "sex;age;illness\n" + "".join(f"{'fm'[n % 2]};{20 + n};flu\n" for n in range(40))


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


def test_the_study_is_written_beside_the_data(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", str(people)]) == 0
    shown = capsys.readouterr().out
    study = people.with_name("study.toml")
    assert f"sfumato search {study}" in shown
    assert "intervals = [5, 10]" in shown or "intervals = [2, 10" in shown
    assert read_study_file(study).study.count_table.rows == 40


def test_json(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "first.toml"
    assert main(["init", str(people), "-o", str(target), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["study"] == str(target)
    assert result["rows"] == 40
    assert [column["role"] for column in result["columns"]] == [
        "quasi-identifying",
        "quasi-identifying",
        "insensitive",
    ]
    assert result["recodings"] == read_study_file(target).study.lattice.nodes


def test_values_of_people_are_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "klinik.csv"
    write_messy_hospital(path)
    assert main(["init", str(path)]) == 0
    assert main(["init", str(path), "--force", "--json"]) == 0
    shown = capsys.readouterr()
    for statement in (*SURNAMES, *FIRST_NAMES, "2024000007", "Nord"):
        assert statement not in shown.out + shown.err


def test_force_is_needed_to_replace(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = people.with_name("study.toml")
    study.write_text("[source]  # mine", encoding="utf-8")
    assert main(["init", str(people)]) == 1
    assert "--force" in capsys.readouterr().err
    assert study.read_text(encoding="utf-8") == "[source]  # mine"
    assert main(["init", str(people), "--force"]) == 0
    assert read_study_file(study).study.count_table.rows == 40


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("people.csv", "holds the rows themselves, and is never replaced"),
        ("linked.toml", "holds the rows themselves, and is never replaced"),
        ("other.csv", "is not a study that can be read, so it is not replaced"),
        ("pyproject.toml", "is not a study that can be read"),
        ("people.parquet", "is not a study that can be read"),
    ],
)
def test_only_studies_are_replaced(
    name: str, said: str, people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = people.parent
    (folder / "linked.toml").hardlink_to(people)
    (folder / "other.csv").write_text("a,b\n1,2\n")
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (folder / "people.parquet").write_bytes(b"PAR1\xff\xfe")
    before = (folder / name).read_bytes()
    for options in ([], ["--force"]):
        assert main(["init", str(people), "-o", str(folder / name), *options]) == 1
        message = capsys.readouterr().err
        assert said in message
        assert "--force" not in message
    assert (folder / name).read_bytes() == before


def test_a_database_needs_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hospital.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT i % 3 AS ward, i % 7 AS age FROM range(50) t(i)"
        )
    assert main(["init", str(path)]) == 1
    assert "--table" in capsys.readouterr().err
    assert main(["init", str(path), "--table", "person"]) == 1
    assert "'people'" in capsys.readouterr().err
    assert main(["init", str(path), "--table", "people"]) == 0
    assert read_study_file(tmp_path / "study.toml").study.count_table.rows == 50


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"", [], "is empty"),
        (b"sex;age\n", [], "not a single row"),
        (b"sex\nf\nm\n", [], "--delimiter"),
        (b"sex;age\nf;1\nm\n", [], "line 3"),
        (b"sex;age\nf;1\n", ["--delimiter", ";;"], "single character"),
        (b"sex;age\nf;1\n", ["--encoding", "klingon"], "utf-8"),
        (b"sex;age\nf;1\n", ["-o", "nowhere/study.toml"], "there is no folder nowhere"),
        (b"sex;age\nf;1\n", ["-o", "."], "is a folder"),
        (b"sex;age\nf;1\n", ["--table", "t", "--quote", "'"], "applies to text files only"),
    ],
)
def test_what_cannot_be_done_is_said(
    content: bytes,
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_bytes(content)
    assert main(["init", "people.csv", *options]) == 1
    assert message in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_missing_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path / "people.csv")]) == 1
    assert "there is no file" in capsys.readouterr().err
    # Whatever else could be said, too.
    (tmp_path / "study.toml").write_text("[source]\n")
    for name, options in (
        ("people.csv", []),
        ("people.duckdb", []),
        ("people.xlsx", []),
        ("people", []),
        ("people.csv", ["-o", "nowhere/study.toml"]),
        ("people.csv", ["--table", "t", "--delimiter", ";"]),
    ):
        assert main(["init", str(tmp_path / name), *options]) == 1
        assert f"there is no file {tmp_path / name}" in capsys.readouterr().err


def test_settings_of_a_text_file(tmp_path: Path) -> None:
    path = tmp_path / "people.rows"
    path.write_bytes("f\t20\tMünchen\nm\t30\tKöln\n".encode("latin-1") * 20)
    options = ["--delimiter", "tab", "--encoding", "latin-1", "--no-header", "--quote", ""]
    assert main(["init", str(path), *options]) == 0
    study = read_study_file(tmp_path / "study.toml").study
    assert [attribute.name for attribute in study.attributes] == ["column1", "column2", "column3"]
    assert study.count_table.rows == 40


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["init", "--help"])
    assert "sfumato init patients.csv" in capsys.readouterr().out
