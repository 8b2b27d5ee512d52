"""The one GROUP BY in Spark: the cluster counts, and only codes and counts reach the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.spark.sql import SparkSql
    from sfumato.engines.sql.relation import Relation


def grouped(
    sql: SparkSql,
    relation: Relation,
    columns: Sequence[str],
    kinds: Mapping[str, str],
    *,
    where: str,
) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows."""
    positions = [relation.names.index(name) for name in columns]
    texts = [text_of(sql, relation, name, kinds, where=where) for name in columns]
    given = ", ".join(f"{text} AS t{p}" for p, text in zip(positions, texts, strict=True))
    names = ", ".join(f"t{p}" for p in positions)
    sql.materialize(
        "grouped",
        f"SELECT {names}, count(*) AS n FROM (SELECT {given} FROM {relation.sql}) GROUP BY {names}",
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
    table = sql.arrow(
        f"SELECT {hint} {', '.join(codes)}, n FROM {made} AS grouped {' '.join(joins)}"
    )
    return GroupedCounts(
        columns={
            name: GroupedColumn(
                values=values[name], codes=table[f"i{p}"].to_numpy().astype(np.int32, copy=False)
            )
            for name, p in zip(columns, positions, strict=True)
        },
        counts=table["n"].to_numpy().astype(np.int64, copy=False),
    )


def text_of(
    sql: SparkSql, relation: Relation, name: str, kinds: Mapping[str, str], *, where: str
) -> str:
    """Return the SQL of the text of a column, or refuse a type without one."""
    kind = kinds[name]
    if not sql.dialect.has_text(kind):
        raise SourceError(
            f"{where}: column {name!r} has the type {kind}, whose values have no text that every "
            "engine writes alike; make a view with a text or a number instead"
        )
    return sql.dialect.value_text(f"c{relation.names.index(name)}", kind)
