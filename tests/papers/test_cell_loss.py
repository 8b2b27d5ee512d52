"""Crossover §2.2: the loss of a generalized country."""

from __future__ import annotations

import numpy as np

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying

COUNTRY = Hierarchy.from_rows(
    [
        ("US", "NORTH AMERICA", "AMERICAS"),
        ("CAN", "NORTH AMERICA", "AMERICAS"),
        ("PERU", "SOUTH AMERICA", "AMERICAS"),
        ("BRAZIL", "SOUTH AMERICA", "AMERICAS"),
    ],
    name="country",
)


def test_brazil_as_south_america_loses_a_third() -> None:
    table = build_count_table(
        GroupedCounts.of_rows({"country": ["BRAZIL"]}), [quasi_identifying("country", COUNTRY)]
    )
    candidates = Classes.of(ClassTables(table=table).group(np.array([[0], [1], [2]])))
    for name in ("loss", "gl", "normalized-loss"):
        assert measure(name).evaluate(candidates).tolist() == [0.0, 1 / 3, 1.0]
