"""A small table of people with everything a study can have."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pandas as pd

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.measures.measure import Measure


def people(rows: int = 80) -> pd.DataFrame:
    rng = random.Random(7)
    return pd.DataFrame(
        {
            "name": [f"person {row}" for row in range(rows)],
            "age": [str(20 + int(20 * rng.random() ** 2)) for _ in range(rows)],
            "zip": [f"241{int(30 * rng.random() ** 2):02}" for _ in range(rows)],
            "sex": [rng.choice("FM") for _ in range(rows)],
            "illness": [rng.choice(["flu", "flu", "cold", "gout"]) for _ in range(rows)],
            "income": [str(rng.choice([1, 2, 3])) for _ in range(rows)],
            "smokes": [rng.choice(["yes", "no"]) for _ in range(rows)],
        }
    )


ATTRIBUTES = (
    sf.identifying("name"),
    sf.quasi_identifying("age", sf.Intervals(low=20, high=39, widths=(5, 10)), weight=2.0),
    sf.quasi_identifying("zip", sf.Prefixes()),
    sf.quasi_identifying("sex", sf.Flat()),
    sf.sensitive("illness"),
    sf.sensitive("income", ground_distance=sf.OrderedDistance()),
    sf.insensitive("smokes", label=True),
)


def study_of_people(
    *,
    objectives: Sequence[Measure | str] = ("k", "loss"),
    suppression: sf.Suppression = sf.NO_SUPPRESSION,
) -> sf.Study:
    return sf.Study(
        source=people(), attributes=ATTRIBUTES, objectives=objectives, suppression=suppression
    )
