"""Criteria and admissible partitions from a study file to a verified release."""

from __future__ import annotations

import csv
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.slow_variants import slow

import sfumato as sf
from sfumato.cli.main import main
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from pathlib import Path

# Twelve days; c is a large class with one illness, which fails, while small ones do not.
ROWS = [
    *[("1", "a", illness) for illness in ("flu", "cold")],
    *[("2", "a", illness) for illness in ("flu", "gout", "cold")],
    *[("3", "b", illness) for illness in ("flu", "gout")],
    *[("4", "b", illness) for illness in ("cold", "gout")],
    *[("5", "c", "flu") for _ in range(4)],
    *[("6", "b", illness) for illness in ("cold", "gout", "gout")],
    *[(day, town, ill) for day in "123456" for town in "ab" for ill in ("flu", "cold", "gout")],
]
STUDY = """
[source]
path = "people.csv"

[columns.day]
role = "quasi-identifying"
partitions = {partitions}

[columns.town]
role = "quasi-identifying"
hierarchy = {{ flat = ["a", "b", "c"] }}

[columns.illness]
role = "sensitive"

[suppression]
policy = "limit"
limit = 5
{failing}

[search]
method = "{method}"
space = "admissible"
criteria = ["distinct-l>=2"]
"""
DAYS = "day;pair;parity\n" + "".join(
    f"{day};p{(day + 1) // 2};{'odd' if day % 2 else 'even'}\n" for day in range(1, 7)
)


def write(
    folder: Path,
    *,
    partitions: str = '"days.csv"',
    method: str = "incognito",
    failing: str = "failing = true",
) -> Path:
    with (folder / "people.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("day", "town", "illness"), *ROWS])
    (folder / "days.csv").write_text(DAYS)
    (folder / "days-1.csv").write_text("1;p1;*\n2;p1;*\n3;p2;*\n4;p2;*\n5;p3;*\n6;p3;*\n")
    (folder / "days-2.csv").write_text("1;t1;*\n2;t1;*\n3;t1;*\n4;t2;*\n5;t2;*\n6;t2;*\n")
    path = folder / "study.toml"
    path.write_text(STUDY.format(partitions=partitions, method=method, failing=failing))
    return path


@pytest.mark.parametrize("method", ["breadth-first", slow("incognito")])
def test_the_failing_classes_are_what_is_suppressed(
    tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A class of four rows goes while those of three stay, which no threshold could do."""
    path, run, out = write(tmp_path, method=method), tmp_path / "run", tmp_path / "out.csv"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == 0
    assert "fail distinct-l>=2 are suppressed" in capsys.readouterr().err
    found = read_run(run).result
    assert found.minimal is not None
    assert found.minimal.criteria == ("distinct-l>=2",)
    (solution,) = found.front
    # The table as it is: the four rows of town c have one illness, and may be suppressed.
    assert solution.levels == {"day": 0, "town": 0}
    assert solution.suppressed == 4
    assert main(["release", str(run), "--pick", "0", "-o", str(out), "--quiet"]) == 0
    assert "fail distinct-l>=2 are suppressed" in capsys.readouterr().err
    with out.open(newline="") as stream:
        released = list(csv.reader(stream))[1:]
    assert Counter(map(tuple, released)) == Counter(row for row in ROWS if row[1] != "c")
    certificate = json.loads((tmp_path / "out.csv.certificate.json").read_text())
    assert "criteria" not in certificate["suppression"]
    assert certificate["metrics"]["distinct-l"] >= 2
    study = read_study_file(path).study
    private = next((run / "releases").glob("*.json"))
    audit = study.audit(out, private_certificate=private)
    assert audit.metrics["distinct-l"] >= 2
    assert main(["report", str(run), "-o", str(tmp_path / "report.html"), "--quiet"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "Minimal recodings" in page
    assert "in every class" in page


def test_by_size_the_same_recoding_fails(tmp_path: Path) -> None:
    """The class of four with one illness may not go, and coarser recodings must do."""
    path, run = write(tmp_path, method="auto", failing=""), tmp_path / "run"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == 0
    found = read_run(run)
    assert {"day": 0, "town": 0} not in [solution.levels for solution in found.result.front]
    assert not found.study_file.study.evaluate({"day": 0, "town": 0}).meets
    for method in ("breadth-first", "incognito"):
        assert main(["search", str(path), "-o", str(run), "--method", method, "--force"]) == 1
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "0", "-o", str(out), "--quiet"]) == 0
    certificate = json.loads((tmp_path / "out.csv.certificate.json").read_text())
    assert certificate["suppression"]["criteria"] == ["distinct-l>=2"]


def test_a_recoding_that_misses_the_criteria_is_not_released(tmp_path: Path) -> None:
    study = read_study_file(write(tmp_path)).study
    tight = sf.Study(
        source=study.source,
        attributes=study.attributes,
        criteria=["distinct-l>=2"],
        space="admissible",
    )
    finest = {"day": 0, "town": 0}
    assert not tight.evaluate(finest).meets
    assert study.evaluate(finest).meets
    with raises(sf.UnmetError, code="criteria-not-met"):
        tight.release(finest, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    "partitions",
    ['["days-1.csv", "days-2.csv"]', slow('"days.csv"'), slow('{ file = "days.csv" }')],
)
def test_a_run_folder_keeps_the_partitions(tmp_path: Path, partitions: str) -> None:
    path, run = write(tmp_path, partitions=partitions, method="auto"), tmp_path / "run"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == 0
    kept = read_run(run)
    own = kept.study_file.study.hierarchies["day"]
    assert own == read_study_file(path).study.hierarchies["day"]
    assert isinstance(own, AdmissiblePartitions)
    assert not own.order.is_chain
    assert [level.name for level in kept.columns[0].pages] == list(own.names)
    # The source may go, the run stands on its own but for it.
    for name in ("days.csv", "days-1.csv", "days-2.csv"):
        (tmp_path / name).unlink()
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "distinct-l>=2", "-o", str(out), "--quiet"]) == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('criteria = ["distinct-l>=2"]', 'criteria = "k>=5"', "it must be a list of texts"),
        ('criteria = ["distinct-l>=2"]', 'criteria = ["k>=2", "k >= 2"]', "more than once"),
        ('criteria = ["distinct-l>=2"]', 'criteria = ["kk>=2"]', "criteria: "),
        ('criteria = ["distinct-l>=2"]', 'criteria = ["gl<=2"]', "no class meets or misses it"),
        ('policy = "limit"\nlimit = 5', 'policy = "given-k"\nk = 3', "the suppression policy is"),
        ("failing = true", 'failing = "yes"', "true or false"),
        ('criteria = ["distinct-l>=2"]', "", "there are no criteria"),
        ('partitions = "days.csv"', "partitions = 3", "a file with a column for each partition"),
        ('partitions = "days.csv"', "partitions = [{ flat = true }]", "two hierarchies"),
        ('partitions = "days.csv"', "partitions = [3, 4]", "number 1"),
        ('partitions = "days.csv"', 'partitions = "dayz.csv"', "did you mean 'days.csv'?"),
        (
            'partitions = "days.csv"',
            'partitions = "days.csv"\nhierarchy = "days.csv"',
            "keep one of them",
        ),
        (
            'role = "sensitive"',
            'role = "sensitive"\npartitions = "d.csv"',
            "only quasi-identifying",
        ),
    ],
)
def test_wrong_study_files(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = write(tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(sf.SfumatoError) as caught:
        read_study_file(path)
    assert said in str(caught.value)
    assert "study.toml" in str(caught.value)
