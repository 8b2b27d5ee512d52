"""What could explain the differences from the PBG paper: readings, made-up hierarchies, tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises

from sfumato.datasets.adult import adult
from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.pbg import explanations
from sfumato.papers.pbg.against_paper import count_cells, ratio_cells
from sfumato.papers.pbg.algorithm_2 import LITERAL, READINGS, run_reading
from sfumato.papers.pbg.made_up_hierarchies import GROUPS, made_up
from sfumato.papers.pbg.paper import ATTRIBUTES, SETS
from sfumato.papers.reproduced import Conditions
from sfumato.papers.welch_test import Sample, welch_test
from sfumato.search.bounds.discretization import discretization
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.papers.pbg.made_up_hierarchies import Groups


@pytest.mark.slow
def test_the_literal_reading_is_pbg_ea(adult_path: Path) -> None:
    study = adult(adult_path, objectives=("k", "loss"))
    evaluated = EvaluatedPoints(study.problem)
    epsilon = discretization(study.problem, {})
    for seed in (1, 2):
        found = study.search(method="pbg-ea", seed=seed)
        ours = run_reading(study.problem, LITERAL, seed=seed, evaluated=evaluated, epsilon=epsilon)
        assert ours.front == found.front
        assert ours.evaluations == found.evaluated


@pytest.mark.slow
def test_readings_do_what_they_say(adult_path: Path) -> None:
    study = adult(adult_path, objectives=("k", "loss"))
    evaluated = EvaluatedPoints(study.problem)
    epsilon = discretization(study.problem, {})
    counts = {
        reading.described: run_reading(
            study.problem, reading, seed=1, evaluated=evaluated, epsilon=epsilon
        ).evaluations
        for reading in READINGS
    }
    literal = counts[LITERAL.described]
    by_population = counts["nodes that differ within a population are counted, and added up"]
    assert literal < by_population <= 2_500
    assert counts["a child that is in P_t+1 already is mutated until it is not"] > literal


@pytest.mark.slow
def test_tables_of_one_set(adult_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "SETS", SETS[:1])
    conditions = Conditions(runs=2, adult=adult_path)
    tables = reproduction_named("pbg-hierarchies").reproduce(conditions).tables
    assert len(tables) == 1 + len(GROUPS)
    fronts = {table.records()[0]["exact front"] for table in tables}
    assert len(fronts) > 1
    (readings,) = reproduction_named("pbg-readings").reproduce(conditions).tables
    assert [row["reading"] for row in readings.records()] == [r.described for r in READINGS]
    assert readings.records()[0]["RR"] == tables[0].records()[0]["RR"]


def chain(values: int, height: int) -> Hierarchy:
    """A hierarchy whose levels below the top keep all values apart."""
    rows = [[f"{v:02d}"] * height + ["*"] for v in range(values)]
    return Hierarchy.from_rows(rows)


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize(("values", "height"), sorted(set(ATTRIBUTES.values())))
def test_made_up_hierarchies_keep_values_and_length(
    values: int, height: int, groups: Groups
) -> None:
    tree = chain(values, height)
    made = made_up(tree, groups, rng=np.random.default_rng(3))
    assert made.domain.leaves == tree.domain.leaves
    assert made.height == height
    blocks = [len(labels) for labels in made.labels]
    assert blocks[0] == values
    assert blocks == sorted(blocks, reverse=True)
    assert len(set(blocks)) == len(blocks)


def test_welch_against_scipy() -> None:
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(5)
    for _ in range(20):
        first = rng.normal(0, 1, rng.integers(2, 30)).tolist()
        second = rng.normal(0.5, 3, rng.integers(2, 30)).tolist()
        found = welch_test(Sample.of(first), Sample.of(second))
        expected = ttest_ind(first, second, equal_var=False)
        assert found.p == pytest.approx(float(expected.pvalue), rel=1e-9)
        assert found.difference / found.error == pytest.approx(float(expected.statistic))


def test_welch_without_variance() -> None:
    same, other = Sample(count=5, mean=1, variance=0), Sample(count=9, mean=2, variance=0)
    assert welch_test(same, same).p == 1
    assert welch_test(same, other).p == 0
    with pytest.raises(ValueError, match="two or more"):
        Sample.of([1.0])


def test_cells_beside_the_paper() -> None:
    ratio = ratio_cells([0.90, 0.94], SETS[0])
    assert ratio[0] == pytest.approx(0.92)
    assert ratio[1] == 0.94
    assert ratio[3] == pytest.approx((0.0008 / 2 + 8e-4 / 20) ** 0.5)
    assert ratio_cells([0.9], SETS[0])[2:] == (None, None, None)
    assert ratio_cells([0.9, 0.8], SETS[4])[1:] == (None, None, None, None)
    ours, paper, missing, p = count_cells([458.0, 458.0], SETS[0])
    assert (ours, paper, missing, p) == (458, 916, 0.5, 0)


def test_tests_need_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.papers.plot.installed", lambda _: False)
    with raises(SettingsError, code="not-installed", found="'scipy'"):
        reproduction_named("pbg-readings").reproduce(Conditions(runs=2))
