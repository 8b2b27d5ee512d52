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
from sfumato.papers.moea.runs import moea_adult, weakly_dominated
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
    def short(*, start: Start) -> NsgaIISettings:
        return NsgaIISettings(start=start, population=40, generations=6)

    monkeypatch.setattr(moea_runs, "NsgaIISettings", short)
    monkeypatch.setattr(moea_runs, "moea_adult", fewer_columns)


@pytest.mark.usefixtures("short_runs")
@pytest.mark.parametrize("name", ["moea-fig-1.5", "moea-fig-1.6"])
def test_a_figure_with_few_generations(name: str, adult_path: Path) -> None:
    chosen = reproduction_named(name)
    assert chosen.runs == 5
    reproduced = chosen.reproduce(Conditions(runs=1, adult=adult_path))
    exact, _, _, started = reproduced.tables[0].records()
    # What starts with the lattice's front never loses it.
    assert started["weakly dominated"] == started["in the worst run"] == exact["points"]
    assert float(started["to the lattice's"] or 0) >= 1
    (plot,) = reproduced.plots
    rings, dots = map(points_of, drawn(plot).axes[0].lines[:2])
    assert len(rings) == exact["points"] or name == "moea-fig-1.6"
    assert len(dots) > 1
    ET.fromstring(plot.svg())


def test_the_setting_of_the_chapter(adult_path: Path) -> None:
    study = moea_adult(adult_path, objectives=("weighted-k", "gl"), suppression=NO_SUPPRESSION)
    columns = {column.name: column for column in study.problem.partitions.columns}
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
