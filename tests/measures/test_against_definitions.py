"""Every measure equals its definition, on every node, under every policy."""

from __future__ import annotations

import itertools
import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.naive import (
    ROUNDED,
    NaiveCandidate,
    Recoding,
    cheapest_transport,
    classes_of,
    distance,
    naive_measures,
    suppressed,
)
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Policy,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import every_measure, measure, measure_names
from sfumato.microdata.count_table import Leaves
from sfumato.recoding.partition_book import PartitionBook

if TYPE_CHECKING:
    from sfumato.measures.measure import Measure


def policies(rows: int) -> list[Suppression]:
    """All kinds of policies, with limits and k that bite and that do not."""
    found = [NO_SUPPRESSION, BELOW_WEIGHTED_K, given_k(1), given_k(2), given_k(rows + 1)]
    for limit, threshold in itertools.product((0, 0.3, 3, rows + 5, 1.0), Threshold):
        found.append(limited(limit, threshold=threshold))
    return found


def naive_candidates(
    table: RandomTable, recoding: Recoding, height: int, suppression: Suppression
) -> list[NaiveCandidate]:
    rows = len(table.naive.rows)
    limit = suppression.limit
    budget = limit if isinstance(limit, int) else math.floor((limit or 0.0) * 10) * rows // 10
    name = suppression.policy.value
    if suppression.policy is Policy.LIMIT:
        name += f"-{suppression.threshold.value}"
    return suppressed(
        table.naive, recoding, height=height, policy=name, budget=budget, k=suppression.k or 0
    )


def all_measures(table: RandomTable) -> list[Measure]:
    return [measure(text) for text in naive_measures(table.naive)]


def tables_for(table: RandomTable, measures: list[Measure]) -> ClassTables:
    carries = dict.fromkeys(name for m in measures for name in m.carries(table.counted))
    return ClassTables(table=table.counted, carries=tuple(carries))


def check_equal(
    table: RandomTable,
    found: Classes,
    expected: list[NaiveCandidate],
    skipped: tuple[str, ...] = (),
) -> None:
    assert found.count == len(expected)
    for text, metric in naive_measures(table.naive).items():
        if text in skipped:
            continue
        values = measure(text).evaluate(found)
        assert values.dtype == np.float64
        assert values.shape == (found.count,)
        wanted = [float(metric(candidate)) for candidate in expected]
        if text.split("(")[0] in ROUNDED:
            assert values.tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-12), text
        else:
            assert values.tolist() == wanted, text


@settings(max_examples=examples(60))
@given(random_tables(most_rows=40, most_identifiers=3), st.data())
def test_every_measure_is_its_definition(table: RandomTable, data: st.DataObject) -> None:
    nodes = list(itertools.product(*(range(height + 1) for height in table.heights)))
    # A thorough run takes twelve of them.
    if len(nodes) > (most := max(4, examples(12))):
        nodes = random.Random(data.draw(st.integers(0, 999))).sample(nodes, most)
    tables = tables_for(table, all_measures(table))
    batch = tables.group(np.array(nodes))
    for suppression in policies(len(table.naive.rows)):
        expected = [
            candidate
            for node in nodes
            for candidate in naive_candidates(table, table.naive.node(node), sum(node), suppression)
        ]
        check_equal(table, Classes.of(batch, suppression), expected)


@settings(max_examples=examples(40))
@given(random_tables(most_rows=25), st.randoms(use_true_random=False))
def test_measures_of_partitions_without_levels(table: RandomTable, rng: random.Random) -> None:
    tables = tables_for(table, all_measures(table))
    books, recodings = [], []
    for q in table.naive.identifiers:
        pages = []
        for _ in range(3):
            cuts = [0] + [int(rng.random() < 0.5) for _ in q.domain[1:]]
            pages.append(np.cumsum(cuts))
        leaf_rows = table.counted.marginal(Leaves(q.name))
        books.append(PartitionBook.of_partitions(pages, leaf_rows))
        recodings.append([dict(zip(q.domain, map(str, page), strict=True)) for page in pages])
    choices = np.array([[rng.randrange(3) for _ in books] for _ in range(4)])
    batch = tables.group(choices, books=tuple(books))
    names = [q.name for q in table.naive.identifiers]
    for suppression in (NO_SUPPRESSION, limited(0.3), limited(0.3, threshold=Threshold.EVERY)):
        expected = []
        for choice in choices:
            recoding = {
                name: pages[page]
                for name, pages, page in zip(names, recodings, choice, strict=True)
            }
            expected += naive_candidates(table, recoding, 0, suppression)
        candidates = Classes.of(batch, suppression)
        check_equal(table, candidates, expected, skipped=("height", "precision"))
        if any(
            book.block_of.tolist() != [level.tolist() for level in hierarchy.levels]
            for book, hierarchy in zip(books, table.counted.hierarchies, strict=True)
        ):
            with raises(SettingsError, code="no-levels"):
                measure("height").evaluate(candidates)
            with raises(SettingsError, code="no-levels"):
                measure("precision").evaluate(candidates)


@settings(max_examples=examples(60))
@given(random_tables())
def test_rolled_up_equals_grouped_directly(table: RandomTable) -> None:
    measures = all_measures(table)
    tables = tables_for(table, measures)
    for outer in tables.outer_nodes():
        rolled = tables.sweep_batch(outer)
        direct = tables.group(rolled.choices)
        for suppression in policies(len(table.naive.rows)):
            ours, theirs = Classes.of(rolled, suppression), Classes.of(direct, suppression)
            for m in measures:
                assert m.evaluate(ours).tobytes() == m.evaluate(theirs).tobytes(), str(m)


@settings(max_examples=examples(40))
@given(random_tables(most_identifiers=2))
def test_a_metric_does_not_depend_on_its_batch(table: RandomTable) -> None:
    measures = all_measures(table)
    tables = tables_for(table, measures)
    nodes = np.array(list(tables.lattice))
    for suppression in (NO_SUPPRESSION, limited(0.3), BELOW_WEIGHTED_K):
        together = Classes.of(tables.group(nodes), suppression)
        for m in measures:
            # Other measures may make the tables carry more; this one must not notice.
            alone = tables_for(table, [m])
            metrics = [
                m.evaluate(Classes.of(alone.group(nodes[n : n + 1]), suppression))
                for n in range(len(nodes))
            ]
            assert m.evaluate(together).tobytes() == np.concatenate(metrics).tobytes(), str(m)


@settings(max_examples=examples(60))
@given(random_tables(most_rows=9, most_identifiers=2))
def test_distances_are_cheapest_transports(table: RandomTable) -> None:
    classes = classes_of(table.naive, table.naive.node([0] * len(table.heights)))
    for column in table.naive.sensitive:
        for members in classes[:3]:
            transport = cheapest_transport(column, members, table.naive)
            assert distance(column, members, table.naive) == transport


@settings(max_examples=examples(60))
@given(random_tables())
def test_loss_is_generalization_and_suppression_loss(table: RandomTable) -> None:
    tables = tables_for(table, [])
    batch = tables.group(np.array(list(tables.lattice)))
    for suppression in policies(len(table.naive.rows)):
        candidates = Classes.of(batch, suppression)
        parts = measure("gl").evaluate(candidates) + measure("sl").evaluate(candidates)
        assert measure("loss").evaluate(candidates) == pytest.approx(parts, rel=1e-12)


@settings(max_examples=examples(40))
@given(random_tables(most_rows=8))
def test_a_candidate_that_keeps_nothing(table: RandomTable) -> None:
    measures = all_measures(table)
    tables = tables_for(table, measures)
    batch = tables.group(np.array([tables.lattice.bottom]))
    candidates = Classes.of(batch, given_k(len(table.naive.rows) + 1))
    metrics = {m.name: float(m.evaluate(candidates)[0]) for m in measures}
    nothing = ("k", "frequency-l", "distinct-l", "entropy-l", "recursive-l", "p-sensitive")
    assert [metrics[name] for name in (*nothing, "secure")] == [0.0] * 7
    assert (metrics["t"], metrics["c-avg"]) == (1.0, math.inf)
    assert (metrics["normalized-loss"], metrics["cm"], metrics["usefulness"]) == (1.0, 1.0, 1.0)
    assert not any(math.isnan(metric) for metric in metrics.values())


@settings(max_examples=examples(40))
@given(random_tables())
def test_the_definitions_cover_every_measure(table: RandomTable) -> None:
    judged = {m.name for m in all_measures(table)}
    # A level is read off, not computed of rows: tests/measures/test_level.py.
    assert judged == set(measure_names()) - {"level"}
    offered = {str(m) for m in every_measure(table.counted)}
    assert offered <= {*naive_measures(table.naive)}
