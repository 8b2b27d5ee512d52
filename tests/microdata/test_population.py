"""The table of a population: F and the measures of it against people counted one by one."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Person = tuple[str, str]
JOB_ROWS = [
    ("nurse", "care", "*"),
    ("doctor", "care", "*"),
    ("smith", "craft", "*"),
    ("baker", "craft", "*"),
    ("clerk", "office", "*"),
]
TOWN_ROWS = [("a1", "a", "*"), ("a2", "a", "*"), ("b1", "b", "*"), ("b2", "b", "*")]
JOBS = Hierarchy.from_rows(JOB_ROWS, name="job")
TOWNS = Hierarchy.from_rows(TOWN_ROWS, name="town")
EVERY = [*JOB_ROWS, *TOWN_ROWS]
COVERS = {label: {row[0] for row in EVERY if label in row} for row in EVERY for label in row}
"""The values that each label covers."""
MEASURES = ("k-map", "journalist-risk", "mean-journalist-risk", "delta-presence")


def people(seed: int, many: int) -> list[Person]:
    rng = np.random.default_rng(seed)
    jobs, towns = JOBS.labels[0], TOWNS.labels[0]
    return [
        (str(rng.choice(jobs)), str(rng.choice(towns, p=(0.6, 0.2, 0.15, 0.05))))
        for _ in range(many)
    ]


def frame(rows: Sequence[Person]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["job", "town"])


def study_of(
    sample: Sequence[Person],
    population: Sequence[Person],
    *,
    includes_sample: bool = True,
    suppression: sf.Suppression = sf.NO_SUPPRESSION,
) -> sf.Study:
    return sf.Study(
        source=frame(sample),
        attributes=[
            sf.quasi_identifying("job", JOBS, output="hierarchy"),
            sf.quasi_identifying("town", TOWNS, output="hierarchy"),
        ],
        population=sf.Population(table=frame(population), includes_sample=includes_sample),
        suppression=suppression,
    )


def by_hand(shown: Sequence[Person], everybody: Sequence[Person]) -> dict[str, Fraction]:
    """Return the metrics of released rows of labels, by asking everybody."""
    own = Counter(shown)
    covered = {
        label: sum(job in COVERS[label[0]] and town in COVERS[label[1]] for job, town in everybody)
        for label in own
    }
    return {
        "k-map": Fraction(min(covered.values())),
        "journalist-risk": Fraction(1, min(covered.values())),
        "mean-journalist-risk": sum(
            (Fraction(many, covered[label]) for label, many in own.items()), Fraction(0)
        )
        / len(shown),
        "delta-presence": max(Fraction(many, covered[label]) for label, many in own.items()),
    }


def read_back(path: Path) -> list[Person]:
    with path.open(newline="") as stream:
        return [(row["job"], row["town"]) for row in csv.DictReader(stream)]


@pytest.mark.parametrize("includes_sample", [True, False])
@pytest.mark.parametrize("levels", [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("limit", [0, 6])
def test_released_rows_against_everybody(
    tmp_path: Path, levels: tuple[int, int], includes_sample: bool, limit: int
) -> None:
    sample, others = people(1, 30), people(2, 120)
    study = study_of(
        sample,
        [*sample, *others] if includes_sample else others,
        includes_sample=includes_sample,
        suppression=sf.limited(limit) if limit else sf.NO_SUPPRESSION,
    )
    chosen = dict(zip(("job", "town"), levels, strict=True))
    found = study.evaluate(chosen, measures=MEASURES).values
    path = tmp_path / "released.csv"
    study.release(chosen, path, ledger=False)
    wanted = by_hand(read_back(path), [*sample, *others])
    assert found == pytest.approx({name: float(value) for name, value in wanted.items()})


def test_labels_of_local_recodings_may_cover_the_same_people(tmp_path: Path) -> None:
    sample, others = people(5, 40), people(6, 100)
    study = replace(study_of(sample, [*sample, *others]), space="local")
    front = study.search(method="peeling").front
    assert len(front) > 1
    for number, solution in enumerate(front):
        path = tmp_path / f"{number}.csv"
        found = study.evaluate(solution, measures=MEASURES).values
        study.release(solution, path, ledger=False)
        wanted = by_hand(read_back(path), [*sample, *others])
        assert found == pytest.approx({name: float(value) for name, value in wanted.items()})


def test_the_measures_are_objectives_and_policies() -> None:
    sample, others = people(1, 30), people(2, 120)
    study = replace(
        study_of(sample, [*sample, *others]),
        objectives=("journalist-risk", "loss"),
        criteria=("k-map>=8",),
    )
    front = study.search().front
    assert len(front) > 1
    for solution in front:
        found = study.evaluate(solution, measures=MEASURES).values
        assert found["k-map"] >= 8
        assert solution.values["journalist-risk"] == found["journalist-risk"]


def test_people_outside_the_domains_are_in_no_class() -> None:
    sample = people(1, 30)
    study = study_of(sample, [*sample, ("pilot", "a1"), ("nurse", "c9")])
    population = study.count_table.population
    assert population is not None
    assert (population.people, population.outside) == (32, 2)
    top = study.evaluate({"job": 2, "town": 2}, measures=MEASURES).values
    assert top["k-map"] == 30


def test_a_population_smaller_than_the_sample() -> None:
    sample = people(1, 30)
    with raises(SourceError, code="population-too-small", key="population", found="29"):
        _ = study_of(sample, sample[1:]).count_table


def test_a_population_without_a_column_of_the_study() -> None:
    sample = people(1, 30)
    study = replace(
        study_of(sample, sample), population=sf.Population(table=frame(sample)[["job"]])
    )
    with raises(SourceError, code="unknown-column", column="town"):
        _ = study.count_table


def test_a_measure_of_the_population_without_one() -> None:
    sample = people(1, 30)
    for population in (None, sf.Population(fraction=0.5)):
        study = replace(study_of(sample, sample), population=population)
        with raises(SettingsError, code="no-population", key="population"):
            study.evaluate({"job": 0, "town": 0}, measures="k-map")


def test_what_is_said_of_a_population() -> None:
    with raises(SettingsError, code="missing-setting", key="population"):
        sf.Population()
    with raises(SettingsError, code="conflicting-settings", found="size, fraction"):
        sf.Population(size=10, fraction=0.5)
    with raises(SettingsError, code="conflicting-settings", key="includes-sample"):
        sf.Population(size=10, includes_sample=False)
    for size in (0, -5):
        with raises(SettingsError, code="out-of-range", key="size", found=str(size)):
            sf.Population(size=size)
    for fraction in (0.0, 1.5):
        with raises(SettingsError, code="out-of-range", key="fraction", found=str(fraction)):
            sf.Population(fraction=fraction)
    with raises(SettingsError, code="population-too-small", key="size", found="10"):
        sf.Population(size=10).fraction_of(11)
    with raises(SettingsError, code="missing-setting", key="population"):
        sf.Population(weights="w").fraction_of(11)
    assert sf.Population(fraction=0.5).fraction_of(11) == 0.5


def test_a_population_and_people_in_several_cells_do_not_go_together() -> None:
    sample = people(1, 30)
    visits = frame(sample).assign(who=[str(place // 2) for place in range(30)])
    study = replace(study_of(sample, sample), source=visits)
    study = replace(study, attributes=[*study.attributes, sf.identifying("who", person=True)])
    with raises(SettingsError, code="conflicting-settings", key="population"):
        _ = study.count_table


STUDY = """
[source]
path = "sample.csv"
[columns.job]
role = "quasi-identifying"
hierarchy = { flat = true }
[columns.town]
role = "quasi-identifying"
hierarchy = { flat = true }
[population]
"""


def test_the_table_of_a_study_file(tmp_path: Path) -> None:
    sample, others = people(1, 30), people(2, 120)
    frame(sample).to_csv(tmp_path / "sample.csv", index=False)
    frame(others).to_csv(tmp_path / "others.csv", index=False)
    path = tmp_path / "study.toml"
    path.write_text(STUDY + 'path = "others.csv"\nincludes-sample = false\n')
    study = read_study_file(path).study
    found = study.evaluate({"job": 0, "town": 0}, measures=MEASURES).values
    wanted = by_hand(sample, [*sample, *others])
    assert found == pytest.approx({name: float(value) for name, value in wanted.items()})
    path.write_text(STUDY + "fraction = 0.25\n")
    told = read_study_file(path).study.population
    assert told is not None
    assert (told.fraction, told.table, told.size, told.weights) == (0.25, None, None, None)
    path.write_text(STUDY + "fraction = 1.25\n")
    with raises(SettingsError, code="out-of-range", key="fraction", found="1.25"):
        _ = read_study_file(path).study
    path.write_text(STUDY + 'size = 100\nweights = "w"\n')
    with raises(SettingsError, code="conflicting-settings", found="size, weights"):
        _ = read_study_file(path).study
