"""The one GROUP BY in DuckDB: values are grouped as they are, and get their texts afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.duckdb.dialect import FLOATING
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.duckdb.session import DuckDBSession
    from sfumato.engines.sql.opened_table import OpenedTable


def grouped(table: OpenedTable[DuckDBSession], columns: Sequence[str]) -> GroupedCounts:
    """Return the distinct combinations of columns with their numbers of rows."""
    session = table.session
    kinds = {table.names.index(name): table.kinds[name] for name in columns}
    asked = ", ".join(f"c{p}" for p in kinds)
    session.materialize("grouped", f"SELECT {asked}, count(*) AS n FROM {table.sql} GROUP BY ALL")
    rows = "grouped"
    if any(kind in FLOATING for kind in kinds.values()):
        rows = "without_nan"
        session.materialize(rows, _without_nan("grouped", kinds))
    for p, kind in kinds.items():
        session.materialize(
            f"v{p}",
            "SELECT v, row_number() OVER (ORDER BY t) - 1 AS i, "
            f"t FROM (SELECT v, {table.dialect.value_text('v', kind)} AS t FROM "
            f"(SELECT DISTINCT c{p} AS v FROM {rows}))",
        )
    codes = ", ".join(f"CAST(v{p}.i AS INTEGER) AS i{p}" for p in kinds)
    joins = " ".join(f"JOIN v{p} ON {rows}.c{p} IS NOT DISTINCT FROM v{p}.v" for p in kinds)
    arrays = session.connection.execute(f"SELECT {codes}, n FROM {rows} {joins}").fetchnumpy()
    found = {}
    for name, p in zip(columns, kinds, strict=True):
        texts = session.connection.execute(f"SELECT t FROM v{p} ORDER BY i").fetchall()
        found[name] = GroupedColumn(
            values=tuple(text for (text,) in texts),
            codes=np.asarray(arrays[f"i{p}"], dtype=np.int32),
        )
    return GroupedCounts(columns=found, counts=np.asarray(arrays["n"], dtype=np.int64))


def _without_nan(rows: str, kinds: Mapping[int, str]) -> str:
    """Return the SQL of the groups in which what is not a number is missing.

    While the source is read is too early: DuckDB takes from the statistics of a Parquet file,
    which ignore NaN, that a column has none, and isnan(…) is never asked.
    """
    values = ", ".join(
        f"CASE WHEN isnan(c{p}) THEN NULL ELSE c{p} END AS c{p}" if kind in FLOATING else f"c{p}"
        for p, kind in kinds.items()
    )
    return f"SELECT {values}, CAST(sum(n) AS BIGINT) AS n FROM {rows} GROUP BY ALL"
