"""The same findings in Python, on the command line, in JSON and in the private certificate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd

import sfumato as sf
from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

STUDY = """\
[source]
path = "visits.csv"
unlisted = "insensitive"

[columns.patient]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 20], low = 20, high = 79 }

[columns.illness]
role = "sensitive"
"""


def visits(folder: Path) -> Path:
    """Write 300 visits of 100 people, with a spelling too many and a mail address."""
    pd.DataFrame(
        {
            "patient": [f"p{i % 100}" for i in range(300)],
            "age": [20 + i % 60 for i in range(300)],
            "illness": ["secretflu" if i % 3 else "SecretFlu" for i in range(300)],
            "contact": [f"{i}@example.org" for i in range(300)],
        }
    ).to_csv(folder / "visits.csv", index=False)
    path = folder / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


CODES = ["repeated-identifier", "released-identifier", "spelling-variants"]


def test_search_and_release_tell_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = visits(tmp_path)
    assert main(["search", str(path), "-o", str(tmp_path / "run"), "--json"]) == 0
    told = capsys.readouterr()
    assert [each["code"] for each in json.loads(told.out)["findings"]] == CODES
    assert all(code in told.err for code in CODES)
    released = tmp_path / "released.csv"
    assert (
        main(["release", str(tmp_path / "run"), "--pick", "k>=5", "-o", str(released), "--json"])
        == 0
    )
    told = capsys.readouterr()
    view = json.loads(told.out)
    assert [each["code"] for each in view["findings"]] == CODES
    assert told.err.index(CODES[0]) < told.err.index("rewriting the rows")
    private = json.loads((tmp_path / view["private_certificate"]).read_text(encoding="utf-8"))
    assert private["findings"] == view["findings"]
    public = (tmp_path / "released.csv.certificate.json").read_text(encoding="utf-8")
    assert "finding" not in public
    for text in (told.out, told.err, json.dumps(private["findings"])):
        assert "secretflu" not in text.lower()


def test_python_has_them_too(tmp_path: Path) -> None:
    study = sf.Study(
        source=visits(tmp_path).with_name("visits.csv"),
        attributes=[
            sf.identifying("patient"),
            sf.quasi_identifying("age", sf.Intervals(widths=(10, 20))),
            sf.sensitive("illness"),
        ],
        unlisted_insensitive=True,
    )
    heard: list[tuple[sf.Finding, ...]] = []
    release = study.release({"age": 2}, tmp_path / "released.csv", found=heard.append)
    assert [finding.code for finding in release.findings] == CODES
    assert heard == [release.findings] == [study.findings({"age": 2})]


def test_init_tells_of_visits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = visits(tmp_path)
    path.unlink()
    assert main(["init", str(tmp_path / "visits.csv"), "--json"]) == 0
    found, *listed = json.loads(capsys.readouterr().out)["findings"]
    assert [each["columns"] for each in listed] == [["patient"], ["contact"]]
    assert {each["code"] for each in listed} == {"safe-harbor"}
    assert "(F of HIPAA's Safe Harbor)" in listed[1]["message"]
    assert found["code"] == "repeated-identifier"
    assert found["columns"] == ["patient"]
    assert found["counts"] == {"values": 100, "rows": 300}


def test_an_audit_tells_what_a_table_gives_away(tmp_path: Path) -> None:
    path = visits(tmp_path)
    study = read_study_file(path).study
    codes = [finding.code for finding in study.audit(tmp_path / "visits.csv").findings]
    assert codes == ["identifying-column", "repeated-identifier", "released-identifier"]


def test_what_init_told_in_full_is_one_short_line_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visits(tmp_path).unlink()
    remedy = "set person = true on 'patient'"
    study, run = tmp_path / "study.toml", tmp_path / "run"
    assert main(["init", str(tmp_path / "visits.csv")]) == 0
    assert remedy in capsys.readouterr().err
    for command in (
        ["search", str(study), "-o", str(run)],
        ["release", str(run), "--pick", "k>=2", "-o", str(tmp_path / "released.csv")],
    ):
        assert main(command) == 0
        told = capsys.readouterr().err
        assert "repeated-identifier, as told before: 'patient'" in told
        assert remedy not in told
    # Nobody told the writer of a study by hand.
    text = study.read_text(encoding="utf-8").partition("\n")[2]
    study.write_text(text, encoding="utf-8")
    assert main(["search", str(study), "-o", str(run), "--force"]) == 0
    assert remedy in capsys.readouterr().err


def test_the_same_advice_is_given_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"P{n % 700:06},F{n % 900:07},{20 + n % 40}" for n in range(1500)]
    (tmp_path / "visits.csv").write_text("Pat-Nr,Fall_ID,age\n" + "\n".join(rows) + "\n")
    assert main(["init", str(tmp_path / "visits.csv")]) == 0
    told = capsys.readouterr().err
    assert told.count("set person = true") == 1
    assert "column 'Pat-Nr' has 700 values in 1,500 rows too [repeated-identifier]" in told
