"""The details of a front are those of its solutions one by one, and of the plain rows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.naive import ROUNDED, naive_measures, suppressed
from tests.measures.random_tables import RandomTable, random_tables
from tests.slow_variants import slow
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.classes.classes import Classes
from sfumato.front.front import Solution
from sfumato.measures.catalogue import measure
from sfumato.recoding.levels import Levels
from sfumato.search.problem import Problem
from sfumato.study import measured_nodes
from sfumato.study.runs.solution_details import detail_of_the_source, run_columns, solution_details

POLICIES = {
    "none": sf.NO_SUPPRESSION,
    "limit": sf.limited(0.1),
    "every": sf.limited(0.2, threshold="every"),
    "given-k": sf.given_k(3),
    "given-k that empties much": sf.given_k(60),
    "below-weighted-k": sf.BELOW_WEIGHTED_K,
}


@pytest.mark.parametrize(
    "nodes_a_batch",
    [slow(1), 5, slow(10_000)],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_details_are_those_of_every_solution(
    policy: str, nodes_a_batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of_people(
        objectives=("k", "t", "recursive-l(c=2)", "loss"), suppression=POLICIES[policy]
    )
    entries = len(study.count_table.cell_sizes) * 6
    monkeypatch.setattr(measured_nodes, "ENTRIES_A_BATCH", entries * nodes_a_batch)
    front = study.search().front
    details = list(solution_details(study.problem, front.solutions))
    assert len(details) == len(front) > 1
    for solution, detail in zip(front, details, strict=True):
        evaluation = study.evaluate(solution)
        assert detail.metrics == evaluation.values
        assert detail.classes == evaluation.classes
        assert detail.suppressed == evaluation.suppressed == solution.suppressed
        assert detail.kept_rows == evaluation.rows - evaluation.suppressed
        assert detail.kept_rows == sum(rows for _, rows in detail.class_sizes)
        assert detail.classes == sum(rows // size for size, rows in detail.class_sizes)
    if policy == "every":
        assert len({tuple(s.levels.values()) for s in front}) < len(front)


def test_the_table_as_it_is() -> None:
    study = study_of_people(suppression=sf.limited(0.2))
    before = detail_of_the_source(study.problem)
    plain = study_of_people().evaluate({"age": 0, "zip": 0, "sex": 0})
    assert before.metrics == plain.values
    assert (before.classes, before.suppressed, before.kept_rows) == (plain.classes, 0, 80)
    assert before.column_losses == {"age": 0.0, "zip": 0.0, "sex": 0.0}


def test_columns_show_no_original_values() -> None:
    age, zip_code, sex = run_columns(study_of_people().count_table)
    assert (age.name, age.weight, age.leaf_count) == ("age", 2.0, 20)
    assert [level.blocks for level in age.pages] == [20, 4, 2, 1]
    assert [level.examples for level in age.pages] == [
        (),
        ("[20, 25)", "[25, 30)", "[30, 35)", "[35, 40)"),
        ("[20, 30)", "[30, 40)"),
        ("*",),
    ]
    assert all(len(level.examples) <= 6 for level in zip_code.pages)
    assert [level.examples for level in sex.pages] == [(), ("*",)]


KINDS = {
    "none": sf.NO_SUPPRESSION,
    "limit": sf.limited(0.3),
    "limit-every": sf.limited(0.3, threshold="every"),
    "given-k": sf.given_k(3),
    "below-weighted-k": sf.BELOW_WEIGHTED_K,
}


@settings(max_examples=examples(60))
@given(random_tables(), st.sampled_from(sorted(KINDS)), st.data())
def test_details_are_those_of_the_plain_rows(
    table: RandomTable, kind: str, data: st.DataObject
) -> None:
    suppression = KINDS[kind]
    problem = Problem(
        table=table.counted, objectives=(measure("k"), measure("loss")), suppression=suppression
    )
    node = tuple(data.draw(st.integers(0, height)) for height in table.heights)
    candidates = Classes.of(problem.tables.group([node]), suppression)  # type: ignore[arg-type]
    solutions = [
        Solution(
            id=number,
            recoding=Levels.of(dict(zip(table.counted.names, node, strict=True))),
            values={},
            suppressed=int(candidates.suppressed_rows[number]),
            threshold=int(threshold),
        )
        for number, threshold in enumerate(candidates.thresholds)
    ]
    naive = suppressed(
        table.naive,
        table.naive.node(node),
        height=sum(node),
        policy=kind,
        budget=suppression.budget(len(table.naive.rows)) or 0,
        k=3,
    )
    measures = naive_measures(table.naive)
    details = list(solution_details(problem, solutions))
    assert len(details) == len(naive)
    for detail, plain in zip(details, naive, strict=True):
        sizes: Counter[int] = Counter()
        for members in plain.kept:
            sizes[len(members)] += len(members)
        assert detail.class_sizes == tuple(sorted(sizes.items()))
        assert detail.classes == len(plain.kept)
        assert detail.suppressed == len(plain.suppressed)
        for q in table.naive.identifiers:
            label_of = plain.recoding[q.name]
            lost = Fraction(len(plain.suppressed))
            for members in plain.kept:
                for row in members:
                    block = [v for v in q.domain if label_of[v] == label_of[row[q.name]]]
                    lost += Fraction(len(block) - 1, max(1, len(q.domain) - 1))
            mean = lost / len(table.naive.rows)
            assert detail.column_losses[q.name] == pytest.approx(float(mean), abs=1e-12)
        for name, metric in detail.metrics.items():
            expected = float(measures[name](plain))
            close = pytest.approx(expected, rel=1e-9, abs=1e-9) if name in ROUNDED else expected
            assert metric == close, name
