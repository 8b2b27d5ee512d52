"""CON(u): rules, damages, and what counts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.microdata.counting import build_count_table
from sfumato.statements.counted_statements import CountedStatements, StatementPatterns

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable


def statements_of(table: CountTable) -> CountedStatements:
    assert table.statements is not None
    return table.statements


def table_of(statements: sf.ConfidentialStatements, **columns: list[str | None]) -> CountTable:
    return build_count_table(
        GroupedCounts.of_rows(columns),
        [
            sf.identifying("id"),
            sf.quasi_identifying("q", sf.Flat()),
            sf.sensitive("s"),
            sf.insensitive("ward"),
        ],
        missing=sf.MissingValues(markers=("?",)),
        statements=statements,
    )


def test_rules_are_given_in_many_ways() -> None:
    one = sf.ConfidentialStatements.of("s = 1")
    assert (
        one
        == sf.ConfidentialStatements.of(["s = 1"])
        == sf.ConfidentialStatements.of(sf.atom("s", "1"))
    )
    assert (
        one
        == sf.ConfidentialStatements.of(sf.ConfidentialStatement(protect="s = 1"))
        == sf.ConfidentialStatements.of(one)
    )
    assert one.common_to_all
    some = sf.ConfidentialStatements.of(
        [sf.ConfidentialStatement(protect="s = 1", where="ward = a or id = 7"), "s = 2"]
    )
    assert not some.common_to_all
    assert some.columns == ("s", "ward", "id")
    assert [str(rule) for rule in some.rules] == ["s = 1, where ward = a or id = 7", "s = 2"]


@pytest.mark.parametrize(
    ("rules", "code", "found"),
    [
        ([], "no-statements", None),
        (["s ="], "not-a-predicate", "the end"),
        (
            [sf.ConfidentialStatement(protect="s = 1", damage=0.5), "s = 2"],
            "missing-setting",
            "'s = 2'",
        ),
        (
            [
                sf.ConfidentialStatement(protect="s = 1", damage=0.5),
                sf.ConfidentialStatement(protect="s = 2", damage=0.6),
            ],
            "wrong-sum",
            "1.1",
        ),
        ([sf.ConfidentialStatement(protect="s = 1", damage=0.5)], "wrong-sum", "0.5"),
        ([3], "not-a-statement", "3"),
        (3, "not-a-statement", "3"),
    ],
)
def test_what_is_not_a_statement(rules: object, code: str, found: str | None) -> None:
    with raises(sf.SettingsError, code=code, found=found):
        sf.ConfidentialStatements.of(rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [0, -1.0, 1.5, float("nan"), float("inf"), True, "half"])
def test_a_damage_is_a_share(damage: object) -> None:
    with raises(sf.SettingsError, code="out-of-range", key="damage", found=repr(damage)):
        sf.ConfidentialStatement(protect="s = 1", damage=damage)  # type: ignore[arg-type]


ROWS: dict[str, list[str | None]] = {
    "id": ["1", "2", "3", "4", "5"],
    "q": ["x", "x", "y", "y", "y"],
    "s": ["1", "2", "1", None, "1"],
    "ward": ["a", "b", None, "?", "a"],
}


def by_person(
    statements: sf.ConfidentialStatements,
) -> list[tuple[tuple[bool, ...], tuple[float, ...]]]:
    """What every row satisfies and protects, from tables of one row and the others' texts."""
    found = []
    for row in range(5):
        one = {name: [values[row]] for name, values in ROWS.items()}
        counted = statements_of(table_of(statements, **one))
        assert counted.patterns == 1
        found.append((tuple(counted.satisfied[0].tolist()), tuple(counted.damages[0].tolist())))
    return found


def test_equal_shares_are_by_person() -> None:
    statements = sf.ConfidentialStatements.of(
        [
            "s = 1",
            sf.ConfidentialStatement(protect="s = 2", where="ward = a"),
            sf.ConfidentialStatement(protect="s = 1 or s = 2", where="id in {1, 3}"),
            sf.ConfidentialStatement(protect="s = 1", where="q = x"),
        ]
    )
    third = pytest.approx(1 / 3)
    assert by_person(statements) == [
        ((True, False, True), (third, third, third)),
        ((False, True, True), (1.0, 0.0, 0.0)),
        ((True, False, True), (0.5, 0.0, 0.5)),
        ((False, False, False), (1.0, 0.0, 0.0)),
        ((True, False, True), (0.5, 0.5, 0.0)),
    ]


def test_missing_values_have_their_label() -> None:
    statements = sf.ConfidentialStatements.of(
        [
            sf.ConfidentialStatement(
                protect='s = "(missing)"', damage=1, where='ward = "(missing)"'
            ),
            sf.ConfidentialStatement(protect="s = 2", damage=0.25, where="ward = a"),
            sf.ConfidentialStatement(protect="s = 1", damage=0.5, where="ward = a"),
            sf.ConfidentialStatement(protect="s = 1", damage=0.25, where="ward = a"),
        ]
    )
    assert by_person(statements) == [
        ((False, False, True), (0.0, 0.25, 0.75)),
        ((False, True, False), (0.0, 0.0, 0.0)),
        ((False, False, True), (1.0, 0.0, 0.0)),
        ((True, False, False), (1.0, 0.0, 0.0)),
        ((False, False, True), (0.0, 0.25, 0.75)),
    ]


def test_damages_must_sum_to_one_for_everybody() -> None:
    statements = sf.ConfidentialStatements.of(
        [
            sf.ConfidentialStatement(protect="s = 1", damage=1),
            sf.ConfidentialStatement(protect="s = 2", damage=0.5, where="ward = a"),
        ]
    )
    with raises(sf.SettingsError, code="wrong-sum", key="damage", found="1.5"):
        table_of(statements, **ROWS)


def test_patterns_are_counted_beside_the_values() -> None:
    statements = sf.ConfidentialStatements.of(
        ["s = 1", sf.ConfidentialStatement(protect="s = 2", where="ward = a")]
    )
    table = table_of(statements, **ROWS)
    assert table.rows == 5
    # Two people of class y have the value 1, and different patterns.
    assert table.marginal("s").sum() == table.marginal(StatementPatterns()).sum() == 5
    assert statements_of(table).satisfied_rows.tolist() == [3, 1]
    assert table.width_of(StatementPatterns()) == statements_of(table).patterns
    carried = table.carried(["s", StatementPatterns()])
    assert np.diff(carried.column("s").starts).tolist() == [2, 2]
    assert not statements_of(table).satisfied.flags.writeable
