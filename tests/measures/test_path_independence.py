"""A value is the same to the last bit however the class table was reached and batched."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Suppression,
    given_k,
    limited,
)
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.prefixes import Prefixes
from sfumato.hierarchies.ground_distance import OrderedDistance
from sfumato.measures.catalogue import every_measure, measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import insensitive, quasi_identifying, sensitive
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements
from sfumato.testing.measures import compare_paths

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable


@pytest.fixture(scope="module")
def table() -> CountTable:
    rng = random.Random(5)
    rows = 3_000
    columns: dict[str, list[str | None]] = {
        "age": [str(int(17 + 74 * rng.random() ** 2)) for _ in range(rows)],
        "zip": [f"{int(90 * rng.random() ** 3):04}" for _ in range(rows)],
        "code": [f"{int(12 * rng.random() ** 2):02}" for _ in range(rows)],
        "income": [str(int(40 * rng.random() ** 2)) for _ in range(rows)],
        "illness": [f"d{int(25 * rng.random() ** 2)}" for _ in range(rows)],
        "vote": [rng.choice("xyz") for _ in range(rows)],
    }
    return build_count_table(
        GroupedCounts.of_rows(columns),
        [
            quasi_identifying("age", Intervals(widths=(5, 10, 20), low=17, high=90)),
            quasi_identifying("zip", Prefixes()),
            quasi_identifying("code", Prefixes()),
            sensitive("income", ground_distance=OrderedDistance()),
            sensitive("illness"),
            insensitive("vote", label=True),
        ],
        statements=ConfidentialStatements.of(
            [
                ConfidentialStatement(protect="illness in {d0, d3}", damage=0.3, where="vote = x"),
                ConfidentialStatement(
                    protect="income = 0 or illness = d1", damage=0.7, where="vote = x"
                ),
                ConfidentialStatement(
                    protect="not income = 2", damage=1.0, where="not vote = x and age = 30"
                ),
            ]
        ),
    )


@pytest.mark.parametrize(
    "suppression", [NO_SUPPRESSION, limited(0.05), given_k(4), BELOW_WEIGHTED_K], ids=str
)
def test_every_path_gives_the_same_bits(table: CountTable, suppression: Suppression) -> None:
    measures = (*every_measure(table), measure("recursive-l(c=2)"))
    compare_paths(measures, table, suppression, step=3)
