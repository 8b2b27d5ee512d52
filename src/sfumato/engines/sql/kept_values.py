"""How often every value of a quasi-identifier occurs among the kept rows, on every engine.

One GROUP BY over the rows, as when they were counted, and one for each column over its result:
memory does not grow with the rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engines.messages.rewrite_plan import SuppressedRows
from sfumato.engines.sql.released_rows import ORIGIN, join_lookups
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from sfumato.engines.messages.rewrite_plan import RewritePlan
    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlSession


def kept_values(
    table: OpenedTable[SqlSession], plan: RewritePlan
) -> dict[str, dict[str | None, int]]:
    """Return, for every recoded column, the kept rows of each of its values."""
    # Suppressed rows do not count, whether they are left out or starred.
    joined = join_lookups(table, replace(plan, suppressed_rows=SuppressedRows.DROP))
    session = table.session
    names = [f"v{q}" for q in range(len(plan.recoded))]
    values = ", ".join(
        f"{table.text(column.name, of=ORIGIN)} AS {name}"
        for column, name in zip(plan.recoded, names, strict=True)
    )
    session.materialize(
        "kept_values",
        f"SELECT {', '.join(names)}, count(*) AS n FROM (SELECT {joined.hint} {values} "
        f"FROM {joined.sql}) AS kept_rows GROUP BY {', '.join(names)}",
    )
    found: dict[str, dict[str | None, int]] = {}
    for column, name in zip(plan.recoded, names, strict=True):
        rows = session.rows(
            f"SELECT {name}, sum(n) FROM {session.named('kept_values')} GROUP BY {name}"
        )
        found[column.name] = {
            None if text is None else str(text): whole_number(count) for text, count in rows
        }
    return found
