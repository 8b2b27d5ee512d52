"""The MOEA reproductions on Adult, with few generations: what can be computed apart."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.papers.reproduced.drawn import drawn, points_of

from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.moea import runs as moea_runs
from sfumato.papers.moea.fig_1_5 import at_share, class_sizes, cumulative
from sfumato.papers.moea.fig_1_6 import magnified
from sfumato.papers.moea.problem_3 import shares_table, values
from sfumato.papers.moea.runs import UNCONSTRAINED_BITS, moea_adult, weakly_dominated
from sfumato.papers.reproduced import Conditions
from sfumato.recoding.levels import Levels
from sfumato.search.methods.nsga_ii import NsgaIISettings
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.classes.suppression import Suppression
    from sfumato.search.methods.nsga_ii import Start
    from sfumato.study.study import Study


def fewer_columns(
    path: Path,
    *,
    objectives: Sequence[str],
    suppression: Suppression,
    space: Space = Space.PARTITIONS,
) -> Study:
    """The chapter's study with five of its columns, whose lattice is soon swept."""
    study = moea_adult(path, objectives=objectives, suppression=suppression, space=space)
    kept = {"age", "workclass", "race", "sex", "salary-class"}
    return dataclasses.replace(
        study,
        attributes=[each for each in study.attributes if each.name in kept],
        unlisted_insensitive=True,
    )


@pytest.fixture
def short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*, start: Start, mutation: float) -> NsgaIISettings:
        return NsgaIISettings(start=start, mutation=mutation, population=40, generations=6)

    monkeypatch.setattr(moea_runs, "NsgaIISettings", short)
    monkeypatch.setattr(moea_runs, "moea_adult", fewer_columns)


@pytest.mark.usefixtures("short_runs")
@pytest.mark.parametrize("name", ["moea-fig-1.5", "moea-fig-1.6"])
def test_a_figure_with_few_generations(name: str, adult_path: Path) -> None:
    chosen = reproduction_named(name)
    assert chosen.runs == 5
    reproduced = chosen.reproduce(Conditions(runs=1, adult=adult_path))
    exact, _, _, started, _ = reproduced.tables[0].records()
    # What starts with the lattice's front never loses it.
    assert started["weakly dominated"] == started["in the worst run"] == exact["points"]
    assert float(started["to the lattice's"] or 0) >= 1
    (plot,) = reproduced.plots
    rings, dots = map(points_of, drawn(plot).axes[0].lines[:2])
    assert len(rings) == exact["points"] or name == "moea-fig-1.6"
    assert len(dots) > 1
    ET.fromstring(plot.svg())


@pytest.mark.usefixtures("short_runs")
def test_problem_3_with_few_generations(adult_path: Path) -> None:
    reproduced = reproduction_named("moea-problem-3").reproduce(
        Conditions(runs=2, adult=adult_path)
    )
    fronts, tests, shares = reproduced.tables
    exact = fronts.records()[0]
    assert len(fronts.rows) == 5
    assert len(tests.rows) == 3
    counted = [row for row in shares.records() if row["front"] == "the lattice, exact"]
    assert sum(int(row["points"] or 0) for row in counted) == exact["points"]
    (plot,) = reproduced.plots
    _, lattice = drawn(plot).axes[:2]
    assert len(np.asarray(lattice.collections[0].get_offsets())) == exact["points"]
    ET.fromstring(plot.svg())


def test_the_parts_of_a_front_are_told_apart() -> None:
    def solutions(*points: tuple[float, float, float]) -> Front:
        return Front(
            objectives={
                "weighted-k": Direction.HIGHER,
                "gl": Direction.LOWER,
                "sl": Direction.LOWER,
            },
            solutions=tuple(
                Solution(
                    id=i,
                    recoding=Levels.of({}),
                    values=dict(zip(("weighted-k", "gl", "sl"), point, strict=True)),
                    suppressed=0,
                    threshold=1,
                )
                for i, point in enumerate(points)
            ),
        )

    front = solutions((2, 30, 10), (2, 30, 10), (5, 20, 40), (9, 10, 90))
    assert values(front).tolist() == [[2, 30, 10], [5, 20, 40], [9, 10, 90]]
    rows = shares_table(front, solutions((1, 0, 0)), cells=100).records()
    assert [row["points"] for row in rows] == [1, 0, 1, 1, 1, 0, 0, 0]
    assert rows[2]["weighted-k from"] == rows[2]["to"] == 5


def test_the_setting_of_the_chapter(adult_path: Path) -> None:
    study = moea_adult(adult_path, objectives=("weighted-k", "gl"), suppression=NO_SUPPRESSION)
    columns = {column.name: column for column in study.problem.partitions.columns}
    free = [column.bits for column in columns.values() if not column.constrained]
    assert sum(free) == UNCONSTRAINED_BITS
    assert len(columns) == 9
    assert columns["age"].bits == 15
    constrained = {name for name, column in columns.items() if column.constrained}
    assert constrained == {"workclass", "marital-status", "occupation", "native-country"}
    # The classes of a solution give its weighted-k, and their cumulative counts all rows.
    found = study.search(
        method="nsga-ii", settings=NsgaIISettings(population=20, generations=2)
    ).front
    solution = at_share(found, 1 / 2)
    sizes = class_sizes(study, solution)
    assert (sizes**2).sum() / 30_162 == pytest.approx(solution.values["weighted-k"])
    k, rows = cumulative(sizes)
    assert rows[-1] == 30_162
    for size, upto in list(zip(k, rows, strict=True))[:20]:
        assert upto == sum(each for each in sizes.tolist() if each <= size)
    lattice = moea_adult(
        adult_path, objectives=("k", "loss"), suppression=NO_SUPPRESSION, space=Space.LATTICE
    )
    assert lattice.lattice.nodes == np.prod([len(h.levels) for h in lattice.hierarchies.values()])


def front(*points: tuple[float, float]) -> Front:
    return Front(
        objectives={"k": Direction.HIGHER, "loss": Direction.LOWER},
        solutions=tuple(
            Solution(
                id=i,
                recoding=Levels.of({}),
                values={"k": k, "loss": loss},
                suppressed=0,
                threshold=1,
            )
            for i, (k, loss) in enumerate(points)
        ),
    )


def test_weak_dominance_counts_different_points() -> None:
    points = front((1, 0), (1, 0), (5, 20), (9, 60))
    assert weakly_dominated(points, by=points) == 3
    assert weakly_dominated(points, by=front((6, 20), (9, 61))) == 1
    assert weakly_dominated(points, by=front((9, 0))) == 3


def test_a_magnification_has_three_quarters_of_the_loss() -> None:
    points = tuple((float(k), float(k)) for k in range(101))
    assert magnified(points) == points[:76]
    assert magnified(magnified(points))[-1] == (56.0, 56.0)
