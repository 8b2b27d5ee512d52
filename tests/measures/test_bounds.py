"""Every bound holds on every box; every monotone flag is true."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.measures.test_against_definitions import all_measures, tables_for

from sfumato.classes.classes import Classes
from sfumato.measures.measure import Box
from sfumato.testing.measures import (
    check_bounds_under_a_limit,
    check_bounds_without_a_limit,
    check_monotone,
)


@settings(max_examples=examples(120))
@given(random_tables(most_identifiers=3, most_inner=1), st.data())
def test_bounds_hold_under_a_limit(table: RandomTable, data: st.DataObject) -> None:
    rows = len(table.naive.rows)
    budget = data.draw(st.one_of(st.integers(0, min(4, rows)), st.integers(0, rows)))
    for m in all_measures(table):
        check_bounds_under_a_limit(m, table.counted, budget)


@settings(max_examples=examples(40))
@given(random_tables(most_identifiers=3, most_inner=1))
def test_bounds_hold_without_a_limit(table: RandomTable) -> None:
    for m in all_measures(table):
        check_bounds_without_a_limit(m, table.counted)


UNDER_EVERY_POLICY = {
    "loss",
    "normalized-loss",
    "height",
    "precision",
    "weighted-k",
    "sl",
    "dm",
    "cm",
}
UNDER_EVERY_POLICY |= {"usefulness", "entropy-loss", "row-loss-worst-tenth", "ql", "sf-ql"}
UNDER_A_LIMIT = {"k", "gl", "s-k", "s-l", "distinct-l", "p-sensitive", "frequency-l", "entropy-l"}
UNDER_A_LIMIT |= {"recursive-l", "t", "c-avg", "protection"}
UNDER_A_LIMIT |= {"class-size-quantile", "class-size-worst-tenth", "secure"}
UNDER_A_LIMIT |= {"prosecutor-risk", "mean-prosecutor-risk", "risk-above", "alpha"}
UNDER_A_LIMIT |= {"beta-likeness", "enhanced-beta-likeness", "delta-disclosure"}
UNDER_A_LIMIT |= {"k-map", "journalist-risk", "mean-journalist-risk", "delta-presence"}
LOOSE = {"sl", "sf", "sf-ql", "delta-disclosure"}
"""Measures whose bound is not their value, even for a single node without suppression."""


@settings(max_examples=examples(10))
@given(random_tables())
def test_where_bounds_are_proved(table: RandomTable) -> None:
    limited_only = set(UNDER_A_LIMIT)
    if all(statement.where is None for statement in table.statements):
        limited_only.add("sf")
    for m in all_measures(table):
        tables = tables_for(table, [m])
        assert m.has_bound(tables, None) == (m.name in UNDER_EVERY_POLICY), str(m)
        assert m.has_bound(tables, 3) == (m.name in UNDER_EVERY_POLICY | limited_only), str(m)


@settings(max_examples=examples(60))
@given(random_tables(most_identifiers=3))
def test_monotone_flags(table: RandomTable) -> None:
    for m in all_measures(table):
        check_monotone(m, [table.counted])


@settings(max_examples=examples(20))
@given(random_tables(most_identifiers=2))
def test_without_suppression_the_bound_of_one_node_is_its_metric(table: RandomTable) -> None:
    for m in all_measures(table):
        tables = tables_for(table, [m])
        if not m.has_bound(tables, 0) or m.name in LOOSE:
            continue
        for node in tables.lattice:
            candidates = Classes.of(tables.group(np.array([node])))
            corner = None
            if m.bound_needs_finest or m.bound_needs_coarsest:
                corner = m.evidence(candidates, 0)[0]
            box = Box(finest_levels=node, finest=corner, coarsest=corner, budget=0)
            metric = float(m.evaluate(candidates)[0])
            assert np.isclose(m.bound(box, tables), metric, rtol=1e-8), str(m)
