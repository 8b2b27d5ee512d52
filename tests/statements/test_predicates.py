"""The language of predicates: what it reads, what it writes, and where it points when it cannot."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.naive_statements import drawn_predicate, satisfies, text_of
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.statements.predicate import And, Atom, Not, Or, Predicate, atom
from sfumato.statements.predicate_parser import predicate

if TYPE_CHECKING:
    from sfumato.arrays import Flags

A, B, C = atom("a", "1"), atom("b", "1"), atom("c", "1")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Health = 2", Atom(column="Health", values=("2",))),
        ("Health=2", Atom(column="Health", values=("2",))),
        ('Income in {"300K", "400K"}', atom("Income", "300K", "400K")),
        ("Income in {400K,300K}", atom("Income", "300K", "400K")),
        ("Income in {300K, 300K}", atom("Income", "300K")),
        ("a != 1", ~A),
        ("a not in {1}", ~A),
        ("HIV = +", atom("HIV", "+")),
        ("D.O.B. = 24/09/56", atom("D.O.B.", "24/09/56")),
        ('"marital status" = \'never "married"\'', atom("marital status", 'never "married"')),
        ("`a`=``", atom("a", "")),
        ('a = "say ""1"""', atom("a", 'say "1"')),
        ("a = '<=50K'", atom("a", "<=50K")),
        ("'not' = \"and\"", atom("not", "and")),
        # not binds tighter than and, and tighter than or.
        ("not a=1 and b=1", And(parts=(Not(part=A), B))),
        ("not (a=1 and b=1)", Not(part=And(parts=(A, B)))),
        ("a=1 or b=1 and c=1", Or(parts=(A, And(parts=(B, C))))),
        ("(a=1 or b=1) and c=1", And(parts=(Or(parts=(A, B)), C))),
        ("a=1 AND b=1 OR NOT c=1", Or(parts=(And(parts=(A, B)), Not(part=C)))),
        ("not not a=1", Not(part=Not(part=A))),
        ("a=1 and (b=1 and c=1)", And(parts=(A, B, C))),
        ("  (\n((a = 1)))\t", A),
    ],
)
def test_what_a_text_means(text: str, meant: Predicate) -> None:
    assert predicate(text) == meant
    assert predicate(str(meant)) == meant
    assert predicate(meant) is meant


@pytest.mark.parametrize(
    ("text", "character", "found", "expected"),
    [
        ("", 1, "the end", "a column name"),
        ("Health", 7, "the end", "'=' or 'in'"),
        ("Health =", 9, "the end", "a value"),
        ("Health == 2", 9, "'='", "a value"),
        ("Health 2", 8, "'2'", "'=' or 'in'"),
        ("Health = very ill", 15, "'ill'", "'and', 'or' or the end"),
        ("Income = <=50K", 11, "'='", "'and', 'or' or the end"),
        ("State = OR", 9, "'OR'", "a value"),
        ("a in 1", 6, "'1'", "'{'"),
        ("a in {}", 7, "'}'", "a value"),
        ("a in {1, 2", 11, "the end", "',' or '}'"),
        ("(a = 1", 7, "the end", "')' or 'and' or 'or'"),
        ("a = 1)", 6, "')'", "'and', 'or' or the end"),
        ("a = 1 && b = 1", 7, "'&&'", "'and', 'or' or the end"),
        ("a = 1 and", 10, "the end", "a column name"),
        ("a = 1 or not", 13, "the end", "a column name"),
        ("age > 30", 5, "'>'", "'=' or 'in'"),
        ("a = '1", 5, '"\'"', None),
        ("a = 1 and !b", 11, "'!'", None),
        ('"" = 1', 1, '""', None),
        ("not " * 200 + "a = 1", 405, None, "at most 100 levels"),
        ("(" * 200 + "a = 1", 102, None, "at most 100 levels"),
    ],
)
def test_errors_point_at_the_character(
    text: str, character: int, found: str | None, expected: str | None
) -> None:
    with raises(
        SettingsError, code="not-a-predicate", character=character, found=found, expected=expected
    ) as caught:
        predicate(text)
    assert caught.value.excerpt == text
    _, line, caret = str(caught.value).split("\n")
    assert line == f"    {text}"
    assert caret == f"    {' ' * (character - 1)}^"


@pytest.mark.parametrize(
    ("text", "suggestion"), [("a = 1 && b = 1", "and"), ("a=1 || b=1", "or"), ("!a = 1", "not")]
)
def test_signs_of_other_languages_are_translated(text: str, suggestion: str) -> None:
    with raises(SettingsError, code="not-a-predicate", suggestion=suggestion):
        predicate(text)


@given(st.text(min_size=1), st.lists(st.text(), min_size=1, max_size=4))
def test_any_name_and_value_goes_round(column: str, values: list[str]) -> None:
    found = atom(column, *values)
    assert predicate(str(found)) == found


VALUES = {"a": ["1", "2", "3"], "b": ["x", "y"], "two words": ["not", "p q", ""]}


@given(st.integers(0, 2**32 - 1))
def test_texts_have_the_truth_of_their_predicates(seed: int) -> None:
    rng = random.Random(seed)
    naive = drawn_predicate(rng, VALUES, depth=4)
    rows = [{name: rng.choice(values) for name, values in VALUES.items()} for _ in range(20)]

    def truth_of(each: Atom) -> Flags:
        return np.array([row[each.column] in each.values for row in rows], dtype=np.bool_)

    expected = [satisfies(row, naive) for row in rows]
    found = predicate(text_of(naive))
    assert found.truth(truth_of).tolist() == expected
    # The shorter text, with few parentheses, says the same.
    again = predicate(str(found))
    assert again == found
    assert again.truth(truth_of).tolist() == expected


def test_predicates_in_python() -> None:
    built = (A | B) & ~C
    assert built == predicate("(a = 1 or b = 1) and not c = 1")
    assert built.columns == ("a", "b", "c")
    assert (A | atom("a", "2")).values_of("a") == ("1", "2")
    assert hash(built) == hash(predicate(str(built)))
    for wrong in (lambda: A & "b = 1", lambda: A | 3):  # type: ignore[operator]
        with raises(SettingsError, code="not-a-predicate"):
            wrong()
    with raises(SettingsError, code="not-a-text", column="Health", found="2", suggestion="2"):
        atom("Health", 2)  # type: ignore[arg-type]
    with raises(SettingsError, code="no-values", column="Health"):
        atom("Health")
    with raises(SettingsError, code="not-a-predicate", found="3"):
        predicate(3)  # type: ignore[arg-type]
