"""The distance vector, a level for each quasi-identifier, as objectives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import Policy, Suppression, limited
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.search.methods.sweep import sweep
from sfumato.search.problem import Problem
from sfumato.testing.small_tables import small_tables


@settings(max_examples=examples(30))
@given(random_tables(most_identifiers=3))
def test_the_levels_add_up_to_the_height(table: RandomTable) -> None:
    counted = table.counted
    tables = ClassTables(table=counted)
    nodes = np.array(list(tables.lattice))
    classes = Classes.of(tables.group(nodes), limited(0.3))
    levels = [measure(f"level(column={name})").evaluate(classes) for name in counted.names]
    for q, found in enumerate(levels):
        assert found.tolist() == nodes[classes.recoding, q].tolist()
    assert np.sum(levels, axis=0).tolist() == measure("height").evaluate(classes).tolist()


@settings(max_examples=examples(30))
@given(random_tables(most_identifiers=3))
def test_their_front_is_the_non_dominated_distance_vectors(table: RandomTable) -> None:
    """MOEA §1.3.2: the recodings that meet k >= 2 so that none with lower levels does."""
    counted = table.counted
    problem = Problem(
        table=counted,
        objectives=tuple(measure(f"level(column={name})") for name in counted.names),
        suppression=Suppression(policy=Policy.NONE, criteria=(read_criterion("k>=2"),)),
    )
    tables = ClassTables(table=counted)
    nodes = list(tables.lattice)
    k = measure("k").evaluate(Classes.of(tables.group(np.array(nodes))))
    meeting = [node for node, least in zip(nodes, k.tolist(), strict=True) if least >= 2]
    minimal = {
        node
        for node in meeting
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in meeting
        )
    }
    if not minimal:
        return
    found = {tuple(s.levels[name] for name in counted.names) for s in sweep(problem).front}
    assert found == minimal


def test_what_is_no_quasi_identifier_is_refused() -> None:
    table = small_tables()[1]
    with raises(SettingsError, code="unknown-column", column="q7", expected=("q0", "q1")):
        measure("level(column=q7)").check(table)


def test_protection_tells_recodings_of_one_usefulness_apart() -> None:
    """It is a mean of inverses: equal diversities protect better than unequal ones."""
    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.hierarchies.builders.intervals import Intervals
    from sfumato.microdata.counting import build_count_table
    from sfumato.microdata.roles import quasi_identifying

    def values(ages: list[str]) -> tuple[float, float]:
        table = build_count_table(
            GroupedCounts.of_rows({"age": ages}),
            [quasi_identifying("age", Intervals(low=0, high=19, widths=(10,)))],
        )
        usefulness, protection = measure("usefulness"), measure("protection")
        tables = ClassTables(table=table, carries=usefulness.carries(table))
        classes = Classes.of(tables.group(np.array([[1]])))
        return float(usefulness.evaluate(classes)[0]), float(protection.evaluate(classes)[0])

    even, uneven = values(["0", "4", "10", "14"]), values(["0", "1", "10", "17"])
    assert even[0] == pytest.approx(uneven[0]) == pytest.approx(4 / 19)
    assert even[1] == pytest.approx(19 / 4)
    assert uneven[1] == pytest.approx((19 / 1 + 19 / 7) / 2)
    # Rows that are all alike count as if they were a step apart.
    assert values(["3", "3"])[1] == pytest.approx(19)
