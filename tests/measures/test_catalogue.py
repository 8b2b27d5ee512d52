"""The measures by name and by text, and what every one of them must say about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    *("usefulness", "protection", "height", "entropy-loss"),
    *("class-size-gini", "class-size-quantile", "class-size-worst-tenth"),
    *("row-loss-gini", "row-loss-worst-tenth"),
    *("secure", "sf", "ql", "sf-ql"),
}
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
    ("text", "said"),
    [
        ("entropyl", "did you mean 'entropy-l'"),
        ("K", "the measures are c-avg, class-size-gini"),
        ("", "does not name a measure"),
        ("k(", "does not name a measure"),
        ("s-l(occupation)", "does not name a measure"),
        ("k(c=3)", "'k' has no parameter 'c'; it takes none: write k"),
        ("recursive-l", r"needs the parameter 'c'; it takes c \(a number\)"),
        ("recursive-l(c=three)", "is 'three', and must be a number"),
        ("recursive-l(c=3, c=4)", "twice"),
        ("recursive-l(c=0)", "greater than 0"),
        ("recursive-l(c=nan)", "give a number"),
        ("recursive-l(c=3.14159265)", "four digits"),
        ("class-size-quantile(q=2)", "is 2.0; it is a share of the rows"),
        ("class-size-quantile(q=nan)", "is nan; it is a share of the rows"),
        ("ql(weights=0.5 0.4)", "sum to 0.9; they must sum to 1"),
        ("ql(weights=1.5 -0.5)", "the weight 1.5; a weight is a number from 0 to 1"),
        ("sf-ql(weights=half)", "must be numbers separated by spaces"),
        ("s-l(col=x)", r"it takes column \(text, may be left out\)"),
    ],
)
def test_errors_teach(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        measure(text)


def test_every_measure_offers_what_the_table_has() -> None:
    bare = {str(m) for m in every_measure(count_table(quasi_identifying("sex", SEX)))}
    assert {"k", "loss", "usefulness", "height"} <= bare
    assert not {"t", "s-l", "distinct-l", "cm", "recursive-l", "secure", "sf", "sf-ql"} & bare
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
    assert {str(m) for m in full} >= NAMES - {"recursive-l", "s-l"}
    assert [str(m) for m in full if m.name == "s-l"] == ["s-l(column=job)", "s-l(column=pay)"]


def test_a_measure_refuses_a_table_that_lacks_its_columns() -> None:
    bare = count_table(quasi_identifying("sex", SEX))
    two = count_table(quasi_identifying("sex", SEX), sensitive("job"), sensitive("pay"))
    for text, table, said in [
        ("t", bare, "needs a sensitive column"),
        ("cm", bare, "needs a class label"),
        ("secure", bare, "needs (confidential )?statements and the study has none"),
        ("sf", bare, "needs (confidential )?statements and the study has none"),
        ("sf-ql", bare, "needs (confidential )?statements and the study has none"),
        ("ql(weights=0.5 0.5)", bare, "has 2 weights and the study 1 quasi-identifier: 'sex'"),
        ("sf-ql(weights=0.5 0.5)", two, "has 2 weights"),
        ("s-l", bare, "needs a sensitive column"),
        ("s-l", two, r"has 2: 'job', 'pay'; name it: s-l\(column=job\)"),
        ("s-l(column=sex)", two, "'sex', which is not sensitive; .* are 'job', 'pay'"),
    ]:
        with pytest.raises(SettingsError, match=said):
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
