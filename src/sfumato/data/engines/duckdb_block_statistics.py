"""The statistics of blocks, recomputed by DuckDB from the rows of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.block_question import FoundStatistic
from sfumato.data.engines.block_statistics_sql import cells_sql, kept_sql, statistic_sql
from sfumato.data.engines.duckdb_rewrite import complete_rows
from sfumato.data.engines.sql_text import value_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from sfumato.data.block_question import BlockQuestion, PlacedColumn
    from sfumato.data.engines.duckdb_relation import Relation

_CHUNK = 100_000


def block_statistics(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    question: BlockQuestion,
) -> dict[str, dict[int, FoundStatistic]]:
    """Return, for every column, the statistic of each block that a kept row is in."""
    place = {name: f"origin_rows.c{p}" for p, name in enumerate(relation.names)}
    for q, column in enumerate(question.columns):
        _make_places(connection, q, column)
    cells = cells_sql(
        f"(SELECT * FROM {relation.sql}) AS origin_rows",
        [value_text(place[column.name], kinds[column.name]) for column in question.columns],
        list(complete_rows(place, kinds, question.complete, question.markers)),
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE block_cells AS {cells}")
    kept = kept_sql("block_cells", len(question.columns), question.threshold)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE kept_cells AS {kept}")
    found: dict[str, dict[int, FoundStatistic]] = {}
    for q, column in enumerate(question.columns):
        rows = connection.execute(statistic_sql("kept_cells", q, column.statistic)).fetchall()
        found[column.name] = {
            int(block): FoundStatistic(int(count), None if number is None else float(number))
            for block, count, number in rows
        }
    return found


def _make_places(connection: duckdb.DuckDBPyConnection, q: int, column: PlacedColumn) -> None:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE places{q} (v VARCHAR, b INTEGER, r INTEGER)")
    texts = list(column.places)
    places = list(column.places.values())
    for start in range(0, len(texts), _CHUNK):
        part = slice(start, start + _CHUNK)
        connection.execute(
            f"INSERT INTO places{q} SELECT unnest(?), unnest(?), unnest(?)",
            [texts[part], [p.block for p in places[part]], [p.rank for p in places[part]]],
        )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE numbers{q} (r INTEGER, x DOUBLE)")
    for start in range(0, len(column.numbers), _CHUNK):
        numbers = list(column.numbers[start : start + _CHUNK])
        ranks = list(range(start, start + len(numbers)))
        connection.execute(f"INSERT INTO numbers{q} SELECT unnest(?), unnest(?)", [ranks, numbers])
