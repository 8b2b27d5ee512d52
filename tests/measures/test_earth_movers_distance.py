"""The distances on long domains, and on tables too large for integers."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from tests.measures import naive

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.privacy.earth_movers_distance import (
    equal_distance,
    hierarchical_distance,
    ordered_distance,
)
from sfumato.microdata.value_counts import ValueCounts

DOMAIN = [f"v{i:02d}" for i in range(60)]
LEVELS = [
    {v: v for v in DOMAIN},
    {v: f"few {i // 3}" for i, v in enumerate(DOMAIN)},
    {v: f"many {i // 15}" for i, v in enumerate(DOMAIN)},
    dict.fromkeys(DOMAIN, "*"),
]


@pytest.mark.parametrize("seed", range(20))
def test_long_domains(seed: int) -> None:
    rng = random.Random(seed)
    classes = []
    for _ in range(12):
        values = rng.sample(range(60), rng.randint(1, 30))
        classes.append({value: rng.randint(1, 9) for value in values})
    marginal = np.array([sum(c.get(v, 0) for c in classes) for v in range(60)])
    rows = int(marginal.sum())
    counts = ValueCounts.gather(
        [
            (
                np.array([g for g, c in enumerate(classes) for _ in c]),
                np.array([v for c in classes for v in c]),
                np.array([n for c in classes for n in c.values()]),
            )
        ],
        spans={"s": (0, 60)},
        groups=len(classes),
    )
    sizes = np.array([sum(c.values()) for c in classes])
    tree = Hierarchy.from_rows([[level[v] for level in LEVELS] for v in DOMAIN], name="s")
    q = {DOMAIN[v]: Fraction(int(n), rows) for v, n in enumerate(marginal)}
    shares = [{DOMAIN[v]: Fraction(n, sum(c.values())) for v, n in c.items()} for c in classes]
    expected = {
        "equal": [float(naive.equal_distance(p, q)) for p in shares],
        "ordered": [float(naive.ordered_distance(p, q, DOMAIN)) for p in shares],
        "hierarchical": [float(naive.hierarchical_distance(p, q, LEVELS)) for p in shares],
    }
    assert equal_distance(counts, sizes, marginal).tolist() == expected["equal"]
    assert ordered_distance(counts, sizes, marginal).tolist() == expected["ordered"]
    found = hierarchical_distance(counts, sizes, marginal, tree)
    assert found.tolist() == expected["hierarchical"]
    floats = sizes.astype(np.float64), marginal.astype(np.float64)
    assert equal_distance(counts, *floats) == pytest.approx(expected["equal"], abs=1e-12)
    assert ordered_distance(counts, *floats) == pytest.approx(expected["ordered"], abs=1e-12)
    found = hierarchical_distance(counts, *floats, tree)
    assert found == pytest.approx(expected["hierarchical"], abs=1e-12)
