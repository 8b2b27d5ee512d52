"""MOEA chapter: generalizations of age, weighted-k (eq. 1.5) and the η rule (eq. 1.6) by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.raised import raises

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import BELOW_WEIGHTED_K, NO_SUPPRESSION, Suppression, limited
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying

AGE = Intervals(widths=(20,), unit=5, low=10, high=90, origin=10).build([], column="age")


def test_age_35_lies_in_the_second_block() -> None:
    # ⟨[10,30], (30,50], (50,70], (70,90]⟩; the paper counts blocks from one.
    (leaf,) = AGE.locate(["35"])
    assert AGE.levels[1][leaf] + 1 == 2
    assert AGE.block_count(1) == 4


def test_all_of_age_in_one_block_is_the_index_one() -> None:
    assert (AGE.levels[AGE.height] + 1 == 1).all()


def test_age_from_10_to_90_in_granules_of_5_has_15_cuts() -> None:
    assert AGE.leaf_count - 1 == 15


def test_a_level_that_breaks_the_marital_tree_is_refused() -> None:
    # {Divorced, Widowed}, {Separated, Never Married}, Married: Separated is Once Married.
    leaves = ("Divorced", "Widowed", "Separated", "Never Married", "Civ", "AF")
    once = ("Once", "Once", "Once", "Never", "Married", "Married")
    wrong = ("A", "A", "B", "B", "Married", "Married")
    with raises(HierarchyError, code="level-splits", found="'Once'"):
        Hierarchy.from_rows(
            [(*row, "*") for row in zip(leaves, once, wrong, strict=True)], name="marital status"
        )


# E_1: three classes of one row, E_2: two of two, E_4: one of four, E_9: one of nine; 20 rows.
SIZES = (1, 1, 1, 2, 2, 4, 9)
IN_E = {1: 3, 2: 4, 4: 4, 9: 9}


def candidates(suppression: Suppression) -> Classes:
    leaves = tuple("abcdefg")
    tree = Hierarchy.from_rows([(leaf, "*") for leaf in leaves], name="demo")
    column = GroupedColumn(values=leaves, codes=np.arange(7, dtype=np.int32))
    grouped = GroupedCounts(columns={"q": column}, counts=np.array(SIZES))
    table = build_count_table(grouped, [quasi_identifying("q", tree)])
    return Classes.of(ClassTables(table=table).group(np.array([[0], [1]])), suppression)


def metric(name: str, suppression: Suppression) -> float:
    return float(measure(name).evaluate(candidates(suppression))[0])


def test_weighted_k_of_equation_1_5() -> None:
    by_hand = Fraction(sum(i * rows for i, rows in IN_E.items()), sum(IN_E.values()))
    assert by_hand == Fraction(3 + 8 + 16 + 81, 20) == Fraction(27, 5)
    assert metric("weighted-k", NO_SUPPRESSION) == 5.4
    # The fully generalized table is one class of all rows.
    assert measure("weighted-k").evaluate(candidates(NO_SUPPRESSION))[1] == 20.0


@pytest.mark.parametrize(
    ("eta", "k", "suppressed"),
    [
        (0.0, 1, 0),
        (0.1, 1, 0),  # two rows: E_1 has three
        (0.15, 2, 3),  # exactly E_1
        (0.3, 2, 3),  # six rows: E_2 would make seven; d = 1
        (0.35, 4, 7),  # exactly E_1 and E_2: d = 3, since E_3 is empty
        (0.5, 4, 7),
        (0.55, 9, 11),
        (1.0, 9, 11),  # the last non-empty E_i is kept
    ],
)
def test_the_rule_of_equation_1_6(eta: float, k: int, suppressed: int) -> None:
    found = candidates(limited(eta))
    assert found.smallest_kept[0] == k
    assert found.suppressed_rows[0] == suppressed
    if eta < 1:
        # Σ_(i<=d) |E_i| <= η n < Σ_(i<=d+1) |E_i| with d + 1 = k.
        upto = [sum(rows for i, rows in IN_E.items() if i <= d) for d in (k - 1, k)]
        assert upto[0] <= Fraction(str(eta)) * 20 < upto[1]
    # SL = suppressed rows times columns, within η · n_row · n_col.
    assert metric("sl", limited(eta)) == suppressed


def test_the_third_problem_suppresses_below_weighted_k() -> None:
    # weighted-k = 5.4: E_1, E_2 and E_4 go, which is 11 rows; weighted-k itself stays 5.4.
    found = candidates(BELOW_WEIGHTED_K)
    assert found.suppressed_rows.tolist() == [11, 0]
    assert found.smallest_kept.tolist() == [9.0, 20.0]
    assert measure("weighted-k").evaluate(found).tolist() == [5.4, 20.0]
    assert measure("sl").evaluate(found).tolist() == [11.0, 0.0]
    assert measure("gl").evaluate(found).tolist() == [0.0, 20.0]
