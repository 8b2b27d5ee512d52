from __future__ import annotations

import pytest
from tests.microdata.counted_rows import rows_of_table
from tests.raised import raises

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import HierarchyError, SettingsError, SourceError
from sfumato.hierarchies.builders import Dates, Flat, HierarchyBuilder, Intervals, Prefixes
from sfumato.hierarchies.domains.number_domain import NumberDomain
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy, MissingValues
from sfumato.microdata.roles import quasi_identifying, sensitive

MARITAL = Hierarchy.from_rows(
    [("married", "with", "*"), ("single", "without", "*"), ("divorced", "without", "*")],
    name="marital.csv",
)
WITH_MARK = Hierarchy.from_rows(
    [("married", "with", "*"), ("single", "without", "*"), ("?", "without", "*")],
    name="marital.csv",
)
COUNTED = GroupedCounts.of_rows(
    {
        "marital": ["married", "single", None, "?", "single", None],
        "ill": ["flu", "flu", "flu", "cold", None, None],
    }
)
ROLES = [quasi_identifying("marital", MARITAL), sensitive("ill")]
MARK = ("?",)


def test_missing_values_are_a_category_that_stays_alone_until_the_top() -> None:
    table = build_count_table(COUNTED, ROLES, missing=MissingValues(markers=MARK))
    hierarchy = table.hierarchies[0]
    assert table.quasi_identifiers[0].missing_leaf == 3
    assert hierarchy.labels == (
        ("married", "single", "divorced", MISSING_LABEL),
        ("with", "without", MISSING_LABEL),
        ("*",),
    )
    assert hierarchy.levels[1].tolist() == [0, 1, 1, 2]
    assert rows_of_table(table) == {
        ("married", "flu"): 1,
        ("single", "flu"): 1,
        ("single", MISSING_LABEL): 1,
        (MISSING_LABEL, "flu"): 1,
        (MISSING_LABEL, "cold"): 1,
        (MISSING_LABEL, MISSING_LABEL): 1,
    }
    assert (table.rows, table.dropped_rows) == (6, 0)


def test_nothing_is_added_where_nothing_is_missing() -> None:
    grouped = GroupedCounts.of_rows({"marital": ["single", "?"], "ill": ["flu", "flu"]})
    roles = [quasi_identifying("marital", WITH_MARK), sensitive("ill")]
    table = build_count_table(grouped, roles)
    assert table.hierarchies == (WITH_MARK,)
    assert table.quasi_identifiers[0].missing_leaf is None
    assert table.cell_sizes.tolist() == [1, 1]


def test_a_hierarchy_can_place_the_marker_itself() -> None:
    roles = [quasi_identifying("marital", WITH_MARK), sensitive("ill")]
    table = build_count_table(COUNTED, roles, missing=MissingValues(markers=("NA", "?")))
    assert table.hierarchies == (WITH_MARK,)
    assert table.quasi_identifiers[0].missing_leaf == WITH_MARK.domain.leaves.index("?")
    # The three missing values, nulls and "?", are one leaf, inside "without".
    assert table.marginal("ill").tolist() == [2, 1, 3]
    assert dict(zip(table.cell_codes[0].tolist(), table.cell_sizes.tolist(), strict=True)) == {
        WITH_MARK.domain.leaves.index("married"): 1,
        WITH_MARK.domain.leaves.index("single"): 2,
        WITH_MARK.domain.leaves.index("?"): 3,
    }


def test_a_hierarchy_can_bring_a_leaf_for_missing_values() -> None:
    roles = [quasi_identifying("marital", MARITAL.with_missing("unknown")), sensitive("ill")]
    table = build_count_table(COUNTED, roles, missing=MissingValues(markers=MARK))
    assert table.quasi_identifiers[0].missing_leaf == 3
    assert table.hierarchies[0].domain.leaves[3] == "unknown"


def test_a_number_that_means_missing_is_no_number_of_the_domain() -> None:
    grouped = GroupedCounts.of_rows({"age": ["0", "1", None, "0"]})
    missing = MissingValues(markers=("0",), label="unknown")
    declared = Intervals(low=0, high=9, widths=(5,))
    table = build_count_table(grouped, [quasi_identifying("age", declared)], missing=missing)
    assert rows_of_table(table) == {("1",): 1, ("unknown",): 3}
    assert isinstance(declared.build([], column="age").domain, NumberDomain)


def test_a_label_that_the_hierarchy_uses_inside() -> None:
    with raises(HierarchyError, code="taken-label", file="people.csv", found="'with'"):
        build_count_table(
            COUNTED, ROLES, missing=MissingValues(markers=MARK, label="with"), where="people.csv"
        )


def test_missing_values_as_an_error() -> None:
    missing = MissingValues(policy=MissingPolicy.ERROR, markers=MARK)
    with raises(SourceError, code="missing-values", file="people.csv", column="marital") as caught:
        build_count_table(COUNTED, ROLES, missing=missing, where="people.csv")
    message = str(caught.value)
    assert "column 'marital' in 3 rows, column 'ill' in 2 rows" in message
    for value in ("married", "flu", "cold", "?"):
        assert value not in message
    complete = GroupedCounts.of_rows({"marital": ["single"], "ill": ["flu"]})
    assert build_count_table(complete, ROLES, missing=missing).rows == 1


def test_rows_with_missing_values_are_dropped() -> None:
    missing = MissingValues(policy=MissingPolicy.DROP, markers=MARK)
    table = build_count_table(COUNTED, ROLES, missing=missing)
    assert rows_of_table(table) == {("married", "flu"): 1, ("single", "flu"): 1}
    assert (table.rows, table.dropped_rows) == (2, 4)
    assert table.columns["ill"].values == ("flu",)
    assert table.hierarchies == (MARITAL,)


def test_dropped_rows_do_not_shape_a_domain() -> None:
    grouped = GroupedCounts.of_rows({"age": ["30", "99", "31"], "ill": ["flu", None, "flu"]})
    roles = [quasi_identifying("age", Intervals(widths=(5,))), sensitive("ill")]
    table = build_count_table(grouped, roles, missing=MissingValues(policy=MissingPolicy.DROP))
    assert table.hierarchies[0].domain.leaves == ("30", "31")


def test_all_rows_dropped() -> None:
    grouped = GroupedCounts.of_rows({"marital": ["single", None], "ill": [None, "flu"]})
    with raises(SourceError, code="all-rows-dropped"):
        build_count_table(grouped, ROLES, missing=MissingValues(policy=MissingPolicy.DROP))


def test_a_column_that_is_all_missing() -> None:
    grouped = GroupedCounts.of_rows({"marital": [None, "?"], "ill": [None, None]})
    table = build_count_table(grouped, ROLES, missing=MissingValues(markers=MARK))
    assert rows_of_table(table) == {(MISSING_LABEL, MISSING_LABEL): 2}
    assert table.columns["ill"].values == (MISSING_LABEL,)


@pytest.mark.parametrize("builder", [Flat(), Prefixes(), Intervals(widths=(5,)), Dates()])
def test_a_column_that_is_all_missing_gives_a_builder_nothing(builder: HierarchyBuilder) -> None:
    grouped = GroupedCounts.of_rows({"zip": [None]})
    with raises(HierarchyError, code="no-values", file="people.csv", column="zip"):
        build_count_table(grouped, [quasi_identifying("zip", builder)], where="people.csv")


def test_empty_texts_are_values_unless_marked() -> None:
    grouped = GroupedCounts.of_rows({"zip": ["", None, "1"]})
    roles = [quasi_identifying("zip", Flat())]
    assert rows_of_table(build_count_table(grouped, roles)) == {
        ("",): 1,
        (MISSING_LABEL,): 1,
        ("1",): 1,
    }
    marked = build_count_table(grouped, roles, missing=MissingValues(markers=("",)))
    assert rows_of_table(marked) == {(MISSING_LABEL,): 2, ("1",): 1}


def test_policies_may_be_texts() -> None:
    assert MissingValues(policy="drop").policy is MissingPolicy.DROP  # type: ignore[arg-type]
    assert MissingValues(markers=["?"]).markers == MARK  # type: ignore[arg-type]


def test_settings_that_make_no_sense() -> None:
    with raises(
        SettingsError,
        code="unknown-choice",
        key="policy",
        found="'ignore'",
        expected=("category", "error", "drop"),
    ):
        MissingValues(policy="ignore")  # type: ignore[arg-type]
    with raises(SettingsError, code="not-a-list", key="markers", found="'?'"):
        MissingValues(markers="?")  # type: ignore[arg-type]
    with raises(SettingsError, code="not-a-text", key="markers", found="None"):
        MissingValues(markers=(None,))  # type: ignore[arg-type]
    with raises(SettingsError, code="not-a-text", key="label", found="''"):
        MissingValues(label="")
