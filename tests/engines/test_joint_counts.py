from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.messages.joint_counts import JointQuestion
from sfumato.sources.source import source_of

VALUES = ("a", "b", "it's", "?", "rare", None)
TOLD_APART = {"x": ("b", "a"), "y": ("it's",), "z": ("a", "b", "rare")}


def place(value: str | None, column: str) -> int:
    told_apart = TOLD_APART[column]
    if value is None or value == "?":
        return len(told_apart) + 1
    return told_apart.index(value) if value in told_apart else len(told_apart)


@settings(max_examples=examples(20))
@given(rows=st.lists(st.tuples(*[st.sampled_from(VALUES)] * 3), min_size=1, max_size=20))
def test_pairs_are_counted_as_by_hand(rows: list[tuple[str | None, ...]]) -> None:
    columns = dict(zip(TOLD_APART, zip(*rows, strict=True), strict=True))
    table = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    question = JointQuestion(told_apart=TOLD_APART, markers=("?",))
    found = DuckDBEngine(threads=1).joint_counts(source_of(table), question)
    assert set(found.tables) == {("x", "y"), ("x", "z"), ("y", "z")}
    for (a, b), counts in found.tables.items():
        pairs = zip(columns[a], columns[b], strict=True)
        expected = Counter((place(i, a), place(j, b)) for i, j in pairs)
        assert counts.shape == (len(TOLD_APART[a]) + 2, len(TOLD_APART[b]) + 2)
        assert {
            (i, j): n for i, row in enumerate(counts.tolist()) for j, n in enumerate(row) if n
        } == expected
        assert (found.of(b, a) == counts.T).all()
