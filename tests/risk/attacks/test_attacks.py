"""Attacks on files: planted people are found, and naive intruders find as many."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SettingsError, SourceError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.missing import MissingValues
from sfumato.risk.attacks.attribute_attacks import (
    background_knowledge,
    homogeneity,
    similarity,
    skewness,
)
from sfumato.risk.attacks.composition import composition
from sfumato.risk.attacks.minimality import RefinedClass, minimality
from sfumato.risk.attacks.released_classes import ReleasedClasses
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Row = tuple[str, str, str]
ILLS = ("flu", "cold", "ulcer", "gastritis")
GROUP = {"flu": "lung", "cold": "lung", "ulcer": "stomach", "gastritis": "stomach"}


def random_rows(seed: int, many: int = 40) -> list[Row]:
    rng = np.random.default_rng(seed)
    return [
        (str(rng.integers(4)), str(rng.integers(5)), ILLS[rng.choice(4, p=(0.5, 0.3, 0.1, 0.1))])
        for _ in range(many)
    ]


def classes_of(rows: Sequence[Row], path: Path) -> ReleasedClasses:
    pd.DataFrame(rows, columns=["age", "town", "ill"]).to_csv(path, index=False)
    return ReleasedClasses.of_file(
        source_of(path),
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        engine=DuckDBEngine(),
    )


def beside(rows: Sequence[Row]) -> list[list[str]]:
    """Return the illnesses of the class of every row."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for age, town, ill in rows:
        groups[age, town].append(ill)
    return [groups[age, town] for age, town, _ in rows]


@pytest.mark.parametrize("seed", range(8))
def test_intruders_who_look_at_every_row_find_as_many(seed: int, tmp_path: Path) -> None:
    rows = random_rows(seed)
    release = classes_of(rows, tmp_path / "released.csv")
    around = beside(rows)
    share = {ill: Fraction(sum(row[2] == ill for row in rows), len(rows)) for ill in ILLS}
    assert release.people == len(rows)
    assert homogeneity(release).learnt == sum(len(set(ills)) == 1 for ills in around)
    for excluded in (1, 2):
        found = background_knowledge(release, excluded=excluded)
        assert found.learnt == sum(len(set(ills)) <= excluded + 1 for ills in around)
    for factor in (1.5, 2.0):
        found = skewness(release, factor=factor)
        assert found.learnt == sum(
            Fraction(ills.count(row[2]), len(ills)) > Fraction(factor) * share[row[2]]
            for row, ills in zip(rows, around, strict=True)
        )
    found = similarity(release, GROUP)
    assert found.learnt == sum(len({GROUP[ill] for ill in ills}) == 1 for ills in around)
    assert found.learnt >= homogeneity(release).learnt


def test_chance_is_what_shuffled_values_give(tmp_path: Path) -> None:
    rows = random_rows(3)
    release = classes_of(rows, tmp_path / "released.csv")
    found = homogeneity(release, draws=400, seed=1)
    rng = np.random.default_rng(2)
    drawn = []
    for _ in range(400):
        ills = rng.permutation([row[2] for row in rows]).tolist()
        shuffled = [(age, town, ill) for (age, town, _), ill in zip(rows, ills, strict=True)]
        drawn.append(sum(len(set(each)) == 1 for each in beside(shuffled)))
    wide = 4 * float(np.std(drawn)) / 400**0.5 * 2**0.5
    assert found.by_chance == pytest.approx(float(np.mean(drawn)), abs=wide)
    assert homogeneity(release, draws=400, seed=1) == found
    assert release.shuffled(rng).sizes.tolist() == release.sizes.tolist()


def study_of(rows: Sequence[Row], *require: str) -> sf.Study:
    return sf.Study(
        source=pd.DataFrame(rows, columns=["age", "town", "ill"]),
        attributes=[
            sf.quasi_identifying("age", sf.Flat(values=("0", "1", "2", "3", "9"))),
            sf.quasi_identifying("town", sf.Flat(values=("0", "1", "2", "3", "4", "9"))),
            sf.sensitive("ill"),
        ],
        require=require,
    )


def test_planted_people_are_found_in_the_raw_file_and_not_in_the_release(tmp_path: Path) -> None:
    crowd = [(age, town, ill) for age in "01" for town in "01" for ill in ILLS * 2]
    plants = [("9", "9", "ulcer")] * 3 + [("9", "0", "gastritis")]
    rows = [*crowd, *plants]
    raw = homogeneity(classes_of(rows, tmp_path / "raw.csv"))
    assert raw.learnt == len(plants)
    assert [(each.rows, each.exposed) for each in raw.worst] == [(3, 3), (1, 1)]
    study = study_of(rows, "distinct-l>=3")
    checked = 0
    for levels in itertools.product((0, 1), (0, 1)):
        chosen = dict(zip(("age", "town"), levels, strict=True))
        if not study.evaluate(chosen).meets or study.evaluate(chosen).values["distinct-l"] < 3:
            continue
        path = tmp_path / f"released{levels}.csv"
        study.release(chosen, path, ledger=False)
        release = ReleasedClasses.of_file(
            source_of(path),
            quasi_identifiers=["age", "town"],
            sensitive="ill",
            engine=DuckDBEngine(),
        )
        assert homogeneity(release).learnt == 0
        assert background_knowledge(release, excluded=1).learnt == 0
        checked += 1
    assert checked


def test_a_finding_tells_no_value(tmp_path: Path) -> None:
    found = homogeneity(classes_of([("9", "9", "ulcer"), ("8", "8", "flu")], tmp_path / "x.csv"))
    assert found.learnt == 2
    assert "ulcer" not in repr(found)


def test_starred_rows_are_in_no_class(tmp_path: Path) -> None:
    rows = [("1", "1", "flu"), ("1", "1", "cold"), ("*", "*", "ulcer")]
    release = classes_of(rows, tmp_path / "released.csv")
    assert release.people == 2
    assert homogeneity(release).learnt == 0


@pytest.mark.parametrize("seed", range(5))
def test_minimality_by_all_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes = []
    for _ in range(2):
        sizes = tuple(int(size) for size in rng.integers(1, 4, size=2))
        classes.append(RefinedClass(sizes=sizes, having=int(rng.integers(1, sum(sizes)))))
    share = Fraction(1, 2)
    people = [
        (c, g)
        for c, each in enumerate(classes)
        for g, size in enumerate(each.sizes)
        for _ in range(size)
    ]
    tables = [
        has
        for has in itertools.product((0, 1), repeat=len(people))
        if all(
            sum(h for h, (c, _) in zip(has, people, strict=True) if c == number) == each.having
            for number, each in enumerate(classes)
        )
    ]

    def fails(has: tuple[int, ...]) -> bool:
        own, every = Counter[tuple[int, int]](), Counter(people)
        for h, place in zip(has, people, strict=True):
            own[place] += h
        return any(Fraction(own[place], every[place]) > share for place in every)

    possible = [has for has in tables if fails(has)]
    found = minimality(classes, most_share=share)
    if not possible:
        assert found is None
        return
    assert found is not None
    for c, each in enumerate(classes):
        for g, size in enumerate(each.sizes):
            whose = [place for place, person in enumerate(people) if person == (c, g)]
            having = sum(has[place] for has in possible for place in whose)
            assert found.posteriors[c][g] == pytest.approx(having / len(possible) / size)


def test_minimality_of_wong_and_others() -> None:
    # Two people of q1 and five of q2 share two cases of HIV, and 2-diversity was asked for: if
    # those of q1 did not both have it, the finer table would have been released (Wong et al. 2007).
    found = minimality([RefinedClass(sizes=(2, 5), having=2)], most_share=Fraction(1, 2))
    assert found is not None
    assert list(found.credible) == pytest.approx([2 / 7])
    assert found.posteriors == ((1.0, 0.0),)
    assert found.greatest == 1.0
    assert minimality([RefinedClass(sizes=(4, 4), having=2)], most_share=Fraction(1, 2)) is None


AGES = Hierarchy.from_rows(
    [("0", "low", "*"), ("1", "low", "*"), ("2", "high", "*"), ("3", "high", "*")], name="age"
)
TOWNS = Hierarchy.from_rows([(str(t), "ab"[t > 2], "*") for t in range(5)], name="town")
LOW = {"0": "low", "1": "low", "2": "high", "3": "high"}


@pytest.mark.parametrize("seed", range(6))
def test_composition_against_a_join_of_the_rows(seed: int, tmp_path: Path) -> None:
    rows = random_rows(seed, 25)
    one = [(LOW[age], town, ill) for age, town, ill in rows]
    two = [(age, "ab"[int(town) > 2], ill) for age, town, ill in rows]
    people = Counter((age, town) for age, town, _ in rows)
    releases = [classes_of(each, tmp_path / f"{n}.csv") for n, each in enumerate((one, two))]
    found = composition(
        releases,
        known=np.stack(
            [
                AGES.locate([age for age, _ in people]),
                TOWNS.locate([town for _, town in people]),
            ]
        ).astype(np.int32),
        sizes=np.array(list(people.values()), dtype=np.int64),
        hierarchies={"age": AGES, "town": TOWNS},
        missing=MissingValues(),
    )
    alone, together = [0, 0], 0
    for (age, town), many in people.items():
        first = {ill for a, t, ill in one if (a, t) == (LOW[age], town)}
        second = {ill for a, t, ill in two if (a, t) == (age, "ab"[int(town) > 2])}
        alone[0] += many * (len(first) == 1)
        alone[1] += many * (len(second) == 1)
        together += many * (len(first & second) == 1)
    assert found.people == len(rows)
    assert found.alone == tuple(alone)
    assert found.together == together
    assert found.excluded == 0


def test_attacks_that_make_no_sense(tmp_path: Path) -> None:
    release = classes_of(random_rows(1), tmp_path / "released.csv")
    with raises(SettingsError, code="out-of-range", key="excluded", found="0"):
        background_knowledge(release, excluded=0)
    with raises(SettingsError, code="out-of-range", key="factor", found="1.0"):
        skewness(release, factor=1.0)
    with raises(SettingsError, code="value-not-in-hierarchy", column="ill", key="groups"):
        similarity(release, {"flu": "lung"})
    with raises(SettingsError, code="conflicting-settings", column="ill", key="sensitive"):
        ReleasedClasses.of_file(
            source_of(tmp_path / "released.csv"),
            quasi_identifiers=["ill"],
            sensitive="ill",
            engine=DuckDBEngine(),
        )
    with raises(SourceError, code="no-quasi-identifier"):
        composition(
            [release],
            known=np.zeros((1, 1), dtype=np.int32),
            sizes=np.ones(1, dtype=np.int64),
            hierarchies={"job": AGES},
            missing=MissingValues(),
        )
