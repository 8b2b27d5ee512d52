"""The measures by name and by text, and what every one of them must say about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import every_measure, measure, measure_classes, measure_names
from sfumato.measures.loss.loss import Loss
from sfumato.measures.privacy.recursive_l import RecursiveL
from sfumato.measures.privacy.s_l import SL
from sfumato.microdata.count_table import Leaves
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import Attribute, Role, insensitive, quasi_identifying, sensitive
from sfumato.statements.confidential import ConfidentialStatements
from sfumato.statements.predicate import atom
from sfumato.testing.measures import check_description

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable

NAMES = {
    *("k", "weighted-k", "s-k", "s-l", "frequency-l", "distinct-l", "entropy-l", "recursive-l"),
    *("p-sensitive", "t", "loss", "normalized-loss", "gl", "sl", "dm", "c-avg", "cm"),
    *("usefulness", "protection", "height", "precision", "entropy-loss"),
    *("class-size-gini", "class-size-quantile", "class-size-worst-tenth"),
    *("row-loss-gini", "row-loss-worst-tenth", "information-gain", "query-error"),
    *("level", "gain-per-anonymity"),
    *("secure", "breach-probability", "sf", "ql", "sf-ql"),
    *("prosecutor-risk", "mean-prosecutor-risk", "risk-above", "alpha"),
    *("k-map", "journalist-risk", "mean-journalist-risk", "delta-presence"),
    *("beta-likeness", "enhanced-beta-likeness", "delta-disclosure"),
}
OF_POPULATION = {"k-map", "journalist-risk", "mean-journalist-risk", "delta-presence"}
SEX = Hierarchy.from_rows([("F", "*"), ("M", "*")], name="sex")


def count_table(*attributes: Attribute) -> CountTable:
    grouped = GroupedCounts.of_rows({a.name: ["F", "M", "F"] for a in attributes})
    names = [a.name for a in attributes if a.role is Role.SENSITIVE]
    statements = ConfidentialStatements.of(atom(names[0], "F")) if names else None
    return build_count_table(grouped, attributes, statements=statements)


def test_the_published_names() -> None:
    assert set(measure_names()) == NAMES
    assert set(measure_classes()) == NAMES
    assert list(measure_names()) == sorted(NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "recursive-l(c=3)",
        "s-l(column=job)",
        "class-size-quantile(q=0.1)",
        "ql(weights=0.5 0.25 0.25)",
        "sf-ql(weights=1)",
    ],
)
def test_parameters_go_round(text: str) -> None:
    found = measure(text)
    assert str(found) == text
    check_description(found)


@given(st.text(min_size=1))
def test_any_column_name_goes_round(column: str) -> None:
    assert measure(str(SL(column=column))) == SL(column=column)


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_any_c_goes_round(above: int, below: int) -> None:
    found = RecursiveL(c=above / below)
    assert measure(str(found)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" k ", "k"),
        ("k()", "k"),
        ("recursive-l( c = 3.0 )", "recursive-l(c=3)"),
        ("s-l(column=marital status)", "s-l(column=marital status)"),
        ("s-l(column='a, b')", 's-l(column="a, b")'),
        ('s-l(column="say \\"x\\"",)', 's-l(column="say \\"x\\"")'),
    ],
)
def test_texts_are_read_generously(text: str, expected: str) -> None:
    assert str(measure(text)) == expected


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("xyz", "unknown-measure", "'xyz'"),
        ("", "not-a-name", "''"),
        ("k(", "not-a-name", "'k('"),
        ("s-l(occupation)", "not-a-name", "'s-l(occupation)'"),
        ("k(c=3)", "unknown-parameter", "'c'"),
        ("recursive-l", "missing-parameter", None),
        ("recursive-l(c=three)", "wrong-type", "'three'"),
        ("recursive-l(c=3, c=4)", "duplicate", "'c'"),
        ("recursive-l(c=0)", "out-of-range", "0.0"),
        ("recursive-l(c=nan)", "not-a-number", "nan"),
        ("recursive-l(c=3.14159265)", "too-many-digits", "3.14159265"),
        ("class-size-quantile(q=2)", "out-of-range", "2.0"),
        ("class-size-quantile(q=nan)", "out-of-range", "nan"),
        ("ql(weights=0.5 0.4)", "wrong-sum", "0.9"),
        ("ql(weights=1.5 -0.5)", "out-of-range", "1.5"),
        ("sf-ql(weights=half)", "wrong-type", "'half'"),
        ("s-l(col=x)", "unknown-parameter", "'col'"),
        (3, "not-a-text", "3"),
    ],
)
def test_errors_teach(text: str, code: str, found: str | None) -> None:
    with raises(SettingsError, code=code, found=found):
        measure(text)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("entropyl", "entropy-l"),
        ("K", "k"),
        ("Weighted_K", "weighted-k"),
        ("ℓ-diversity", "distinct-l"),
        ("information-loss", "loss"),
    ],
)
def test_close_names_are_suggested(text: str, suggestion: str) -> None:
    with raises(SettingsError, code="unknown-measure", suggestion=suggestion) as caught:
        measure(text)
    assert caught.value.expected == measure_names()


def test_every_measure_offers_what_the_table_has() -> None:
    bare = {str(m) for m in every_measure(count_table(quasi_identifying("sex", SEX)))}
    assert {"k", "loss", "usefulness", "height"} <= bare
    assert not {"t", "s-l", "distinct-l", "cm", "recursive-l", "secure", "sf", "sf-ql"} & bare
    assert "breach-probability" not in bare
    one = every_measure(count_table(quasi_identifying("sex", SEX), sensitive("job")))
    assert {"t", "s-l", "p-sensitive"} <= {str(m) for m in one}
    full = every_measure(
        count_table(
            quasi_identifying("sex", SEX),
            sensitive("job"),
            sensitive("pay"),
            insensitive("vote", label=True),
        )
    )
    missing = {"recursive-l", "s-l", "information-gain"} | OF_POPULATION
    missing |= {"level", "gain-per-anonymity", "query-error"}
    assert {str(m) for m in full} >= NAMES - missing
    assert [str(m) for m in full if m.name == "s-l"] == ["s-l(column=job)", "s-l(column=pay)"]


def test_a_measure_refuses_a_table_that_lacks_its_columns() -> None:
    bare = count_table(quasi_identifying("sex", SEX))
    two = count_table(quasi_identifying("sex", SEX), sensitive("job"), sensitive("pay"))
    for text, table, code, found in [
        ("t", bare, "no-sensitive-column", None),
        ("cm", bare, "no-label", None),
        ("secure", bare, "missing-setting", None),
        ("sf", bare, "missing-setting", None),
        ("breach-probability", bare, "missing-setting", None),
        ("sf-ql", bare, "missing-setting", None),
        ("ql(weights=0.5 0.5)", bare, "wrong-length", "2"),
        ("sf-ql(weights=0.5 0.5)", two, "wrong-length", "2"),
        ("s-l", bare, "no-sensitive-column", None),
        ("s-l", two, "several-sensitive-columns", "'job', 'pay'"),
        ("s-l(column=sex)", two, "not-sensitive", "'sex'"),
    ]:
        with raises(SettingsError, code=code, found=found):
            measure(text).carries(table)


def test_the_label_can_be_a_quasi_identifier() -> None:
    # Four leaves, of which two occur: leaves and label values are numbered differently.
    wide = Hierarchy.from_rows([(v, "*") for v in ("A", "F", "K", "M")], name="sex")
    table = count_table(quasi_identifying("sex", wide, label=True))
    carries = (*measure("cm").carries(table), *measure("usefulness").carries(table))
    assert carries == ("sex", Leaves("sex"))
    candidates = Classes.of(ClassTables(table=table, carries=carries).group(np.array([[0], [1]])))
    assert measure("usefulness").evaluate(candidates).tolist() == [0.25, 0.5]
    assert Loss().evaluate(candidates).tolist() == [0.0, 3.0]
    assert measure("cm").evaluate(candidates).tolist() == [0.0, 1 / 3]


def test_weights_of_nothing_lose_nothing() -> None:
    table = count_table(quasi_identifying("sex", SEX, weight=0.0))
    candidates = Classes.of(ClassTables(table=table).group(np.array([[1]])))
    assert measure("normalized-loss").evaluate(candidates).tolist() == [0.0]
