"""The contract of measures: what holds for every one, whatever it measures.

Every check takes a measure and raises an AssertionError if it breaks a law. Unless tables are
given, those of `small_tables` are taken that the measure supports.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.finished_tables import FinishedTables
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import MEASURES
from sfumato.measures.measure import Box, Direction, Kind, Measure, Monotone, SeenFrom
from sfumato.testing.member_text import check_text
from sfumato.testing.small_tables import small_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.arrays import Floats
    from sfumato.microdata.count_table import CountTable

Node: TypeAlias = tuple[int, ...]


def check_description(measure: Measure) -> None:
    """Check what the measure says about itself, and that its text names it."""
    check_text(measure, MEASURES)
    assert measure.kind in Kind
    assert measure.direction in Direction
    assert measure.monotone in Monotone
    assert measure.seen_from in SeenFrom
    assert measure.unit
    assert measure.reference


def check_values(measure: Measure, tables: Sequence[CountTable] | None = None) -> None:
    """Check that every candidate has one value, which is a number or infinite, never NaN."""
    for table in supported(measure, tables):
        classes = class_tables((measure,), table)
        batch = classes.group(np.array(list(classes.lattice)))
        for suppression in policies(table.rows):
            candidates = Classes.of(batch, suppression)
            values = np.asarray(measure.evaluate(candidates))
            assert values.dtype == np.float64, (
                f"{measure}: evaluate returns an array of {values.dtype}; it must return float64"
            )
            assert values.shape == (candidates.count,), (
                f"{measure}: evaluate returns the shape {values.shape} for {candidates.count} "
                "candidates; it must return one value for each"
            )
            assert not np.isnan(values).any(), (
                f"{measure}: a value is not a number under the suppression {suppression}"
            )


def check_path_independence(measure: Measure, tables: Sequence[CountTable] | None = None) -> None:
    """Check that a value is the same to the last bit however its classes were reached."""
    for table in supported(measure, tables):
        for suppression in (limited(0.3), BELOW_WEIGHTED_K):
            compare_paths((measure,), table, suppression)


def compare_paths(
    measures: Sequence[Measure], table: CountTable, suppression: Suppression, *, step: int = 1
) -> None:
    """Compare the values of a sweep's batches with those of single nodes, every ``step``-th."""
    classes = class_tables(measures, table)
    swept: dict[Node, list[float]] = {}
    for outer in classes.outer_nodes():
        batch = classes.sweep_batch(outer)
        candidates = Classes.of(batch, suppression)
        values = np.stack([m.evaluate(candidates) for m in measures], axis=1)
        nodes = [tuple(map(int, row)) for row in batch.choices]
        swept.update(zip(nodes, values.tolist(), strict=True))
    assert len(swept) == classes.lattice.nodes
    finished = FinishedTables(classes)
    order = sorted(swept)
    np.random.default_rng(1).shuffle(order)
    for node in map(tuple, order[::step]):
        for batch in (classes.group(np.array([node])), finished.group(node)):
            candidates = Classes.of(batch, suppression)
            alone = [float(m.evaluate(candidates)[0]) for m in measures]
            assert alone == swept[node], (node, [str(m) for m in measures])


def check_monotone(measure: Measure, tables: Sequence[CountTable] | None = None) -> None:
    """Check that values move along generalization as the measure says, without suppression."""
    if measure.monotone is Monotone.NO:
        return
    for table in supported(measure, tables):
        classes = class_tables((measure,), table)
        nodes: list[Node] = list(classes.lattice)
        values = measure.evaluate(Classes.of(classes.group(np.array(nodes))))
        by_node = dict(zip(nodes, values.tolist(), strict=True))
        for node, q in itertools.product(nodes, range(len(table.names))):
            above = (*node[:q], node[q] + 1, *node[q + 1 :])
            if above in by_node:
                lower, upper = by_node[node], by_node[above]
                if measure.monotone is Monotone.FALLS:
                    lower, upper = upper, lower
                assert lower <= upper * (1 + 1e-12), (
                    f"{measure} says that it {measure.monotone.value} along generalization; from "
                    f"{node} to {above} it does not"
                )


def check_bounds(measure: Measure, tables: Sequence[CountTable] | None = None) -> None:
    """Check that no candidate of any box is better than the bound, where one is proved."""
    for table in supported(measure, tables):
        rows = table.rows
        for budget in {0, min(2, rows), rows // 3}:
            check_bounds_under_a_limit(measure, table, budget)
        check_bounds_without_a_limit(measure, table)


def check_bounds_under_a_limit(measure: Measure, table: CountTable, budget: int) -> None:
    """Check the bounds where at most ``budget`` rows are suppressed."""
    classes = class_tables((measure,), table)
    if measure.has_bound(classes, budget):
        suppressions = [limited(budget, threshold=threshold) for threshold in Threshold]
        _check_boxes(
            measure, classes, budget, [*suppressions, NO_SUPPRESSION, limited(budget // 2)]
        )


def check_bounds_without_a_limit(measure: Measure, table: CountTable) -> None:
    """Check the bounds under policies that can suppress any number of rows."""
    classes, rows = class_tables((measure,), table), table.rows
    if measure.has_bound(classes, None):
        suppressions = [given_k(k) for k in (1, 2, 3, rows + 1)]
        suppressions += [BELOW_WEIGHTED_K, limited(rows, threshold=Threshold.EVERY)]
        _check_boxes(measure, classes, rows, suppressions)


def check_seen_from(measure: Measure, tables: Sequence[CountTable] | None = None) -> None:
    """Check that the measure needs no more of a table than it says: any audit can rely on it."""
    if measure.seen_from is not SeenFrom.CLASSES:
        return
    unseen = dict.fromkeys((SeenFrom.BLOCKS, SeenFrom.PARTITIONS, SeenFrom.ORIGINALS), "unseen")
    for table in supported(measure, tables):
        classes = class_tables((measure,), table)
        batch = replace(classes.group(np.array([classes.lattice.top])), lacks=unseen)
        kept = np.ones(batch.classes, dtype=np.bool_)
        squares = int((batch.sizes * batch.sizes).sum()) if measure.before_suppression else None
        try:
            measure.evaluate(Classes.of_kept(batch, kept, squares=squares))
        except SettingsError as error:
            raise AssertionError(f"{measure} needs more than it says: {error}") from None


MEASURE_LAWS: tuple[Callable[[Measure], None], ...] = (
    check_description,
    check_values,
    check_seen_from,
    check_path_independence,
    check_monotone,
    check_bounds,
)
"""All laws, for tests that name each of them."""


def check_measure(measure: Measure) -> None:
    """Check all laws."""
    for law in MEASURE_LAWS:
        law(measure)


def supported(
    measure: Measure, tables: Sequence[CountTable] | None = None
) -> tuple[CountTable, ...]:
    """Return the tables that have what a measure needs; there must be one."""
    found = []
    for table in small_tables() if tables is None else tables:
        try:
            measure.check(table)
        except SettingsError:
            continue
        found.append(table)
    assert found, f"{measure} supports none of the tables; give tables that have what it needs"
    return tuple(found)


def class_tables(measures: Sequence[Measure], table: CountTable) -> ClassTables:
    """Return the maker of class tables that carry what the measures need."""
    carries = dict.fromkeys(column for m in measures for column in m.carries(table))
    return ClassTables(table=table, carries=tuple(carries))


def policies(rows: int) -> list[Suppression]:
    """Return suppression policies of all kinds, with limits that bite and that do not."""
    found = [NO_SUPPRESSION, BELOW_WEIGHTED_K, given_k(2), given_k(rows + 1)]
    for limit, threshold in itertools.product((0, 0.3, rows + 5), Threshold):
        found.append(limited(limit, threshold=threshold))
    return found


def _check_boxes(
    measure: Measure, classes: ClassTables, budget: int, suppressions: Sequence[Suppression]
) -> None:
    nodes: list[Node] = list(classes.lattice)
    batch = classes.group(np.array(nodes))
    evidence: dict[Node, Floats | None] = dict.fromkeys(nodes)
    if measure.bound_needs_finest or measure.bound_needs_coarsest:
        rows = measure.evidence(Classes.of(batch), budget)
        assert rows.dtype == np.float64
        assert rows.shape[0] == len(nodes)
        assert not np.isnan(rows).any()
        evidence = dict(zip(nodes, rows, strict=True))
    values = [_best_by_node(measure, nodes, Classes.of(batch, s)) for s in suppressions]
    higher = measure.direction is Direction.HIGHER
    pick = max if higher else min
    for finest, coarsest, inside in _boxes(nodes):
        best = pick(by_node[node] for by_node in values for node in inside)
        for low, high in itertools.product((evidence[finest], None), (evidence[coarsest], None)):
            box = Box(finest_levels=finest, finest=low, coarsest=high, budget=budget)
            bound = measure.bound(box, classes)
            right = bound >= best if higher else bound <= best
            assert right, (str(measure), finest, coarsest, budget, bound, best)


def _boxes(nodes: Sequence[Node]) -> Iterator[tuple[Node, Node, list[Node]]]:
    """Iterate over the boxes of the lattice: both corners, and the nodes inside."""
    for finest, coarsest in itertools.product(nodes, nodes):
        if _below(finest, coarsest):
            inside = [node for node in nodes if _below(finest, node) and _below(node, coarsest)]
            yield finest, coarsest, inside


def _below(one: Node, other: Node) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _best_by_node(
    measure: Measure, nodes: Sequence[Node], candidates: Classes
) -> dict[Node, float]:
    """Return the best value of every node over its candidates."""
    best: dict[Node, float] = {}
    pick = max if measure.direction is Direction.HIGHER else min
    for recoding, value in zip(candidates.recoding, measure.evaluate(candidates), strict=True):
        node = nodes[recoding]
        best[node] = pick(best.get(node, float(value)), float(value))
    return best
