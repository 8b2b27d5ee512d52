from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.microdata.counted_rows import counted_rows, rows_of, rows_of_table
from tests.raised import raises

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.errors import HierarchyError, SettingsError, SourceError
from sfumato.hierarchies.builders import Flat, Groups, Intervals
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table, counted_attributes
from sfumato.microdata.missing import MISSING_LABEL
from sfumato.microdata.roles import (
    Attribute,
    identifying,
    insensitive,
    quasi_identifying,
    sensitive,
)
from sfumato.sources.source import CsvFile, source_of

VALUES = st.one_of(
    st.none(),
    st.sampled_from(
        ["a", "B", "b", "01", "1", "1.0", " ", "x,y", 'say "hi"', "it's", "ü", "l1\nl2"]
    ),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=4),
)
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=1, max_size=30)
)


@settings(max_examples=examples(60))
@given(rows=ROWS, seed=st.integers(0, 10))
def test_counts_are_those_of_the_rows(rows: list[tuple[str | None, ...]], seed: int) -> None:
    """The order of rows and of columns does not matter, whatever the values are."""
    names = [f"c{position}" for position in range(len(rows[0]))]
    expected = Counter(rows)
    in_memory = GroupedCounts.of_rows(dict(zip(names, zip(*rows, strict=True), strict=True)))
    assert rows_of(in_memory) == expected
    rng = random.Random(seed)
    shuffled = rng.sample(rows, len(rows))
    order = rng.sample(names, len(names))
    frame = pd.DataFrame(shuffled, columns=names, dtype=object)[order]
    assert counted_rows(frame, names) == expected
    with TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        frame.to_csv(path, index=False, na_rep="", lineterminator="\n")
        grouped = DuckDBEngine().count(CsvFile(path=path, header=True), names)
        assert rows_of(grouped) == expected
    qis, carried = names[: (len(names) + 1) // 2], names[(len(names) + 1) // 2 :]
    known = {name: [row[p] for row in rows if row[p]] for p, name in enumerate(names)}
    for name in qis:
        if not known[name]:
            return
    attributes = [quasi_identifying(name, Flat()) for name in qis]
    attributes += [sensitive(name) for name in carried]
    table = build_count_table(grouped, attributes)
    assert table.rows == len(rows)
    assert table.entry_counts.sum() == len(rows)
    assert rows_of_table(table) == Counter(
        tuple(MISSING_LABEL if value is None else value for value in row) for row in rows
    )
    same = build_count_table(in_memory, attributes)
    for array in ("cell_codes", "cell_sizes", "entry_starts", "entry_codes", "entry_counts"):
        assert np.array_equal(getattr(same, array), getattr(table, array)), array


SEX = Hierarchy.from_rows([("F", "*"), ("M", "*")], name="sex.csv")
PEOPLE: dict[str, list[str | None]] = {
    "name": ["Ann", "Bob", "Cyd", "Dan", "Eve"],
    "sex": ["F", "M", "M", "M", "F"],
    "age": ["30", "31", "30", "30", "30"],
    "illness": ["flu", "cold", "flu", "flu", "cold"],
    "pays": ["yes", "no", "no", "no", "yes"],
}
ROLES = [
    insensitive("pays", label=True),
    identifying("name"),
    quasi_identifying("sex", SEX, weight=2.0),
    sensitive("illness"),
    quasi_identifying("age", Intervals(widths=(5,))),
]


def test_a_count_table_by_hand() -> None:
    table = build_count_table(GroupedCounts.of_rows(PEOPLE), ROLES)
    assert table.names == ("sex", "age")
    assert [identifier.weight for identifier in table.quasi_identifiers] == [2.0, 1.0]
    assert [column.name for column in table.sensitive] == ["illness"]
    assert table.label is not None
    assert table.label.name == "pays"
    assert list(table.columns) == ["illness", "pays"]
    assert (table.rows, table.cells, table.dropped_rows) == (5, 3, 0)
    # (F, 30) twice, (M, 30) twice, (M, 31) once; illnesses are (cold, flu), pays (no, yes).
    assert table.cell_codes.tolist() == [[0, 1, 1], [0, 0, 1]]
    assert table.cell_sizes.tolist() == [2, 2, 1]
    assert table.entry_starts.tolist() == [0, 2, 3, 4]
    assert table.entry_codes.tolist() == [[0, 1, 1, 0], [1, 1, 0, 0]]
    assert table.entry_counts.tolist() == [1, 1, 2, 1]


def test_identifying_columns_are_neither_counted_nor_there() -> None:
    assert [a.name for a in counted_attributes(ROLES)] == ["pays", "sex", "illness", "age"]
    table = build_count_table(GroupedCounts.of_rows(PEOPLE), ROLES)
    assert "name" not in (*table.names, *table.columns)
    insensitive_only = [quasi_identifying("sex", SEX), insensitive("pays"), insensitive("age")]
    assert [a.name for a in counted_attributes(insensitive_only)] == ["sex"]


def test_values_that_meet_in_a_leaf_are_one_cell() -> None:
    grouped = GroupedCounts.of_rows(
        {"age": ["30", "30.0", "3e1", "31"], "ill": ["x", "x", "y", "x"]}
    )
    roles = [quasi_identifying("age", Intervals(widths=(5,))), sensitive("ill")]
    table = build_count_table(grouped, roles)
    assert table.cell_sizes.tolist() == [3, 1]
    assert table.entry_counts.tolist() == [2, 1, 1]


def test_a_label_may_be_quasi_identifying_or_sensitive() -> None:
    grouped = GroupedCounts.of_rows(PEOPLE)
    both = [quasi_identifying("sex", SEX, label=True), sensitive("illness")]
    table = build_count_table(grouped, both)
    assert table.names == ("sex",)
    assert list(table.columns) == ["illness", "sex"]
    assert table.label is table.columns["sex"]
    assert table.marginal("sex").tolist() == [2, 3]
    own = [quasi_identifying("sex", SEX), sensitive("illness", label=True), sensitive("pays")]
    table = build_count_table(grouped, own)
    assert table.label is table.sensitive[0]
    assert list(table.columns) == ["illness", "pays"]
    assert table.entry_codes.shape[0] == 2


@pytest.mark.parametrize(
    ("attributes", "code", "found"),
    [
        ([*ROLES, identifying("sex")], "duplicate", "'sex'"),
        ([*ROLES, insensitive("x", label=True)], "several-labels", "'pays', 'x'"),
        ([sensitive("illness")], "no-quasi-identifier", None),
        ([], "no-quasi-identifier", None),
    ],
)
def test_roles_that_contradict_each_other(
    attributes: list[Attribute], code: str, found: str | None
) -> None:
    with raises(SettingsError, code=code, found=found):
        counted_attributes(attributes)


def test_values_outside_a_hierarchy() -> None:
    zips = [f"9{number:04}" for number in range(25)]
    grouped = GroupedCounts.of_rows({"zip": [*zips, "24126"]})
    hierarchy = Hierarchy.from_rows([("24126", "*"), ("24127", "*")], name="zip.csv")
    roles = [quasi_identifying("zip", hierarchy)]
    with raises(
        HierarchyError, code="value-not-in-hierarchy", file="people.csv", column="zip"
    ) as caught:
        build_count_table(grouped, roles, where="people.csv")
    message = str(caught.value)
    assert "'90009'" in message
    assert "'90010'" not in message


def test_values_outside_a_builder_name_the_source_too() -> None:
    grouped = GroupedCounts.of_rows({"sex": ["F", "X"]})
    roles = [quasi_identifying("sex", Groups(levels=[{"*": ["F", "M"]}]))]
    with raises(HierarchyError, code="value-not-in-hierarchy", file="people.csv", column="sex"):
        build_count_table(grouped, roles, where="people.csv")


def test_no_rows() -> None:
    grouped = DuckDBEngine().count(
        source_of(pd.DataFrame({"sex": pd.Series([], dtype="str")})), ["sex"]
    )
    with raises(SourceError, code="no-rows", file="people.csv"):
        build_count_table(grouped, [quasi_identifying("sex", SEX)], where="people.csv")


def test_columns_of_different_lengths() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        GroupedCounts.of_rows({"a": ["x"], "b": []})
