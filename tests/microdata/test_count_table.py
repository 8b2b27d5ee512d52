from __future__ import annotations

import numpy as np
import pytest

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.builders import Flat
from sfumato.microdata.count_table import CountTable, Leaves, exact_bincount
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import insensitive, quasi_identifying, sensitive


@pytest.fixture
def table() -> CountTable:
    grouped = GroupedCounts.of_rows(
        {
            "sex": ["F", "F", "M", "M", "M"],
            "town": ["A", "B", "A", "A", "A"],
            "ill": ["flu", "flu", "cold", "flu", "flu"],
            "pays": ["no", "yes", "yes", "yes", "no"],
        }
    )
    roles = [
        quasi_identifying("sex", Flat()),
        quasi_identifying("town", Flat(values=["A", "B", "C"])),
        sensitive("ill"),
        insensitive("pays", label=True),
    ]
    return build_count_table(grouped, roles)


def test_marginals(table: CountTable) -> None:
    assert table.marginal("ill").tolist() == [1, 4]
    assert table.marginal("pays").tolist() == [2, 3]
    assert table.marginal(Leaves("sex")).tolist() == [2, 3]
    assert table.marginal(Leaves("town")).tolist() == [4, 1, 0]
    assert table.width_of(Leaves("town")) == 3
    assert table.width_of("pays") == 2


def test_carried_columns_share_one_range_of_codes(table: CountTable) -> None:
    counts = table.carried(["pays", Leaves("town"), "ill"])
    assert counts.spans == {"pays": (0, 2), Leaves("town"): (2, 5), "ill": (5, 7)}
    # Cells are (F, A), (F, B), (M, A).
    assert counts.starts.tolist() == [0, 3, 6, 11]
    assert counts.values.tolist() == [0, 2, 6, 1, 3, 6, 0, 1, 2, 5, 6]
    assert counts.counts.tolist() == [1, 1, 1, 1, 1, 1, 1, 2, 3, 1, 2]
    ill = counts.column("ill")
    assert ill.values.tolist() == [1, 1, 0, 1]
    assert ill.counts.tolist() == [1, 1, 1, 2]
    assert table.carried([]).starts.tolist() == [0, 0, 0, 0]


def test_a_label_that_is_a_quasi_identifier_is_both() -> None:
    grouped = GroupedCounts.of_rows({"sex": ["F", "M", "M"]})
    table = build_count_table(grouped, [quasi_identifying("sex", Flat(), label=True)])
    counts = table.carried(["sex", Leaves("sex")])
    assert counts.column("sex").values.tolist() == [0, 1]
    assert counts.column(Leaves("sex")).values.tolist() == [0, 1]
    assert counts.counts.tolist() == [1, 1, 2, 2]


def test_arrays_are_sealed(table: CountTable) -> None:
    for array in (
        table.cell_codes,
        table.cell_sizes,
        table.entry_starts,
        table.entry_codes,
        table.entry_counts,
    ):
        assert not array.flags.writeable


def test_sums_are_exact_beyond_floating_point() -> None:
    large = 2**53
    totals = exact_bincount(np.array([0, 0, 1]), np.array([large, 1, 1], dtype=np.int64), 2)
    assert totals.tolist() == [large + 1, 1]
