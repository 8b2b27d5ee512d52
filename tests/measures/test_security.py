"""The security test on class tables, class by class, and what of it is monotone."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.drawn_examples import examples
from tests.measures.naive import classes_of
from tests.measures.naive_statements import confidential, is_secure, satisfies
from tests.measures.random_tables import RandomTable, random_tables

import sfumato as sf
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.measures.catalogue import measure
from sfumato.measures.confidentiality.security import exposed_rows, insecure_classes
from sfumato.microdata.counting import build_count_table
from sfumato.statements.counted_statements import StatementPatterns


@settings(max_examples=examples(80))
@given(random_tables(most_rows=30, most_identifiers=2))
def test_every_class_is_judged_as_by_looking_at_all_pairs(table: RandomTable) -> None:
    tables = ClassTables(table=table.counted, carries=(StatementPatterns(),))
    statements = table.naive.statements
    for node in tables.lattice:
        batch = tables.group(np.array([node]))
        flags, exposed = insecure_classes(batch), exposed_rows(batch)
        classes = classes_of(table.naive, table.naive.node(node))
        naive = sorted(
            (
                len(members),
                not is_secure([members], statements),
                sum(
                    any(
                        all(satisfies(other, predicate) for other in members)
                        for predicate in confidential(row, statements).values()
                    )
                    for row in members
                ),
            )
            for members in classes
        )
        found = zip(batch.sizes.tolist(), flags.tolist(), exposed.tolist(), strict=True)
        assert sorted(found) == naive
        assert flags.tolist() == (exposed > 0).tolist()


def merged(
    classes: str,
    values: str,
    statement: sf.ConfidentialStatement | str,
    suppression: sf.Suppression,
    name: str,
) -> list[float]:
    """Return a value of the classes p, q and r, of p and q merged, and of all of them as one."""
    rows = [("p", "pq", "*"), ("q", "pq", "*"), ("r", "r", "*")]
    table = build_count_table(
        GroupedCounts.of_rows({"class": list(classes), "s": list(values)}),
        [
            sf.quasi_identifying("class", sf.Hierarchy.from_rows(rows, name="class")),
            sf.sensitive("s"),
        ],
        statements=sf.ConfidentialStatements.of(statement),
    )
    tables = ClassTables(table=table, carries=(StatementPatterns(),))
    candidates = Classes.of(tables.group(np.array([[0], [1], [2]])), suppression)
    return [float(metric) for metric in measure(name).evaluate(candidates)]


def test_sf_is_not_monotone() -> None:
    # 6 of 16 satisfy it: 2 of the 4 in p, all 4 in q. Risk is concave above the prior, so that
    # both together have more of it than each by itself.
    found = merged(
        "pppp" + "qqqq" + 8 * "r", "0011" + "1111" + 8 * "0", "s = 1", sf.NO_SUPPRESSION, "sf"
    )
    prior = math.log(6 / 16)
    apart = 4 * (1 - math.log(1 / 2) / prior) + 4
    together = 8 * (1 - math.log(6 / 8) / prior)
    assert found == pytest.approx([1 - apart / 16, 1 - together / 16, 1.0])
    assert found[1] < found[0]


def test_within_the_limit_is_not_monotone_where_statements_differ() -> None:
    # The one person of class q protects the predicate and can be left out; those of class p do not
    # protect it. Merged they tell it, and are too many to be left out.
    rule = sf.ConfidentialStatement(protect="s = 1", where="class = q")
    assert not sf.ConfidentialStatements.of(rule).common_to_all
    found = merged("pppppqrr", "11111100", rule, sf.limited(1), "secure")
    assert found == [1.0, 0.0, 1.0]
    # If everybody protects it, class p is insecure to begin with.
    assert sf.ConfidentialStatements.of("s = 1").common_to_all
    assert merged("pppppqrr", "11111100", "s = 1", sf.limited(1), "secure") == [0.0, 0.0, 1.0]


def test_law_of_restriction() -> None:
    """Property 2: what a secure recoding shows of fewer columns is secure."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        columns = {name: [str(v) for v in rng.integers(0, 3, 30)] for name in ("a", "b", "s")}
        study = build_count_table(
            GroupedCounts.of_rows(columns),
            [
                sf.quasi_identifying("a", sf.Flat()),
                sf.quasi_identifying("b", sf.Flat()),
                sf.sensitive("s"),
            ],
            statements=sf.ConfidentialStatements.of(
                ["s = 1", sf.ConfidentialStatement(protect="s in {0, 2}", where="a = 1")]
            ),
        )
        tables = ClassTables(table=study, carries=(StatementPatterns(),))
        secure = {
            node: not insecure_classes(tables.group(np.array([node]))).any()
            for node in itertools.product((0, 1), (0, 1))
        }
        for node, restricted in itertools.product(secure, secure):
            if all(coarse in (fine, 1) for fine, coarse in zip(node, restricted, strict=True)):
                assert secure[restricted] or not secure[node]
