"""The Crossover reproductions on Adult: the set-up, and values that can be computed apart."""

from __future__ import annotations

import math
import statistics
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.crossover import figures, kept_trials, runs
from sfumato.papers.crossover.runs import crossover_problem
from sfumato.papers.reproduced import Conditions
from sfumato.search.control import SearchControl
from sfumato.search.methods.genitor.genitor import genitor
from sfumato.search.methods.genitor.settings import GenitorSettings

if TYPE_CHECKING:
    from pathlib import Path

EVALUATIONS = 250
POPULATIONS = (40, 60, 100)


def test_the_problem_is_that_of_the_paper(
    adult_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    problem = crossover_problem(adult_path)
    assert list(tmp_path.iterdir()) == []
    space = problem.partitions
    assert problem.table.rows == 15_000
    assert space.bits == 92
    assert int(space.constrained_bits.sum()) == 68
    sizes = {column.name: column.size for column in space.columns}
    assert sizes["workclass"] == 9
    assert sizes["age"] == 2**6
    assert math.prod(sizes.values()) == space.size
    again = crossover_problem(adult_path).table
    assert again.cell_sizes.tolist() == problem.table.cell_sizes.tolist()


def test_flat_trees_make_a_space_as_large_as_the_papers(adult_path: Path) -> None:
    space = crossover_problem(adult_path, trees="flat").partitions
    assert space.bits == 92
    assert int(space.constrained_bits.sum()) == 68
    sizes = {column.name: column.size for column in space.columns if column.constrained}
    # Every group of two or more values is cut apart or not, or everything is one block.
    assert sizes == {
        "workclass": 2**3 + 1,
        "education": 2**4 + 1,
        "marital-status": 2**2 + 1,
        "native-country": 2**8 + 1,
    }
    assert 41 < math.log2(space.size) < 42


@pytest.mark.parametrize("name", ["crossover-fig-4", "crossover-fig-5"])
def test_a_figure_with_few_evaluations(
    name: str, adult_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "EVALUATIONS", EVALUATIONS)
    monkeypatch.setattr(figures, "POPULATIONS", POPULATIONS)
    chosen = reproduction_named(name)
    assert chosen.runs == 15
    conditions = Conditions(runs=2, adult=adult_path, keep=tmp_path)
    reproduced = chosen.reproduce(conditions)
    setup, final, ranks, *claims = reproduced.tables
    for row in setup.records()[:-1]:
        assert row["ours"] == row["paper"]
    rows = final.records()
    assert len(rows) == 12
    assert len(ranks.records()) == 6
    assert [len(table.records()) >= 5 for table in claims] == [True, True]
    assert len(list(tmp_path.iterdir())) == 12
    # What was kept is taken, and is the same.
    monkeypatch.setattr(kept_trials, "genitor_trials", None)
    assert chosen.reproduce(conditions).tables == reproduced.tables
    first = rows[0]
    assert first["setting"] == "NEW 40"
    problem = crossover_problem(adult_path)
    settings = GenitorSettings(population=40, evaluations=EVALUATIONS)
    losses = [
        genitor(problem, settings=settings, control=SearchControl(seed=seed))
        .front[0]
        .values["loss"]
        for seed in (1, 2)
    ]
    assert first["least"] == min(losses)
    assert first["median"] == statistics.median(losses)
    assert [plot.name for plot in reproduced.plots] == [f"{name}-trees", f"{name}-repaired"]
    ET.fromstring(reproduced.plots[0].svg())
