"""The statistics of blocks, recomputed from the rows of the source in plain SQL on every engine.

It shares nothing with the rewrite: classes are counted again and kept by their size, or by a list
of their cells where they are those of a local recoding, and the arithmetic is the engine's. The
tables it reads are ``places0``, ``places1``, … (v, b, r: the text of a value, its block, its rank
or -1) and ``numbers0``, … (r, x: a rank and its number).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.block_statistics import FoundStatistic, Statistic
from sfumato.engines.sql.released_rows import ORIGIN, complete_rows
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.block_statistics import (
        BlockQuestion,
        ListedCells,
        PlacedColumn,
    )
    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlSession, Values


def block_statistics(
    table: OpenedTable[SqlSession], question: BlockQuestion
) -> dict[str, dict[int, FoundStatistic]]:
    """Return, for every column, the statistic of each block that a kept row is in."""
    session = table.session
    for q, column in enumerate(question.columns):
        _make_places(session, q, column)
    texts = [table.text(column.name, of=ORIGIN) for column in question.columns]
    conditions = complete_rows(table, question.complete, question.markers, of=ORIGIN)
    session.materialize(
        "block_cells",
        _cells(session, f"(SELECT * FROM {table.sql}) AS origin_rows", texts, list(conditions)),
    )
    session.materialize("kept_cells", _kept(session, len(question.columns), question.kept))
    found: dict[str, dict[int, FoundStatistic]] = {}
    for q, column in enumerate(question.columns):
        found[column.name] = {
            whole_number(block): FoundStatistic(
                whole_number(count),
                None if number is None else float(number),  # type: ignore[arg-type]
            )
            for block, count, number in session.rows(_statistic(session, q, column.statistic))
        }
    return found


def _make_places(session: SqlSession, q: int, column: PlacedColumn) -> None:
    places = list(column.places.values())
    session.fill(
        f"places{q}",
        {
            "v": list(column.places),
            "b": [place.block for place in places],
            "r": [-1 if place.rank is None else place.rank for place in places],
        },
    )
    session.fill(f"numbers{q}", {"r": list(range(len(column.numbers))), "x": list(column.numbers)})


def _cells(session: SqlSession, rows: str, texts: Sequence[str], conditions: Sequence[str]) -> str:
    """Return the SQL of the rows by block and rank of every column.

    ``rows`` is SQL to select from and ``texts`` the SQL of the columns' texts in it.
    """
    places = range(len(texts))
    keys = ", ".join(f"places{q}.b, places{q}.r" for q in places)
    named = ", ".join(f"places{q}.b AS b{q}, places{q}.r AS r{q}" for q in places)
    joins = " ".join(
        f"JOIN {session.named(f'places{q}')} AS places{q} "
        f"ON {text} IS NOT DISTINCT FROM places{q}.v"
        for q, text in enumerate(texts)
    )
    hint = f"/*+ BROADCAST({', '.join(f'places{q}' for q in places)}) */"
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {hint} {named}, count(*) AS n FROM {rows} {joins}{where} GROUP BY {keys}"


def _kept(session: SqlSession, columns: int, kept: int | ListedCells) -> str:
    """Return the SQL of the cells of kept classes: those of a size, or those that are listed.

    The block of a listed cell is its class, in every column.
    """
    cells = session.named("block_cells")
    blocks = [f"b{q}" for q in range(columns)]
    if not isinstance(kept, int):
        listed: dict[str, Values] = {
            block: np.ascontiguousarray(codes)
            for block, codes in zip(blocks, kept.codes, strict=True)
        }
        session.fill("class_cells", listed | {"c": np.ascontiguousarray(kept.classes)})
        same = " AND ".join(f"cells.{block} = listed.{block}" for block in blocks)
        shown = ", ".join(f"listed.c AS b{q}, cells.r{q}" for q in range(columns))
        return (
            f"SELECT {shown}, cells.n FROM {cells} AS cells "
            f"JOIN {session.named('class_cells')} AS listed ON {same}"
        )
    same = " AND ".join(f"cells.{block} = sizes.{block}" for block in blocks)
    return (
        f"SELECT cells.* FROM {cells} AS cells JOIN (SELECT {', '.join(blocks)} FROM {cells} "
        f"GROUP BY {', '.join(blocks)} HAVING sum(n) >= {kept}) AS sizes ON {same}"
    )


def _statistic(session: SqlSession, q: int, statistic: Statistic) -> str:
    """Return the SQL of (block, rows, number) of one column, over the kept cells."""
    kept, numbers = session.named("kept_cells"), session.named(f"numbers{q}")
    chosen = {
        Statistic.MEAN: "sum(n * x) / sum(n)",
        Statistic.MEDIAN: "min(CASE WHEN 2 * upto >= total THEN x END)",
        Statistic.MODE: "min(CASE WHEN n = most THEN x END)",
    }[statistic]
    return (
        f"WITH all_rows AS (SELECT b{q} AS b, sum(n) AS rows_in FROM {kept} GROUP BY b{q}), "
        f"ranked AS (SELECT b{q} AS b, r{q} AS r, sum(n) AS n FROM {kept} "
        f"WHERE r{q} >= 0 GROUP BY b{q}, r{q}), "
        "running AS (SELECT b, r, n, sum(n) OVER (PARTITION BY b ORDER BY r) AS upto, "
        "sum(n) OVER (PARTITION BY b) AS total, max(n) OVER (PARTITION BY b) AS most FROM ranked), "
        f"found AS (SELECT b, {chosen} AS x FROM running JOIN {numbers} AS numbers "
        "ON running.r = numbers.r GROUP BY b) "
        "SELECT all_rows.b, all_rows.rows_in, found.x FROM all_rows "
        "LEFT JOIN found ON all_rows.b = found.b"
    )
