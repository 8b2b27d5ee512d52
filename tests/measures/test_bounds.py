"""Every bound holds on every box; every monotone flag is true."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.random_tables import RandomTable, random_tables
from tests.measures.test_against_definitions import all_measures, tables_for

from sfumato.classes.classes import Classes
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.measures.measure import Box, Direction, Measure, Monotone

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.class_tables import ClassTables

Node = tuple[int, ...]


def below(one: Node, other: Node) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def best_by_node(m: Measure, nodes: list[Node], candidates: Classes) -> dict[Node, float]:
    """Return the best value of every node over its candidates."""
    best: dict[Node, float] = {}
    metrics = m.evaluate(candidates)
    pick = max if m.direction is Direction.HIGHER else min
    for recoding, metric in zip(candidates.recoding, metrics, strict=True):
        node = nodes[recoding]
        best[node] = pick(best.get(node, float(metric)), float(metric))
    return best


def check_bounds(
    m: Measure, tables: ClassTables, budget: int, suppressions: list[Suppression]
) -> None:
    nodes: list[Node] = list(tables.lattice)
    batch = tables.group(np.array(nodes))
    evidence: dict[Node, Floats | None] = dict.fromkeys(nodes)
    if m.bound_needs_finest or m.bound_needs_coarsest:
        rows = m.evidence(Classes.of(batch), budget)
        assert rows.dtype == np.float64
        assert rows.shape[0] == len(nodes)
        assert not np.isnan(rows).any()
        evidence = dict(zip(nodes, rows, strict=True))
    metrics = [best_by_node(m, nodes, Classes.of(batch, s)) for s in suppressions]
    higher = m.direction is Direction.HIGHER
    pick = max if higher else min
    for finest, coarsest in itertools.product(nodes, nodes):
        if not below(finest, coarsest):
            continue
        inside = [n for n in nodes if below(finest, n) and below(n, coarsest)]
        best = pick(by_node[n] for by_node in metrics for n in inside)
        for low, high in itertools.product((evidence[finest], None), (evidence[coarsest], None)):
            box = Box(
                finest_levels=finest,
                finest=low,
                coarsest=high,
                budget=budget,
            )
            bound = m.bound(box, tables)
            assert bound >= best if higher else bound <= best, (str(m), finest, coarsest, budget)


@settings(deadline=None, max_examples=120)
@given(random_tables(most_identifiers=3, most_inner=1), st.data())
def test_bounds_hold_under_a_limit(table: RandomTable, data: st.DataObject) -> None:
    rows = len(table.naive.rows)
    budget = data.draw(st.one_of(st.integers(0, min(4, rows)), st.integers(0, rows)))
    suppressions = [limited(budget, threshold=threshold) for threshold in Threshold]
    suppressions += [NO_SUPPRESSION, limited(budget // 2)]
    for m in all_measures(table):
        tables = tables_for(table, [m])
        if m.has_bound(tables, budget):
            check_bounds(m, tables, budget, suppressions)


@settings(deadline=None, max_examples=40)
@given(random_tables(most_identifiers=3, most_inner=1))
def test_bounds_hold_without_a_limit(table: RandomTable) -> None:
    rows = len(table.naive.rows)
    suppressions = [given_k(k) for k in (1, 2, 3, rows + 1)]
    suppressions += [BELOW_WEIGHTED_K, limited(rows, threshold=Threshold.EVERY)]
    for m in all_measures(table):
        tables = tables_for(table, [m])
        if m.has_bound(tables, None):
            check_bounds(m, tables, rows, suppressions)


UNDER_EVERY_POLICY = {"loss", "normalized-loss", "height", "weighted-k", "sl", "dm", "cm"}
UNDER_EVERY_POLICY |= {"usefulness", "entropy-loss", "row-loss-worst-tenth", "ql", "sf-ql"}
UNDER_A_LIMIT = {"k", "gl", "s-k", "s-l", "distinct-l", "p-sensitive", "frequency-l", "entropy-l"}
UNDER_A_LIMIT |= {"recursive-l", "t", "c-avg", "protection"}
UNDER_A_LIMIT |= {"class-size-quantile", "class-size-worst-tenth", "secure"}
LOOSE = {"sl", "sf", "sf-ql"}
"""Measures whose bound is not their value, even for a single node without suppression."""


@settings(deadline=None, max_examples=10)
@given(random_tables())
def test_where_bounds_are_proved(table: RandomTable) -> None:
    limited_only = set(UNDER_A_LIMIT)
    if all(statement.where is None for statement in table.statements):
        limited_only.add("sf")
    for m in all_measures(table):
        tables = tables_for(table, [m])
        assert m.has_bound(tables, None) == (m.name in UNDER_EVERY_POLICY), str(m)
        assert m.has_bound(tables, 3) == (m.name in UNDER_EVERY_POLICY | limited_only), str(m)


@settings(deadline=None, max_examples=60)
@given(random_tables(most_identifiers=3))
def test_monotone_flags(table: RandomTable) -> None:
    for m in all_measures(table):
        tables = tables_for(table, [m])
        nodes: list[Node] = list(tables.lattice)
        metrics = m.evaluate(Classes.of(tables.group(np.array(nodes))))
        by_node = dict(zip(nodes, metrics.tolist(), strict=True))
        for node, q in itertools.product(nodes, range(len(table.heights))):
            above = (*node[:q], node[q] + 1, *node[q + 1 :])
            if above not in by_node or m.monotone is Monotone.NO:
                continue
            finer, coarser = by_node[node], by_node[above]
            if m.monotone is Monotone.FALLS:
                finer, coarser = coarser, finer
            assert finer <= coarser * (1 + 1e-12), (str(m), node, above)


@settings(deadline=None, max_examples=20)
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
