"""Partitions from a study file to a verified release: the same line as for levels."""

from __future__ import annotations

import csv
import itertools
import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.slow_variants import slow
from tests.study.people import people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.runs.run import Run

CONSTRAINED = PEOPLE.replace("{ prefix = true }", "{ prefix = true }\nconstrained = true")
NSGA = """
[suppression]
policy = "limit"
limit = 0.1
[search]
space = "partitions"
method = "nsga-ii"
objectives = ["k", "normalized-loss"]
[search.nsga-ii]
population = 20
generations = 12
"""
GENITOR = """
[suppression]
policy = "given-k"
k = 4
[search]
space = "partitions"
method = "genitor"
objectives = ["loss"]
[search.genitor]
population = 20
evaluations = 320
"""
QUASI_IDENTIFIERS = ["age", "zip", "sex"]


def searched(folder: Path, more: str) -> Run:
    study = write_people(folder, CONSTRAINED + more)
    assert main(["search", str(study), "-o", str(folder / "run"), "--quiet"]) == 0
    return read_run(folder / "run")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return searched(tmp_path_factory.mktemp("cuts"), NSGA)


def block(run: Run, column: str, value: str, cuts: tuple[int, ...]) -> int:
    """Return the block of a value, counted by hand from the cuts."""
    table = run.study_file.study.count_table
    hierarchy = dict(zip(table.names, table.hierarchies, strict=True))[column]
    leaf = int(hierarchy.locate([value])[0])
    return sum(leaf >= cut for cut in cuts)


@pytest.mark.parametrize("ending", ["csv", slow("parquet")])
def test_a_release_has_the_classes_that_the_cuts_make(
    run: Run, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = next(s for s in run.result.front if 2 <= s.values["k"] <= 10)
    out = tmp_path / f"released.{ending}"
    assert main(["release", str(run.folder), "--pick", str(solution.id), "-o", str(out)]) == 0
    released = pd.read_csv(out, dtype=str) if ending == "csv" else pd.read_parquet(out).astype(str)
    source = people().astype(str)
    assert isinstance(solution.recoding, sf.Cuts)
    cuts = solution.recoding.cuts
    blocks = [
        tuple(block(run, name, row[name], cuts[name]) for name in QUASI_IDENTIFIERS)
        for row in source[QUASI_IDENTIFIERS].to_dict("records")
    ]
    sizes = pd.Series(blocks).value_counts()
    kept = sizes[sizes >= solution.threshold]
    written = released.groupby(QUASI_IDENTIFIERS).size()
    assert sorted(written) == sorted(kept)
    assert kept.min() == solution.values["k"]
    private = run.folder / "releases" / f"{out.name}.private.json"
    capsys.readouterr()
    audit = ["audit", str(out), str(run.folder), "--private-certificate", str(private), "--json"]
    assert main(audit) == 0
    measured = json.loads(capsys.readouterr().out)
    for name, value in solution.values.items():
        assert measured["values"][name] == pytest.approx(value, rel=1e-12), name


def test_labels_name_the_blocks(run: Run, tmp_path: Path) -> None:
    solution = next(s for s in run.result.front if 3 <= s.recoding.numbers()["age"] <= 7)
    out = tmp_path / "released.csv"
    assert main(["release", str(run.folder), "--pick", str(solution.id), "-o", str(out)]) == 0
    with out.open(encoding="utf-8") as file:
        ages = {row["age"] for row in csv.DictReader(file)}
    assert isinstance(solution.recoding, sf.Cuts)
    starts = [20, *(20 + cut for cut in solution.recoding.cuts["age"]), 40]
    expected = {
        str(low) if high == low + 1 else f"[{low}, {high})"
        for low, high in itertools.pairwise(starts)
    }
    # Where a block is a node of the tree it has the node's own name, which is the same here.
    assert ages <= expected | {"*"}


def test_report_compare_front_and_evaluate_work_on_it(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run.folder), "--force"]) == 0
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    assert '"on_levels":false' in page.replace(" ", "")
    last = str(len(run.result.front) - 1)
    assert main(["compare", str(run.folder), "0", last]) == 0
    assert main(["front", str(run.folder), "--pick", "knee"]) == 0
    shown = capsys.readouterr().out
    assert "blocks" in shown
    assert main(["front", str(run.folder), "--instead-of", "k=1,normalized-loss=1"]) == 0
    assert "Better in something and worse in nothing" in capsys.readouterr().out
    assert main(["front", str(run.folder), "--instead-of", last, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at_no_cost"] == []


def test_the_metrics_of_a_solution_are_those_of_its_evaluation(run: Run) -> None:
    study = run.study_file.study
    for solution in list(run.result.front)[:5]:
        assert study.evaluate(solution).values == run.details[solution.id].metrics
        assert "height" not in run.details[solution.id].metrics


@pytest.mark.slow
def test_genitor_from_a_study_file(tmp_path: Path) -> None:
    run = searched(tmp_path, GENITOR)
    assert run.result.method == "genitor"
    (least,) = {solution.values["loss"] for solution in run.result.front}
    out = tmp_path / "released.parquet"
    assert main(["release", str(run.folder), "--pick", "0", "-o", str(out), "--quiet"]) == 0
    sizes = pd.read_parquet(out).groupby(QUASI_IDENTIFIERS).size()
    assert sizes.min() >= 4
    assert least > 0


@pytest.mark.parametrize("more", [NSGA, slow(GENITOR)])
def test_a_resumed_run_is_the_uninterrupted_one(tmp_path: Path, more: str) -> None:
    study = write_people(tmp_path, CONSTRAINED + more)
    assert main(["search", str(study), "-o", str(tmp_path / "whole"), "--quiet"]) == 0
    parts = ["search", str(study), "-o", str(tmp_path / "parts"), "--quiet"]
    assert main([*parts, "--evaluations", "40"]) == 0
    assert not read_run(tmp_path / "parts").result.finished
    assert main([*parts, "--resume"]) == 0
    assert read_run(tmp_path / "parts").result == read_run(tmp_path / "whole").result


def test_auto_is_never_beaten_by_the_lattice(tmp_path: Path) -> None:
    text = CONSTRAINED + NSGA.replace('method = "nsga-ii"\n', "")
    study = read_study_file(write_people(tmp_path, text)).study
    found = study.search(
        method="nsga-ii", settings=sf.NsgaIISettings(population=20, generations=2, start="lattice")
    )
    lattice = read_study_file(
        write_people(tmp_path, text.replace('space = "partitions"\n', ""))
    ).study.search()
    for solution in lattice.front:
        assert any(
            other.values["k"] >= solution.values["k"]
            and other.values["normalized-loss"] <= solution.values["normalized-loss"]
            for other in found.front
        )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("population = 20", "population = 1", "it must be a whole number from 2 up"),
        ('["k", "normalized-loss"]', '["k", "height"]', "'height' is about levels"),
        ('method = "nsga-ii"', 'method = "sweep"', "'sweep' searches the space 'lattice'"),
        ('space = "partitions"', 'space = "lattice"', "'nsga-ii' searches the space 'partitions'"),
        ('space = "partitions"', 'space = "partition"', "'partitions'"),
        ("low = 20, high = 39 }", "low = 20, high = 39, unit = 3 }", "multiple of"),
        (
            "hierarchy = { prefix = true }\nconstrained = true",
            "hierarchy = { flat = true }\nconstrained = true",
            "has no groups between its",
        ),
        ('role = "insensitive"', 'role = "insensitive"\nconstrained = true', "constrained"),
        ('["k", "normalized-loss"]', '["k", "gl", "sl"]', "allow suppression"),
        ('method = "nsga-ii"', 'method = "genitor"', "expected 'given-k'"),
    ],
)
def test_bad_input_teaches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    text = CONSTRAINED + NSGA
    assert old in text
    text = text.replace(old, new)
    if '"sl"' in new:
        text = text.replace('policy = "limit"\nlimit = 0.1', 'policy = "none"')
    study = write_people(tmp_path, text)
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) != 0
    assert said in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "run").exists()


def test_a_column_with_too_many_places_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CONSTRAINED + NSGA.replace("generations = 12", "generations = 1")
    text = text.replace("low = 20, high = 39 }", "low = 0, high = 999 }")
    study = write_people(tmp_path, text)
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    assert "'age' has 999 possible cuts" in " ".join(capsys.readouterr().err.split())
