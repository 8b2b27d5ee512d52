"""Counts of rows by the values of several expressions, each on its own, in one scan.

The aggregate histogram(…) would do the same more simply, but its memory grows with the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

MOST_AT_ONCE = 60
"""DuckDB tells which grouping a row belongs to by the bits of one number."""


@dataclass(frozen=True, kw_only=True)
class GroupedFact:
    """An expression whose values are counted, under a name; rarer values than ``least`` stay."""

    name: str
    sql: str
    least: int = 1


def grouped_counts(
    connection: duckdb.DuckDBPyConnection, rows: str, facts: Sequence[GroupedFact]
) -> dict[str, dict[str, int]]:
    """Return for every fact the texts of its values, nulls left out, with their rows."""
    found: dict[str, dict[str, int]] = {}
    for start in range(0, len(facts), MOST_AT_ONCE):
        found |= _counts(connection, rows, facts[start : start + MOST_AT_ONCE])
    return found


def _counts(
    connection: duckdb.DuckDBPyConnection, rows: str, facts: Sequence[GroupedFact]
) -> dict[str, dict[str, int]]:
    names = [f"g{position}" for position in range(len(facts))]
    given = ", ".join(f"{fact.sql} AS {name}" for fact, name in zip(facts, names, strict=True))
    texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
    sets = ", ".join(f"({name})" for name in names)
    enough = " AND ".join(
        f"({name} IS NULL OR count(*) >= {fact.least})"
        for fact, name in zip(facts, names, strict=True)
    )
    result = connection.execute(
        f"SELECT GROUPING_ID({', '.join(names)}), coalesce({texts}), count(*) "
        f"FROM (SELECT {given} FROM {rows}) GROUP BY GROUPING SETS ({sets}) "
        f"HAVING coalesce({texts}) IS NOT NULL AND {enough}"
    )
    found: dict[str, dict[str, int]] = {fact.name: {} for fact in facts}
    everything = (1 << len(facts)) - 1
    for grouping, text, count in result.fetchall():
        # The bit of the one expression that is grouped by is 0, the first has the highest bit.
        position = len(facts) - (everything ^ int(grouping)).bit_length()
        found[facts[position].name][str(text)] = int(count)
    return found
