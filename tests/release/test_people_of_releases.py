"""Releases of studies that count people are verified whatever else the study asks for.

Each of these was found by `python -m tools.fuzz_releases`: the release was refused as unverified.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.arrays import Flags
    from sfumato.engines.messages.released_people import PeopleQuestion, ReleasedPeople
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.sources.source import Source
    from sfumato.statements.predicate import Atom


def visits(illnesses: list[str | None], **columns: list[object]) -> pd.DataFrame:
    """Return two rows for each of two people in each of two towns."""
    people = [f"p{number // 2}" for number in range(8)]
    towns = ["A"] * 4 + ["B"] * 4
    return pd.DataFrame({"who": people, "town": towns, "illness": illnesses, **columns})


def released(
    table: pd.DataFrame, folder: Path, illness: sf.Attribute, **settings: object
) -> sf.Release:
    study = sf.Study(
        source=table,
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("town", sf.Flat()),
            illness,
        ],
        **settings,  # type: ignore[arg-type]
    )
    return study.release({"town": 0}, folder / "out.csv")


def test_one_spelling_of_values_is_counted_and_verified(tmp_path: Path) -> None:
    table = visits(["flu", "Flu", "FLU", "gout", "flu", "gout", "gout ", "Gout"])
    release = released(table, tmp_path, sf.sensitive("illness", normalize=True))
    # In A both people have the flu, in B both have gout.
    assert release.metrics["distinct-l"] == 1
    assert release.metrics["k"] == 2
    assert set(pd.read_csv(release.path)["illness"]) == {"flu", "gout"}


@pytest.mark.parametrize(
    ("values", "rule", "left"),
    [
        (["1", "4", "6", "9", "0", "11", "14", "12"], sf.CoarseNumbers(round=5), {0, 5, 10, 15}),
        (
            ["2024-01-01", "2024-03-31", "2024-05-01"] + ["2025-02-02"] * 5,
            sf.CoarseDates(unit="quarter"),
            {"2024-Q1", "2024-Q2", "2025-Q1"},
        ),
    ],
)
def test_coarser_values_are_counted_and_verified(
    values: list[str | None],
    rule: sf.CoarseNumbers | sf.CoarseDates,
    left: set[object],
    tmp_path: Path,
) -> None:
    release = released(visits(values), tmp_path, sf.sensitive("illness", coarsen=rule))
    assert set(pd.read_csv(release.path)["illness"]) == left
    assert "distinct-l" in release.verified


@pytest.mark.parametrize(
    ("counted", "distinct", "frequency"),
    # Of the two people in A who have a value, both have the flu; with the gaps as a value, too.
    [(False, 1, 1.0), (True, 1, 1.0)],
)
def test_missing_values_of_people(
    counted: bool, distinct: int, frequency: float, tmp_path: Path
) -> None:
    table = visits(["flu", None, "flu", "gout", "flu", "gout", "x", "y"])
    release = released(
        table, tmp_path, sf.sensitive("illness"), missing=sf.MissingValues(count_as_value=counted)
    )
    assert release.metrics["distinct-l"] == distinct
    assert release.metrics["frequency-l"] == frequency


def test_those_without_a_value_are_not_among_those_who_share_one(tmp_path: Path) -> None:
    table = visits(["flu", "flu", None, None, "flu", "gout", "x", None])
    release = released(table, tmp_path, sf.sensitive("illness"))
    # In A one person has a value. Of the two in B, one has the flu and gout, one has x: the weight
    # of x is half, since that person has a gap, too.
    assert release.metrics["distinct-l"] == 1
    assert release.metrics["frequency-l"] == 1
    (tmp_path / "counting").mkdir()
    counting = released(
        table,
        tmp_path / "counting",
        sf.sensitive("illness"),
        missing=sf.MissingValues(count_as_value=True),
    )
    assert counting.metrics["distinct-l"] == 2


class Miscounting(sf.DuckDBEngine):
    """An engine that finds other people in the source than were promised."""

    def released_people(
        self, source: Source, plan: RewritePlan, target: Target, question: PeopleQuestion
    ) -> ReleasedPeople:
        return self.spoilt(super().released_people(source, plan, target, question))

    @staticmethod
    def spoilt(found: ReleasedPeople) -> ReleasedPeople:
        raise NotImplementedError


def with_other_column(found: ReleasedPeople, **other: float) -> ReleasedPeople:
    (column,) = found.sensitive.values()
    return replace(found, sensitive={"illness": replace(column, **other)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda found: replace(found, class_people={1: 1, 2: 1}), "k is 1 and 2"),
        (lambda found: replace(found, least_people={2: 3}), "the number of people is 3 and 4"),
        (lambda found: with_other_column(found, distinct=1), "distinct-l is 1 and 2"),
        (lambda found: with_other_column(found, frequency=1.0), "frequency-l is 1 and 2"),
        (lambda found: with_other_column(found, distance=0.5), "t is 0.5 and 0"),
        (lambda found: replace(found, classes=(0, 0, 0)), "in which people were counted"),
    ],
)
def test_people_that_are_not_as_promised_stop_a_release(
    spoilt: Callable[[ReleasedPeople], ReleasedPeople], said: str, tmp_path: Path
) -> None:
    """The written file tells nothing of people: only the source can say that they are others."""
    table = visits(["flu", "flu", "gout", "gout"] * 2)
    engine = type("Spoilt", (Miscounting,), {"spoilt": staticmethod(spoilt)})()
    with raises(sf.UnmetError, code="not-verified") as caught:
        released(table, tmp_path, sf.sensitive("illness"), engine=engine)
    assert said in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_class_of_one_person_goes_though_it_has_more_rows_than_one_that_stays(
    tmp_path: Path,
) -> None:
    table = pd.DataFrame(
        {
            "who": ["p0"] * 5 + ["p1", "p2"],
            "town": ["A"] * 5 + ["B"] * 2,
            "illness": ["flu", "gout", "x", "y", "z", "flu", "gout"],
        }
    )
    release = released(table, tmp_path, sf.sensitive("illness"), suppression=sf.given_k(2))
    assert (release.rows, release.suppressed) == (2, 5)


def test_means_of_kept_people_are_numbers_in_parquet(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {
            "who": [f"p{number}" for number in range(7)],
            "age": ["20", "21", "22", "23", "41", "55", "56"],
        }
    )
    study = sf.Study(
        source=table,
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("age", sf.Intervals(widths=(10,), low=0, high=99)),
        ],
        suppression=sf.given_k(2),
    )
    release = study.release({"age": 1}, tmp_path / "out.parquet", values="microaggregated")
    assert sorted(pd.read_parquet(release.path)["age"]) == [21.5] * 4 + [55.5] * 2
    assert release.suppressed == 1


def test_people_of_a_column_of_floating_numbers(tmp_path: Path) -> None:
    table = visits(["flu", "gout"] * 4, dose=[0.5, float("nan"), 0.5, 0.5, 1.5, 1.5, 1.5, 2.5])
    study = sf.Study(
        source=table,
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("town", sf.Flat()),
            sf.sensitive("illness"),
            sf.sensitive("dose"),
        ],
    )
    evaluation = study.evaluate({"town": 1})
    assert (evaluation.values["k"], study.count_table.units) == (4, 4)
    assert study.release({"town": 0}, tmp_path / "out.parquet").metrics["k"] == 2


STATEMENTS = {
    "common": [
        sf.ConfidentialStatement(protect="illness = gout", damage=0.25),
        sf.ConfidentialStatement(protect="illness = flu or not illness = x", damage=0.75),
    ],
    "own": [
        sf.ConfidentialStatement(protect="illness = flu", where="ward = b"),
        sf.ConfidentialStatement(protect="illness = gout"),
    ],
}


@pytest.mark.parametrize("rules", STATEMENTS)
@pytest.mark.parametrize("seed", range(4))
def test_statements_of_people_are_recomputed(rules: str, seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    rows = [
        (f"p{draw.randrange(14)}", draw.choice("AAABBC"), draw.choice(["flu", "gout", "x"]), ward)
        for ward in draw.choices("ab", k=40)
    ]
    study = sf.Study(
        source=pd.DataFrame(rows, columns=["who", "town", "illness", "ward"]),
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("town", sf.Flat()),
            sf.sensitive("illness"),
            sf.insensitive("ward"),
        ],
        statements=STATEMENTS[rules],
        suppression=sf.given_k(6),
    )
    release = study.release({"town": 0}, tmp_path / "out.csv")
    assert {"secure", "sf"} <= set(release.verified)
    evaluated = study.evaluate({"town": 0}, measures=["secure", "sf"]).values
    expected = _statements_by_hand(rows, STATEMENTS[rules], release.suppressed)
    assert evaluated["secure"] == expected[0]
    assert evaluated["sf"] == pytest.approx(expected[1])


def _statements_by_hand(
    rows: list[tuple[str, str, str, str]], rules: list[sf.ConfidentialStatement], suppressed: int
) -> tuple[float, float]:
    """Return secure and sf by sets of people; classes below six people are one."""

    def holds(told: sf.Predicate, row: tuple[str, str, str, str]) -> bool:
        def truth(atom: Atom) -> Flags:
            return np.array([row[2 if atom.column == "illness" else 3] in atom.values])

        return bool(told.truth(truth)[0])

    people = {row[0] for row in rows}
    towns = {town: [row for row in rows if row[1] == town] for town in {row[1] for row in rows}}
    kept = {town: of for town, of in towns.items() if len({row[0] for row in of}) >= 6}
    gone = [row for town, of in towns.items() if town not in kept for row in of]
    assert len(gone) == suppressed
    secure, risks = bool(kept), dict.fromkeys(people, 0.0)
    for of in [*kept.values(), gone]:
        members = {row[0] for row in of}
        told, gain = [], []
        for rule in rules:
            having = {row[0] for row in of if holds(rule.protect, row)}
            prior = len({row[0] for row in rows if holds(rule.protect, row)}) / len(people)
            told.append(having == members)
            tells = having and 0 < prior < 1
            logs = (math.log(prior), math.log(len(having) / len(members))) if tells else (1, 1)
            gain.append(max(0.0, (logs[0] - logs[1]) / logs[0]))
        for row in of:
            own = [rule.where is None or holds(rule.where, row) for rule in rules]
            damages = [rule.damage or 1 / sum(own) for rule in rules]
            risk = sum(d * g for d, g, here in zip(damages, gain, own, strict=True) if here)
            risks[row[0]] = max(risks[row[0]], risk)
            if of is not gone and any(t and here for t, here in zip(told, own, strict=True)):
                secure = False
    return float(secure), 1 - sum(risks.values()) / len(people)
