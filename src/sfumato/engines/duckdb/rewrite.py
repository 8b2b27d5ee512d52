"""The rewrite of rows in DuckDB: lookups joined to the source, a shuffle, a copy.

Memory is bounded by DuckDB's own limit: the sort that shuffles spills into a folder of ours.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.engines.sql.released_rows import released_rows

if TYPE_CHECKING:
    from sfumato.engines.duckdb.session import DuckDBSession
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.engines.sql.opened_table import OpenedTable


def rewrite(table: OpenedTable[DuckDBSession], plan: RewritePlan, target: Target) -> None:
    """Write the rows that stay, in an order that says nothing about that of the source.

    The shuffle takes its entropy from the system and keeps none of it: a recorded seed would
    undo it. The generator of `random` is not cryptographic, so the sort key is not its output
    but a hash of it with a salt.
    """
    literal = table.dialect.literal
    rows = released_rows(table, plan, target.format)
    salt = secrets.randbits(63)
    if target.format is FileFormat.PARQUET:
        options = "FORMAT parquet"
    else:
        compression = "gzip" if target.compressed else "none"
        options = (
            f"FORMAT csv, HEADER true, DELIMITER {literal(target.delimiter)}, "
            f"QUOTE '\"', ESCAPE '\"', COMPRESSION {compression}"
        )
    table.session.connection.execute(
        f"COPY (SELECT * FROM ({rows}) ORDER BY hash(random(), {salt})) "
        f"TO {literal(str(target.path))} ({options})"
    )
