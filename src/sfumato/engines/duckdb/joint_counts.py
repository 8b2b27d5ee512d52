"""Joint counts of pairs of columns in DuckDB, all pairs in one scan."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.engines.duckdb.profile import value_text
from sfumato.engines.messages.joint_counts import MOST_COLUMNS, JointCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.duckdb.session import DuckDBSession
    from sfumato.engines.messages.joint_counts import JointQuestion
    from sfumato.engines.sql.opened_table import OpenedTable


def joint_counts(table: OpenedTable[DuckDBSession], question: JointQuestion) -> JointCounts:
    """Count every two columns of a question together.

    The texts are grouped first, and looked up among those that are told apart after that: there
    are fewer groups than rows.
    """
    names = tuple(question.told_apart)
    assert len(names) <= MOST_COLUMNS, "the caller chooses the columns"
    pairs = list(combinations(range(len(names)), 2))
    tables = {
        (names[i], names[j]): np.zeros(
            (len(question.told_apart[names[i]]) + 2, len(question.told_apart[names[j]]) + 2),
            dtype=np.int64,
        )
        for i, j in pairs
    }
    if not pairs:
        return JointCounts(tables=tables)
    # The bits of the two columns that are grouped by are 0, the first column has the highest bit.
    everything = (1 << len(names)) - 1
    pair_of = {
        everything ^ (1 << len(names) - 1 - i) ^ (1 << len(names) - 1 - j): (i, j) for i, j in pairs
    }
    for grouping, *codes, count in table.session.connection.execute(
        _sql(table, question, pairs)
    ).fetchall():
        i, j = pair_of[grouping]
        tables[names[i], names[j]][codes[i], codes[j]] += count
    return JointCounts(tables=tables)


def _sql(
    table: OpenedTable[DuckDBSession], question: JointQuestion, pairs: Sequence[tuple[int, int]]
) -> str:
    names = tuple(question.told_apart)
    texts = ", ".join(
        f"{value_text(f'c{table.names.index(name)}', table.kinds[name])} AS v{position}"
        for position, name in enumerate(names)
    )
    asked = ", ".join(f"v{position}" for position in range(len(names)))
    sets = ", ".join(f"(v{i}, v{j})" for i, j in pairs)
    grouped = (
        f"SELECT GROUPING_ID({asked}) AS g, {asked}, count(*) AS n "
        f"FROM (SELECT {texts} FROM {table.sql}) GROUP BY GROUPING SETS ({sets})"
    )
    codes = [
        f"{_code(f'v{position}', question.told_apart[name], question.markers)} AS i{position}"
        for position, name in enumerate(names)
    ]
    places = ", ".join(f"i{position}" for position in range(len(names)))
    return (
        f"SELECT g, {places}, CAST(sum(n) AS BIGINT) FROM "
        f"(SELECT g, n, {', '.join(codes)} FROM ({grouped})) GROUP BY g, {places}"
    )


def _code(text: str, told_apart: Sequence[str], markers: Sequence[str]) -> str:
    """Return the place of a text among those told apart, then others, then what is missing."""
    others, missing = len(told_apart), len(told_apart) + 1
    is_missing = f"{text} IS NULL"
    if markers:
        is_missing += f" OR {text} IN ({', '.join(map(DIALECT.literal, markers))})"
    if not told_apart:
        return f"CASE WHEN {is_missing} THEN {missing} ELSE {others} END"
    listed = ", ".join(map(DIALECT.literal, told_apart))
    return (
        f"CASE WHEN {is_missing} THEN {missing} "
        f"ELSE coalesce(nullif(list_position([{listed}], {text}), 0) - 1, {others}) END"
    )
