"""The one GROUP BY in Spark: the cluster counts, and only codes and counts reach the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.spark.session import SparkSqlSession
    from sfumato.engines.sql.opened_table import OpenedTable


def grouped(table: OpenedTable[SparkSqlSession], columns: Sequence[str]) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows."""
    sql = table.session
    positions = [table.names.index(name) for name in columns]
    texts = [table.text(name) for name in columns]
    given = ", ".join(f"{text} AS t{p}" for p, text in zip(positions, texts, strict=True))
    names = ", ".join(f"t{p}" for p in positions)
    sql.materialize(
        "grouped",
        f"SELECT {names}, count(*) AS n FROM (SELECT {given} FROM {table.sql}) GROUP BY {names}",
    )
    made = sql.named("grouped")
    sets = ", ".join(f"collect_set(t{p}), count_if(t{p} IS NULL) > 0" for p in positions)
    (found,) = sql.rows(f"SELECT {sets} FROM {made}")
    values: dict[str, tuple[str | None, ...]] = {}
    joins, codes = [], []
    for q, (name, p) in enumerate(zip(columns, positions, strict=True)):
        known = sorted(found[2 * q])  # type: ignore[call-overload]
        values[name] = (*known, None) if found[2 * q + 1] else tuple(known)
        sql.fill(f"values{p}", {"v": values[name], "i": list(range(len(values[name])))})
        joins.append(
            f"JOIN {sql.named(f'values{p}')} AS values{p} "
            f"ON grouped.t{p} IS NOT DISTINCT FROM values{p}.v"
        )
        codes.append(f"values{p}.i AS i{p}")
    hint = f"/*+ BROADCAST({', '.join(f'values{p}' for p in positions)}) */"
    arrays = sql.arrow(
        f"SELECT {hint} {', '.join(codes)}, n FROM {made} AS grouped {' '.join(joins)}"
    )
    return GroupedCounts(
        columns={
            name: GroupedColumn(
                values=values[name], codes=arrays[f"i{p}"].to_numpy().astype(np.int32, copy=False)
            )
            for name, p in zip(columns, positions, strict=True)
        },
        counts=arrays["n"].to_numpy().astype(np.int64, copy=False),
    )
