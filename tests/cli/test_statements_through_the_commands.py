"""Asymmetric and per-person statements, from a study file to a verified release."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

STUDY = """\
[source]
path = "patients.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20], low = 20, high = 59 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = true }

[columns.HIV]
role = "sensitive"

[columns.ward]
role = "insensitive"

[suppression]
policy = "limit"
limit = 0.05

[search]
objectives = ["secure", "sf", "ql", "k"]
"""
ASYMMETRIC = "\n[[statements]]\nprotect = 'HIV = \"+\"'\n"
PER_PERSON = """
[[statements]]
protect = 'HIV = +'
where = 'ward = oncology'

# Two people asked for more.
[[statements]]
protect = 'HIV = -'
where = 'name in {"patient 3", "patient 11"}'
"""


@pytest.fixture(params=[ASYMMETRIC, PER_PERSON], ids=["asymmetric", "per person"])
def study(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    rng = random.Random(11)
    lines = ["name,age,zip,HIV,ward"]
    for number in range(200):
        ward = rng.choice(["oncology", "surgery", "surgery"])
        hiv = "+" if rng.random() < (0.5 if ward == "oncology" else 0.2) else "-"
        age, code = rng.randint(20, 59), rng.choice(["241", "242", "105"])
        lines.append(f"patient {number},{age},{code}{rng.randint(0, 9)},{hiv},{ward}")
    (tmp_path / "patients.csv").write_text("\n".join(lines) + "\n")
    path = tmp_path / "study.toml"
    path.write_text(STUDY + str(request.param))
    return path


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def protected(row: dict[str, str], study: str) -> list[str]:
    """The values of HIV that a person protects, by the text of the rules."""
    if "where" not in study:
        return ["+"]
    found = ["+"] if row["ward"] == "oncology" else []
    return [*found, "-"] if row["name"] in ("patient 3", "patient 11") else found


def test_from_a_study_file_to_a_verified_release(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = tmp_path / "run", tmp_path / "released.csv"
    assert main(["search", str(study), "-o", str(run), "--json", "--quiet"]) == 0
    found = said(capsys)
    assert found["exact"]
    secure = [s for s in found["solutions"] if s["values"]["secure"] == 1]
    assert 0 < len(secure) < len(found["solutions"])
    # The run stands on its own: it remembers the confidential statements.
    assert "[[statements]]" in (run / "study.toml").read_text()
    assert main(["front", str(run), "--pick", "secure>=1,k>=3", "--json"]) == 0
    shown = said(capsys)["solutions"]
    assert shown
    assert all(each["values"]["secure"] == 1 for each in shown)
    pick = ["--pick", "secure>=1,k>=3", "-o", str(out), "--json"]
    assert main(["release", str(run), *pick]) == 0
    released = said(capsys)
    assert released["values"]["secure"] == 1
    private = json.loads((run / "releases" / "released.csv.private.json").read_text())
    assert {"secure", "sf"} <= set(private["recomputed_from_the_file_by_sql"])
    levels = released["levels"]
    _check_by_hand(study, out, levels, rows=released["rows"])
    assert main(["evaluate", str(run), "--levels", _levels(levels), "--json"]) == 0
    evaluated = said(capsys)
    assert evaluated["values"]["sf"] == pytest.approx(private["metrics"]["sf"])
    private_file = str(run / "releases" / "released.csv.private.json")
    audit = ["audit", str(out), str(run), "--private-certificate", private_file, "--json"]
    assert main(audit) == 0
    audited = said(capsys)
    certificate_text = (tmp_path / "released.csv.certificate.json").read_text()
    certificate = json.loads(certificate_text)
    assert "patient" not in certificate_text
    if "where" in study.read_text():
        # Two rules name people: the file alone cannot say who protects what.
        assert "only the source tells" in audited["not_measured"]["sf"]
        assert certificate["statements"] == [
            {"protect": "HIV = +", "where": "ward = oncology"},
            {"protect": "HIV = -", "where": "withheld: it names people"},
        ]
    else:
        assert audited["values"]["secure"] == 1
        assert audited["values"]["sf"] == pytest.approx(released["values"]["sf"])
        assert certificate["statements"] == [{"protect": "HIV = +"}]
        assert certificate["metrics"]["secure"] == 1
    compared = [
        "compare",
        str(run),
        "secure>=1,k>=3",
        "1",
        "--property",
        "statement-risk",
        "--json",
    ]
    assert main(compared) == 0
    assert "statement-risk" in capsys.readouterr().out
    assert main(["report", str(run), "-o", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "HIV = +" in page
    assert "patient 11" not in page


def _levels(levels: dict[str, int]) -> str:
    return ",".join(f"{name}={level}" for name, level in levels.items())


def _check_by_hand(study: Path, out: Path, levels: dict[str, int], *, rows: int) -> None:
    """Everybody whom the release keeps has a class that does not tell what they protect."""
    text = study.read_text()
    width = [1, 5, 10, 20, 40][levels["age"]]
    classes: dict[tuple[int, str], list[dict[str, str]]] = {}
    lines = (study.parent / "patients.csv").read_text().splitlines()
    for line in lines[1:]:
        row = dict(zip(lines[0].split(","), line.split(","), strict=True))
        key = (int(row["age"]) // width if width < 40 else 0, row["zip"][: 4 - levels["zip"]])
        classes.setdefault(key, []).append(row)
    # Whole classes are left out, the smallest first.
    kept = sorted(classes.values(), key=len, reverse=True)
    while sum(map(len, kept)) > rows:
        kept.pop()
    assert sum(map(len, kept)) == rows == len(out.read_text().splitlines()) - 1
    for members in kept:
        for row in members:
            for value in protected(row, text):
                assert any(other["HIV"] != value for other in members)


def test_what_a_person_sees(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    captured = capsys.readouterr()
    assert "secure" in captured.out
    assert "warning" not in captured.err
    assert main(["evaluate", str(study), "--levels", "age=2,zip=3"]) == 0
    shown = capsys.readouterr().out
    for measure, unit in (("secure", "1 if secure"), ("sf", "1 - mean risk"), ("ql", "share of")):
        assert any(measure in line and unit in line for line in shown.splitlines())


def test_odd_statements_are_warned_of(
    tmp_path: Path, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        study.read_text()
        + "\n[[statements]]\nprotect = 'HIV = -'\nwhere = 'age = 20 and age = 21'\n"
    )
    study.write_text(text)
    assert main(["search", str(study), "-o", str(tmp_path / "run"), "--quiet"]) == 0
    assert "warning: the rule 'age = 20 and age = 21' applies to nobody" in capsys.readouterr().err


def test_errors_of_predicates_are_shown_with_their_caret(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study.write_text(study.read_text() + "\n[[statements]]\nprotect = 'HIV == +'\n")
    assert main(["search", str(study)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "one = is enough" in lines[0]
    assert lines[1].endswith("    HIV == +")
    assert lines[2].index("^") == lines[1].index("==") + 1
