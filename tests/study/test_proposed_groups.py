from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.hierarchies.builders import Groups
from sfumato.study.proposal.ordered_categories import in_order
from sfumato.study.proposal.proposed_groups import proposed_groups
from sfumato.study.proposal.proposed_hierarchy import Detail
from sfumato.study.proposal.value_behaviour import ValueBehaviour

TEXTS = st.text("abor (2)*", min_size=1, max_size=8)
RARE = "a value that nobody listed"


@st.composite
def behaviours(draw: st.DrawFn) -> ValueBehaviour:
    values = draw(st.lists(TEXTS, min_size=1, max_size=12, unique=True))
    rare = draw(st.booleans())
    rows = [[draw(st.integers(0, 9)), draw(st.integers(1, 9))] for _ in values] + [
        [0, draw(st.integers(1, 9)) if rare else 0]
    ]
    return ValueBehaviour(values=tuple(sorted(values)), counts=np.array(rows), towards=("age",))


@given(behaviour=behaviours(), detail=st.sampled_from(Detail))
def test_the_groups_are_a_hierarchy_of_all_values(
    behaviour: ValueBehaviour, detail: Detail
) -> None:
    proposed = proposed_groups(behaviour, detail=detail)
    rare = behaviour.rows[-1] > 0
    if proposed is None:
        assert len(behaviour.values) == 1 or len(behaviour.values) + rare < 3
        return
    levels, others = proposed.settings["groups"], proposed.settings.get("others")
    assert isinstance(levels, list)
    assert (others is not None) == rare
    assert others is None or isinstance(others, str)
    builder = Groups(levels=levels, others=others)
    occurring = [*behaviour.values, *([RARE] if rare else [])]
    hierarchy = builder.build(occurring, column="x")
    assert sorted(hierarchy.domain.leaves) == sorted(occurring)
    assert len(hierarchy.labels) == proposed.level_count
    # Every level merges something, and its labels differ.
    sizes = [hierarchy.block_count(level) for level in range(proposed.level_count)]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] == 1
    assert all(len(set(labels)) == len(labels) for labels in hierarchy.labels)
    assert proposed_groups(behaviour, detail=detail) == proposed
    assert proposed.outline == {"groups": sizes[1:-1]}


@pytest.mark.parametrize(
    "values",
    [
        ("low", "medium", "high"),
        ("Very low", "LOW", "Medium", "high", "very-high"),
        ("XS", "S", "M", "L", "XL"),
        ("mild", "moderate", "severe"),
        ("niedrig", "mittel", "hoch"),
        ("9", "10", "11"),
        ("0-17", "18-24", "25-64", "65+"),
        ("under 18", "18 to 64", "65 and over"),
        ("<5", "5–9", "10–19", ">=20"),
        ("[0, 10)", "[10, 20)", "[20, 30)"),
        ("1", "2", "3 or more"),
    ],
)
def test_orders_are_recognized(values: tuple[str, ...]) -> None:
    assert in_order(sorted(values)) == values
    assert in_order(values[::-1]) == values


@pytest.mark.parametrize(
    "values",
    [
        ("red", "green"),
        ("low", "blue", "high"),
        ("0-10", "5-15"),
        ("moderate", "medium", "high"),
        ("low", "Low", "high"),
        ("ward 1", "ward 2"),
        ("1", "1.0", "2"),
        ("10-5", "20-30"),
    ],
)
def test_what_has_no_order(values: tuple[str, ...]) -> None:
    assert in_order(values) is None
