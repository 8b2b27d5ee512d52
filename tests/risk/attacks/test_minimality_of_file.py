"""Minimality on files: the example of Wong et al. (2007), and against all possible tables."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.classes.suppression import Policy, Suppression, given_k
from sfumato.front.decisions.criterion import read_criteria
from sfumato.risk.attacks.publisher import publisher_of
from sfumato.risk.attacks.sampled_minimality import GroupedClass, sampled_posteriors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Q1, Q2 = "1", "2"


def study_of(rows: Sequence[tuple[str, str]], *require: str) -> sf.Study:
    return sf.Study(
        source=pd.DataFrame(rows, columns=["group", "ill"]),
        attributes=[sf.quasi_identifying("group", sf.Flat(values=(Q1, Q2))), sf.sensitive("ill")],
        require=require,
    )


WONG = [(Q1, "HIV")] * 2 + [(Q2, ill) for ill in ("flu", "cold", "gout", "ulcer", "angina")]


def test_the_example_of_wong_et_al(tmp_path: Path) -> None:
    """Two of q1 have HIV, five of q2 do not; no class may have more than half: both are found."""
    study = study_of(WONG, "frequency-l>=2")
    front = study.search().front
    released = study.release(study.pick(front).solution, tmp_path / "r.csv", ledger=False)
    assert set(pd.read_csv(released.path, dtype=str)["group"]) == {"*"}
    found = study.attack(released.path)
    assert not any(each.learnt for each in found.findings["ill"] if each.attack == "homogeneity")
    minimal = found.minimality["ill"]
    assert minimal.exact
    assert (minimal.learnt, minimal.greatest, minimal.allowed) == (2, 1.0, 0.5)
    assert minimal.credible == pytest.approx(2 / 7)
    assert (minimal.tried, minimal.column) == (("group",), "group")
    assert found.succeeds
    assert "HIV" not in repr(found)


def test_nothing_follows_where_sizes_alone_could_have_failed_the_finer_file(tmp_path: Path) -> None:
    study = study_of(WONG, "frequency-l>=2", "k>=3")
    released = study.release({"group": 1}, tmp_path / "r.csv", ledger=False)
    minimal = study.attack(released.path).minimality["ill"]
    assert (minimal.tried, minimal.learnt) == ((), 0)


def test_nothing_is_asked_without_a_bound_on_shares(tmp_path: Path) -> None:
    study = study_of(WONG, "k>=3")
    released = study.release({"group": 1}, tmp_path / "r.csv", ledger=False)
    assert study.attack(released.path).minimality == {}


def test_what_a_policy_tells() -> None:
    def told(policy: Suppression) -> object:
        found = publisher_of(policy, rows=200)
        return None if found is None else (found.most_share, found.k, found.budget)

    criteria = read_criteria(["alpha<=0.4", "k>=3"])
    assert told(Suppression(criteria=criteria)) == (Fraction(2, 5), 3, 0)
    assert told(Suppression(policy=Policy.LIMIT, limit=0.1, criteria=criteria)) == (
        Fraction(2, 5),
        3,
        20,
    )
    assert told(given_k(4)) is None
    assert told(Suppression(policy=Policy.GIVEN_K, k=4, criteria=criteria)) == (
        Fraction(2, 5),
        4,
        200,
    )
    # What is suppressed by the limit alone depends on the recoding.
    assert (
        told(Suppression(policy=Policy.LIMIT, limit=9, criteria=read_criteria(["alpha<=0.4"])))
        is None
    )
    assert told(Suppression(policy=Policy.LIMIT, limit=9, criteria=criteria, failing=True)) is None


def all_tables(each: GroupedClass) -> list[np.ndarray]:
    """Return the values of every group in every way to deal them out."""
    values = [value for value, many in enumerate(each.values) for _ in range(many)]
    ends = np.cumsum(each.sizes)
    tables = []
    for dealt in itertools.permutations(values):
        counts = np.zeros((len(each.sizes), len(each.values)), dtype=np.int64)
        for place, value in enumerate(dealt):
            counts[np.searchsorted(ends, place, side="right"), value] += 1
        tables.append(counts)
    return tables


@pytest.mark.parametrize(
    ("classes", "share", "least"),
    [
        ([GroupedClass(sizes=(2, 4), values=(2, 2, 2))], Fraction(1, 2), 1),
        ([GroupedClass(sizes=(2, 3), values=(2, 3))], Fraction(2, 3), 1),
        ([GroupedClass(sizes=(1, 2, 3), values=(3, 2, 1))], Fraction(1, 2), 2),
        (
            [
                GroupedClass(sizes=(2, 2), values=(2, 1, 1)),
                GroupedClass(sizes=(2, 3), values=(2, 2, 1)),
            ],
            Fraction(1, 2),
            1,
        ),
    ],
)
def test_drawn_tables_against_all_tables(
    classes: list[GroupedClass], share: Fraction, least: int
) -> None:
    every = [all_tables(each) for each in classes]

    def fits(table: np.ndarray, each: GroupedClass) -> bool:
        return all(
            size < least or Fraction(int(most), size) <= share
            for size, most in zip(each.sizes, table.max(axis=1), strict=True)
        )

    sums = [np.zeros(tables[0].shape) for tables in every]
    failed = 0.0
    fine = [np.mean([fits(t, c) for t in tables]) for tables, c in zip(every, classes, strict=True)]
    for place, (tables, each) in enumerate(zip(every, classes, strict=True)):
        others = np.prod([f for n, f in enumerate(fine) if n != place])
        for table in tables:
            # The others are independent: all of them fit with the product of their shares.
            weight = 1.0 - others if fits(table, each) else 1.0
            sums[place] += weight * table / np.array(each.sizes)[:, np.newaxis] / len(tables)
    failed = 1 - float(np.prod(fine))
    found = sampled_posteriors(
        classes, most_share=share, least=least, draws=20_000, rng=np.random.default_rng(3)
    )
    assert found is not None
    for own, wanted in zip(found.greatest, sums, strict=True):
        assert own == pytest.approx((wanted / failed).max(axis=1).tolist(), abs=found.error)
    assert found.error < 0.1


def test_a_column_at_its_minimum_level_could_not_be_finer(tmp_path: Path) -> None:
    study = sf.Study(
        source=pd.DataFrame(WONG, columns=["group", "ill"]),
        attributes=[
            sf.quasi_identifying("group", sf.Flat(values=(Q1, Q2)), minimum_level=1),
            sf.sensitive("ill"),
        ],
        require=["frequency-l>=2"],
    )
    released = study.release({"group": 1}, tmp_path / "r.csv", ledger=False)
    minimal = study.attack(released.path).minimality["ill"]
    assert (minimal.tried, minimal.learnt) == ((), 0)
