"""The SQL that recomputes statistics of blocks: GROUP BY, joins and window sums, any engine's own.

It shares nothing with the rewrite: classes are counted anew and kept by their size, and the
arithmetic is the engine's. The tables it reads are ``places0``, ``places1``, … (v, b, r: the text
of a value, its block, its rank or null) and ``numbers0``, … (r, x: a rank and its number).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.statistic import Statistic

if TYPE_CHECKING:
    from collections.abc import Sequence


def cells_sql(rows: str, texts: Sequence[str], conditions: Sequence[str]) -> str:
    """Return the SQL of the rows by block and rank of every column.

    ``rows`` is SQL to select from and ``texts`` the SQL of the columns' texts in it.
    """
    places = range(len(texts))
    keys = ", ".join(f"places{q}.b, places{q}.r" for q in places)
    named = ", ".join(f"places{q}.b AS b{q}, places{q}.r AS r{q}" for q in places)
    joins = " ".join(
        f"JOIN places{q} ON {text} IS NOT DISTINCT FROM places{q}.v" for q, text in enumerate(texts)
    )
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {named}, count(*) AS n FROM {rows} {joins}{where} GROUP BY {keys}"


def kept_sql(cells: str, columns: int, threshold: int) -> str:
    """Return the SQL of the cells whose class has at least ``threshold`` rows."""
    blocks = [f"b{q}" for q in range(columns)]
    same = " AND ".join(f"cells.{block} = sizes.{block}" for block in blocks)
    return (
        f"SELECT cells.* FROM {cells} AS cells JOIN (SELECT {', '.join(blocks)} FROM {cells} "
        f"GROUP BY {', '.join(blocks)} HAVING sum(n) >= {threshold}) AS sizes ON {same}"
    )


def statistic_sql(kept: str, q: int, statistic: Statistic) -> str:
    """Return the SQL of (block, rows, number) of one column; ``kept`` is a table of cells."""
    chosen = {
        Statistic.MEAN: "sum(n * x) / sum(n)",
        Statistic.MEDIAN: "min(CASE WHEN 2 * upto >= total THEN x END)",
        Statistic.MODE: "min(CASE WHEN n = most THEN x END)",
    }[statistic]
    return (
        f"WITH all_rows AS (SELECT b{q} AS b, sum(n) AS rows_in FROM {kept} GROUP BY b{q}), "
        f"ranked AS (SELECT b{q} AS b, r{q} AS r, sum(n) AS n FROM {kept} "
        f"WHERE r{q} IS NOT NULL GROUP BY b{q}, r{q}), "
        "running AS (SELECT b, r, n, sum(n) OVER (PARTITION BY b ORDER BY r) AS upto, "
        "sum(n) OVER (PARTITION BY b) AS total, max(n) OVER (PARTITION BY b) AS most FROM ranked), "
        f"found AS (SELECT b, {chosen} AS x FROM running JOIN numbers{q} "
        f"ON running.r = numbers{q}.r GROUP BY b) "
        "SELECT all_rows.b, all_rows.rows_in, found.x FROM all_rows "
        "LEFT JOIN found ON all_rows.b = found.b"
    )
