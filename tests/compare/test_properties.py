"""Properties equal their definitions row by row, and compressed vectors equal expanded ones."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.compare.naive_properties import entries_of_rows, naive_properties, naive_vector
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.measures.test_against_definitions import naive_candidates, policies
from tests.raised import raises

from sfumato.classes.anonymization import Anonymization, class_numbers
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import NO_SUPPRESSION, limited
from sfumato.compare.catalogue import comparator as comparator_named
from sfumato.compare.catalogue import every_property, index_names, property_named, property_names
from sfumato.compare.comparators.dominance import Dominance
from sfumato.compare.indices.maximum import Maximum
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.minimum import Minimum
from sfumato.compare.indices.total import Total
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Direction
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from sfumato.microdata.count_table import Carried

INDICES = (*index_names(), "rank(point=3)", "rank(tolerance=1, point=2.5)")
EXACT = ("class-size", "own-value-count", "breach-probability", "own-value-share")


def candidates_of(table: RandomTable, nodes: object, suppression: object) -> Classes:
    names = [column.name for column in table.counted.sensitive]
    carries: tuple[Carried, ...] = (*names, StatementPatterns())
    tables = ClassTables(table=table.counted, carries=carries)
    return Classes.of(tables.group(np.array(nodes)), suppression)  # type: ignore[arg-type]


def drawn_node(table: RandomTable, data: st.DataObject) -> tuple[int, ...]:
    return tuple(data.draw(st.integers(0, height)) for height in table.heights)


@settings(max_examples=examples(60))
@given(random_tables(most_rows=25, most_identifiers=3), st.data())
def test_every_property_is_its_definition(table: RandomTable, data: st.DataObject) -> None:
    node = drawn_node(table, data)
    suppression = data.draw(st.sampled_from(policies(len(table.naive.rows))))
    candidates = candidates_of(table, [node], suppression)
    naive = naive_candidates(table, table.naive.node(node), sum(node), suppression)
    entry_of_row = entries_of_rows(table.counted, table.naive.rows, table.naive.statements)
    assert candidates.count == len(naive)
    for position, judge in enumerate(naive):
        anonymization = Anonymization.of_candidate(candidates, position)
        assert anonymization.suppressed_rows == len(judge.suppressed)
        for text, formula in naive_properties(judge).items():
            found = property_named(text).vector(anonymization)
            rows = found.by_individual[entry_of_row]
            wanted = [float(value) for value in naive_vector(judge, formula)]
            if text.startswith(EXACT):
                assert rows.tolist() == wanted, text
            else:
                assert rows.tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-12), text
            assert found.name == text
            assert found.rows == len(table.naive.rows)
            assert sorted(found.expanded().tolist()) == sorted(rows.tolist())
            _check_range(found)


def _check_range(vector: PropertyVector) -> None:
    assert vector.best is not None
    assert vector.worst is not None
    higher = vector.direction is Direction.HIGHER
    low, high = (vector.worst, vector.best) if higher else (vector.best, vector.worst)
    assert low <= vector.values.min()
    assert vector.values.max() <= high * (1 + 1e-12)


@settings(max_examples=examples(40))
@given(random_tables(most_rows=30), st.data())
def test_compressed_and_expanded_vectors_give_the_same_metrics(
    table: RandomTable, data: st.DataObject
) -> None:
    nodes = [drawn_node(table, data) for _ in range(2)]
    suppression = data.draw(st.sampled_from([NO_SUPPRESSION, limited(0.3)]))
    candidates = candidates_of(table, nodes, suppression)
    both = [Anonymization.of_candidate(candidates, position) for position in (0, 1)]
    for one in every_property(table.counted):
        first, second = (one.vector(anonymization) for anonymization in both)
        plain = [
            PropertyVector.of_rows(
                vector.expanded(),
                name=vector.name,
                direction=vector.direction,
                best=vector.best,
                worst=vector.worst,
            )
            for vector in (first, second)
        ]
        for comparator in (*map(comparator_named, INDICES), Dominance()):
            compressed = comparator.compare(first, second)
            expanded = comparator.compare(*plain)
            if comparator.name == "hypervolume":
                # Logarithms times their multiplicity, against as many logarithms.
                assert compressed.outcome is expanded.outcome
                assert compressed.margin == pytest.approx(expanded.margin, rel=1e-9, abs=1e-9)
            else:
                assert compressed == expanded, (str(one), str(comparator))


@settings(max_examples=examples(40))
@given(random_tables(most_rows=30), st.data())
def test_measures_are_indices_of_properties(table: RandomTable, data: st.DataObject) -> None:
    """What the paper says of k, weighted-k, the losses and t: unary indices of vectors."""
    candidates = candidates_of(table, [drawn_node(table, data)], NO_SUPPRESSION)
    anonymization = Anonymization.of_candidate(candidates)

    def metric(text: str) -> float:
        return float(measure(text).evaluate(candidates)[0])

    sizes = property_named("class-size").vector(anonymization)
    losses = property_named("row-loss").vector(anonymization)
    assert metric("k") == Minimum().value(sizes)
    assert metric("s-k") == Total().value(sizes)
    assert metric("weighted-k") == Mean().value(sizes)
    assert metric("loss") == pytest.approx(Total().value(losses), rel=1e-12)
    columns = [column.name for column in table.counted.sensitive]
    distances = [
        Maximum().value(property_named(f"sensitive-distance(column={name})").vector(anonymization))
        for name in columns
    ]
    assert metric("t") == max(distances)
    risks = property_named("statement-risk").vector(anonymization)
    assert metric("sf") == pytest.approx(1 - Mean().value(risks), abs=1e-12)
    for name in columns:
        counts = property_named(f"own-value-count(column={name})").vector(anonymization)
        assert metric(f"s-l(column={name})") == Total().value(counts)


@settings(max_examples=examples(30))
@given(random_tables(most_rows=10))
def test_there_is_a_definition_for_every_property(table: RandomTable) -> None:
    (judge,) = naive_candidates(
        table, table.naive.node([0] * len(table.heights)), 0, NO_SUPPRESSION
    )
    judged = {text.split("(")[0] for text in naive_properties(judge)}
    assert judged == set(property_names())
    assert {str(one) for one in every_property(table.counted)} <= set(naive_properties(judge))


@settings(max_examples=examples(30))
@given(st.integers(1, 60), st.integers(1, 40), st.integers(0, 2**32))
def test_classes_of_any_number_of_columns(columns: int, rows: int, seed: int) -> None:
    rng = random.Random(seed)
    codes = [
        np.array([rng.choice([0, 1, 10**6]) for _ in range(rows)], dtype=np.int32)
        for _ in range(columns)
    ]
    numbers, first = class_numbers(codes)
    keys = list(zip(*(column.tolist() for column in codes), strict=True))
    assert len(first) == len(set(keys))
    for row in range(rows):
        assert keys[first[numbers[row]]] == keys[row]


@settings(max_examples=examples(10))
@given(random_tables(most_rows=10))
def test_other_tables_are_refused(table: RandomTable) -> None:
    other = RandomTable(naive=table.naive, distances=table.distances)
    sizes = [
        property_named("class-size").vector(
            Anonymization.of_candidate(candidates_of(t, [[0] * len(t.heights)], NO_SUPPRESSION))
        )
        for t in (table, other)
    ]
    with raises(SettingsError, code="other-rows"):
        CommonRefinement.of(*sizes)
    rows = PropertyVector.of_rows([1] * sizes[0].rows, name="class-size")
    with raises(SettingsError, code="other-rows"):
        CommonRefinement.of(sizes[0], rows)


def test_settings_of_properties_are_checked() -> None:
    with raises(SettingsError, code="unknown-property", suggestion="class-size"):
        property_named("class-sise")
    with raises(SettingsError, code="unknown-parameter", suggestion="column"):
        property_named("own-value-count(columm=x)")
    with raises(SettingsError, code="not-a-name", found="''"):
        property_named("")
