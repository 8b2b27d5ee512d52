"""What the labels of local recodings cover, counted leaf by leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from tests.recoding.local_tables import local_tables

from sfumato.microdata.count_table import Leaves
from sfumato.recoding.local_labels import local_columns

if TYPE_CHECKING:
    from tests.recoding.local_tables import LocalTable


@given(local_tables())
def test_sizes_and_rows_are_those_of_the_leaves(drawn: LocalTable) -> None:
    for column in local_columns(drawn.table, drawn.recoding):
        marginal = drawn.table.marginal(Leaves(column.name))
        for number, cover in enumerate(column.covers):
            leaves = column.leaves(cover)
            assert column.sizes[number] == leaves.shape[0]
            assert column.rows[number] == marginal[leaves].sum()
