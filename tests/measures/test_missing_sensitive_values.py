"""Missing values are no value of l unless the study says so: in every measure, and everywhere."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

L_MEASURES = ("distinct-l", "p-sensitive", "frequency-l", "entropy-l", "recursive-l(c=2)")


def entropy(counts: list[int]) -> float:
    total = sum(counts)
    return math.exp(-math.fsum(n / total * math.log(n / total) for n in counts))


def recursive(counts: list[int]) -> float:
    r = sorted(counts, reverse=True)
    return max((ell for ell in range(1, len(r) + 1) if r[0] < 2 * sum(r[ell - 1 :])), default=0)


NAIVE: dict[str, Callable[[list[int]], float]] = {
    "distinct-l": len,
    "p-sensitive": len,
    "frequency-l": lambda counts: sum(counts) / max(counts),
    "entropy-l": entropy,
    "recursive-l(c=2)": recursive,
}


def people(seed: int) -> pd.DataFrame:
    rng = random.Random(seed)
    rows = rng.randrange(12, 60)
    values = ["flu", "gout", "asthma", None, "?"]
    return pd.DataFrame(
        {
            "age": [rng.randrange(8) for _ in range(rows)],
            "zip": [rng.randrange(3) for _ in range(rows)],
            "illness": [rng.choice(values[rng.randrange(2) :]) for _ in range(rows)],
            "pay": [rng.choice(["low", "high", None]) for _ in range(rows)],
        }
    )


def study(table: pd.DataFrame | Path, **settings: object) -> sf.Study:
    counted = bool(settings.pop("count_as_value", False))
    return sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(2, 4), low=0, high=7)),
            sf.quasi_identifying("zip", sf.Flat(values=("0", "1", "2"))),
            sf.sensitive("illness"),
            sf.sensitive("pay"),
        ],
        objectives=["k", *L_MEASURES, "t", "loss"],
        missing=sf.MissingValues(markers=("?",), count_as_value=counted),
        **settings,  # type: ignore[arg-type]
    )


def naive(table: pd.DataFrame, level: int, name: str, *, counted: bool) -> float:
    """Return the least l over classes and columns, from the rows."""
    width = {0: 1, 1: 2, 2: 4, 3: 8}[level]
    least = math.inf
    for column in ("illness", "pay"):
        classes: dict[tuple[int, int], Counter[str | None]] = {}
        rows = zip(table["age"], table["zip"], table[column], strict=True)
        for age, place, value in rows:
            known = None if value == "?" or not isinstance(value, str) else value
            classes.setdefault((age // width, place), Counter())[known] += 1
        for counts in classes.values():
            shown = [n for value, n in counts.items() if counted or value is not None]
            least = min(least, NAIVE[name](shown) if shown else 0)
    return least


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_against_the_rows(seed: int, counted: bool) -> None:
    table = people(seed)
    made = study(table, count_as_value=counted)
    for level in range(4):
        found = made.evaluate({"age": level, "zip": 0}).values
        for name in L_MEASURES:
            assert found[name] == pytest.approx(naive(table, level, name, counted=counted)), name


def test_a_gap_is_not_a_second_value() -> None:
    """One diagnosis and a gap: l was 2."""
    table = pd.DataFrame({"age": [1] * 4, "zip": [0] * 4, "illness": ["flu", None] * 2, "pay": "x"})
    made = study(table)
    assert made.evaluate({"age": 0, "zip": 0}).values["distinct-l"] == 1
    alone = table.assign(illness=None)
    assert study(alone).evaluate({"age": 0, "zip": 0}).values["distinct-l"] == 0


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_releases_are_verified_by_the_same_rule(seed: int, counted: bool, tmp_path: Path) -> None:
    made = study(people(seed), count_as_value=counted)
    private = tmp_path / "private.json"
    release = made.release({"age": 2, "zip": 1}, tmp_path / "r.csv", private_certificate=private)
    assert {"distinct-l", "frequency-l", "entropy-l", "t"} <= set(release.verified)
    whole = made.audit(tmp_path / "r.csv", private_certificate=private).whole_table
    assert whole is not None
    for name in L_MEASURES:
        assert whole[name] == pytest.approx(release.promised[name])


@pytest.mark.parametrize("criterion", ["distinct-l>=2", "frequency-l>=1.5", "entropy-l>=1.5"])
def test_local_recodings_keep_to_it(criterion: str) -> None:
    """Kernels test criteria by themselves; every class that is found must meet them."""
    table = pd.concat([people(seed) for seed in range(5)], ignore_index=True)
    made = study(table, criteria=["k>=3", criterion], space="local", suppression=sf.limited(0.3))
    front = made.search(method="top-down").front
    assert len(front)
    name, bound = criterion.split(">=")
    for solution in front:
        assert made.evaluate(solution).values[name] >= float(Fraction(bound)) * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_branch_and_bound_finds_what_the_sweep_finds(seed: int) -> None:
    """The bounds hold where rows without a value do not count."""
    table = people(seed)
    for objective in L_MEASURES:
        made = sf.Study(
            source=table,
            attributes=study(table).attributes,
            objectives=[objective, "loss"],
            missing=sf.MissingValues(markers=("?",)),
            suppression=sf.limited(3),
        )
        fronts = [
            {tuple(s.values.values()) for s in made.search(method=method).front}
            for method in ("sweep", "branch-and-bound")
        ]
        assert fronts[0] == fronts[1]
