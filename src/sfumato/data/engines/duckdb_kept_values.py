"""How often every value of a quasi-identifier occurs among the kept rows.

One GROUP BY over the rows, as when they were counted, and one for each column over its result:
memory does not grow with the rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.data.engines.duckdb_rewrite import join_lookups
from sfumato.data.engines.sql_text import value_text
from sfumato.data.rewrite_plan import SuppressedRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from sfumato.data.engines.duckdb_relation import Relation
    from sfumato.data.rewrite_plan import RewritePlan


def kept_values(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    plan: RewritePlan,
) -> dict[str, dict[str | None, int]]:
    """Return, for every recoded column, the kept rows of each of its values."""
    # Suppressed rows do not count, whether they are left out or starred.
    joined = join_lookups(
        connection, relation, kinds, replace(plan, suppressed_rows=SuppressedRows.DROP)
    )
    names = [f"v{q}" for q in range(len(plan.recoded))]
    values = ", ".join(
        f"{value_text(joined.place[column.name], kinds[column.name])} AS {name}"
        for column, name in zip(plan.recoded, names, strict=True)
    )
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE kept_cells AS SELECT {', '.join(names)}, count(*) AS n "
        f"FROM (SELECT {values} FROM {joined.sql}) AS kept_rows GROUP BY {', '.join(names)}"
    )
    found: dict[str, dict[str | None, int]] = {}
    for column, name in zip(plan.recoded, names, strict=True):
        rows = connection.execute(f"SELECT {name}, sum(n) FROM kept_cells GROUP BY {name}")
        found[column.name] = {text: int(count) for text, count in rows.fetchall()}
    return found
