"""The rewrite of rows in Spark: the cluster writes parts, ordered by what is released."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.engines.spark.connection import is_remote, is_stopped
from sfumato.engines.sql.formulas import escaped_rows
from sfumato.engines.sql.released_rows import released_rows
from sfumato.errors import ReleaseError

if TYPE_CHECKING:
    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.engines.spark.session import SparkSqlSession
    from sfumato.engines.sql.opened_table import OpenedTable

_UNORDERED = ("map", "variant", "geo")
_SECONDS_TO_END = 20.0
_SECONDS_FOR_REMOTE_TASKS = 1.0


def rewrite(table: OpenedTable[SparkSqlSession], plan: RewritePlan, target: Target) -> None:
    """Write the rows that stay, in an order that is a function of the released rows alone.

    A hash of its texts says into which part a row goes, and parts are sorted by it, then by the
    columns. A shuffle by random numbers would be recorded: Spark writes its seed into the plan.
    And a task that is repeated would draw others, so that rows could be lost or doubled.
    """
    rows = released_rows(table, plan, target.format)
    if target.escape_formulas:
        rows = escaped_rows(table.session, rows)
    sql = table.session
    types, dialect = sql.types(rows), sql.dialect
    texts = [dialect.value_text(dialect.quoted_name(name), kind) for name, kind in types]
    row_hash = dialect.row_hash(texts)
    order = [row_hash]
    order += [dialect.quoted_name(name) for name, kind in types if not kind.startswith(_UNORDERED)]
    # Not ORDER BY, which reads everything once more to find the borders between the parts.
    frame = sql.session.sql(
        f"SELECT * FROM ({rows}) DISTRIBUTE BY {row_hash} SORT BY {', '.join(order)}"
    )
    writer = frame.write.mode("error")
    tag = sql.named("rewrite")
    sql.session.addTag(tag)
    try:
        if target.format is FileFormat.PARQUET:
            writer.parquet(f"file://{target.path.absolute()}")
        else:
            writer.csv(
                f"file://{target.path.absolute()}",
                sep=target.delimiter,
                quote='"',
                escape='"',
                header=True,
                nullValue="",
                emptyValue="",
                encoding="UTF-8",
                compression="gzip" if target.compressed else "none",
                ignoreLeadingWhiteSpace=False,
                ignoreTrailingWhiteSpace=False,
            )
    except BaseException:
        _let_tasks_end(sql, tag)
        raise
    finally:
        with suppress(Exception):
            sql.session.removeTag(tag)
    _remove_notes(target)


def _let_tasks_end(sql: SparkSqlSession, tag: str) -> None:
    """Stop what still runs of a job, so that no late task writes where all was removed."""
    with suppress(Exception):
        if is_stopped(sql.session):
            return
        sql.session.interruptTag(tag)
        if is_remote(sql.session):
            # A server does not tell when its tasks have ended.
            time.sleep(_SECONDS_FOR_REMOTE_TASKS)
            return
        tracker = sql.session.sparkContext.statusTracker()
        until = time.monotonic() + _SECONDS_TO_END
        while tracker.getActiveStageIds() and time.monotonic() < until:
            time.sleep(0.05)


def _remove_notes(target: Target) -> None:
    """Remove what the cluster noted beside the parts, and see that there are parts here."""
    entries = list(target.path.iterdir()) if target.path.is_dir() else []
    if not any(entry.name.startswith("part-") for entry in entries):
        folder = target.path.parent.parent
        raise ReleaseError(
            f"the cluster wrote the rows, but not where this machine sees them: {folder} must be "
            "the same folder to both",
            code="not-shared",
            file=folder,
            remedy="choose a destination on a disk that they share",
        )
    for entry in entries:
        if not entry.name.startswith("part-"):
            entry.unlink()
