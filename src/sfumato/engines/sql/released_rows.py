"""The SQL of the rows to release, one text for all engines: lookups joined to the source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.rewrite_plan import STAR, ContentDigest, FileFormat, SuppressedRows
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.engines.messages.rewrite_plan import RewritePlan
    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlSession, Values


ORIGIN = "origin_rows."
"""Stands before the columns of the source where other tables are joined to it."""

MOST_BROADCAST = 1_000_000
"""Up to so many listed classes are sent to every executor."""


def released_rows(
    table: OpenedTable[SqlSession], plan: RewritePlan, file_format: FileFormat
) -> str:
    """Make the lookup tables and return the SQL of the rows to write."""
    joined = join_lookups(table, plan)
    named = zip(output_columns(table, plan, joined, file_format), plan.columns, strict=True)
    outputs = [f"{text} AS {table.dialect.quoted_name(name)}" for text, name in named]
    return f"SELECT {joined.hint} {', '.join(outputs)} FROM {joined.sql}"


def output_columns(
    table: OpenedTable[SqlSession],
    plan: RewritePlan,
    joined: JoinedRows,
    file_format: FileFormat,
) -> list[str]:
    """Return the SQL of the columns of the rows to write, in order."""
    dialect, kept = table.dialect, joined.kept
    star = plan.suppressed_rows is SuppressedRows.STAR
    position = {column.name: q for q, column in enumerate(plan.recoded)}
    outputs = []
    for name in plan.columns:
        if name in position:
            text, starred = joined.label(position[name]), dialect.literal(STAR)
            if plan.recoded[position[name]].numbers and file_format is FileFormat.PARQUET:
                # Nothing among numbers stands for a suppressed cell.
                text, starred = f"CAST({text} AS DOUBLE)", "NULL"
            if star and kept != "true":
                text = f"CASE WHEN {kept} THEN {text} ELSE {starred} END"
        else:
            # In a CSV file every value is a text: it is written by the rule it was counted by.
            as_text = file_format is FileFormat.CSV
            passed_on = dialect.value_text if as_text else dialect.passed_on
            text = passed_on(f"{ORIGIN}c{table.names.index(name)}", table.kinds[name])
            if star and kept != "true" and name in plan.emptied:
                text = f"CASE WHEN {kept} THEN {text} ELSE NULL END"
        outputs.append(text)
    return outputs


@dataclass(frozen=True, kw_only=True)
class JoinedRows:
    """The rows of a source joined to the lookups: ``lookup0.b`` is the block of the first column.

    ``sql`` is what to select from, with the columns of the source under `ORIGIN`, ``kept`` the
    condition that a row stays; it is "true" where the join leaves the others out. ``labelled`` are
    the tables with the labels: the lookups of values, or those of the codes that a cell has.
    ``hint`` comes after SELECT: a comment to all engines but Spark, which does not see by itself
    that the lookups are small.
    """

    sql: str
    kept: str
    labelled: str
    hint: str

    def label(self, position: int) -> str:
        """Return the SQL of the label of a column."""
        return f"{self.labelled}{position}.l"

    def code(self, position: int) -> str:
        """Return the SQL of the code of a column: the block of a value, or the label of a cell."""
        return f"{self.labelled}{position}.b"


def join_lookups(table: OpenedTable[SqlSession], plan: RewritePlan) -> JoinedRows:
    """Make the lookup tables and return the rows joined to them."""
    session = table.session
    joins = []
    for q, column in enumerate(plan.recoded):
        joined = table.dialect.join_kind(table.kinds[column.name])
        lookup = session.named(f"lookup{q}")
        labels = column.labels if plan.listed_labels is None else None
        _make_lookup(session, q, column.block_of_value, labels, joined)
        place = f"{ORIGIN}c{table.names.index(column.name)}"
        key = place if joined else table.text(column.name, of=ORIGIN)
        # Without a missing value among the values, plain equality finds the same rows, sooner.
        equals = "IS NOT DISTINCT FROM" if None in column.block_of_value else "="
        joins.append(f"JOIN {lookup} AS lookup{q} ON {key} {equals} lookup{q}.v")
    joins += _joined_classes(session, plan)
    star = plan.suppressed_rows is SuppressedRows.STAR
    kept = "true"
    if star and (plan.listed_classes.shape[1] or plan.listed_are_kept):
        kept = f"listed_classes.b0 {'IS NOT NULL' if plan.listed_are_kept else 'IS NULL'}"
    complete = " AND ".join(complete_rows(table, plan.complete, plan.markers, of=ORIGIN)) or "true"
    small = [f"lookup{q}" for q in range(len(plan.recoded))]
    small += ["listed_classes"] if plan.listed_classes.shape[1] <= MOST_BROADCAST else []
    if plan.listed_labels is not None:
        small += [f"labels{q}" for q in range(len(plan.recoded))]
    return JoinedRows(
        sql=f"(SELECT * FROM {table.sql}) AS origin_rows {' '.join(joins)} WHERE {complete}",
        kept=kept,
        labelled="lookup" if plan.listed_labels is None else "labels",
        hint=f"/*+ BROADCAST({', '.join(small)}) */",
    )


def _joined_classes(session: SqlSession, plan: RewritePlan) -> list[str]:
    """Return the joins that find out which rows stay, and the labels of their cells."""
    places = range(len(plan.recoded))
    codes: dict[str, Values] = {
        f"b{q}": np.ascontiguousarray(blocks) for q, blocks in enumerate(plan.listed_classes)
    }
    if plan.listed_labels is not None:
        labels = enumerate(plan.listed_labels)
        codes |= {f"l{q}": np.ascontiguousarray(each) for q, each in labels}
    session.fill("listed_classes", codes)
    classes = f"{session.named('listed_classes')} AS listed_classes"
    listed = " AND ".join(f"listed_classes.b{q} = lookup{q}.b" for q in places)
    star = plan.suppressed_rows is SuppressedRows.STAR
    if plan.listed_labels is None:
        if not plan.listed_classes.shape[1] and not plan.listed_are_kept:
            return []
        if star:
            return [f"LEFT JOIN {classes} ON {listed}"]
        return [f"{'SEMI' if plan.listed_are_kept else 'ANTI'} JOIN {classes} ON {listed}"]
    # A cell is listed once, so that no row is doubled.
    kind = "LEFT JOIN" if star else "JOIN"
    joins = [f"{kind} {classes} ON {listed}"]
    for q, column in enumerate(plan.recoded):
        texts: dict[str, Values] = {"b": list(range(len(column.labels))), "l": list(column.labels)}
        session.fill(f"labels{q}", texts)
        made = session.named(f"labels{q}")
        joins.append(f"{kind} {made} AS labels{q} ON labels{q}.b = listed_classes.l{q}")
    return joins


def intended_content(
    table: OpenedTable[SqlSession], plan: RewritePlan, file_format: FileFormat
) -> ContentDigest:
    """Return the digest of the rows that the plan makes of the source."""
    rows = released_rows(table, plan, file_format)
    types = table.session.types(rows)
    columns = [(table.dialect.quoted_name(name), kind) for name, kind in types]
    return content_digest(table.session, f"({rows}) AS intended_rows", columns)


def table_digest(table: OpenedTable[SqlSession]) -> ContentDigest:
    """Return the digest of all rows of a table."""
    columns = [(f"c{p}", table.kinds[name]) for p, name in enumerate(table.names)]
    return content_digest(table.session, table.sql, columns)


def content_digest(
    session: SqlSession, rows: str, columns: Sequence[tuple[str, str]]
) -> ContentDigest:
    """Return the digest of rows, given as SQL with the SQL names and types of their columns.

    Values are hashed as texts, and an empty text as a missing value: CSV cannot tell them apart.
    """
    dialect = session.dialect
    texts = [f"nullif({dialect.value_text(name, kind)}, '')" for name, kind in columns]
    ((count, digest),) = session.rows(f"SELECT count(*), {dialect.digest(texts)} FROM {rows}")
    return ContentDigest(rows=whole_number(count), digest=int(str(digest)))


def class_digest(session: SqlSession, classes: str) -> ContentDigest:
    """Return the digest of classes, given as a query of their labels and their rows, n."""
    session.materialize("digested", f"SELECT * FROM ({classes}) AS classes")
    made = session.named("digested")
    *labels, _ = (name for name, _ in session.types(f"SELECT * FROM {made}"))
    query = f"SELECT {', '.join(labels)}, CAST(n AS BIGINT) AS n FROM {made}"
    return content_digest(session, f"({query}) AS digested", session.types(query))


def complete_rows(
    table: OpenedTable[SqlSession], columns: Sequence[str], markers: Sequence[str], *, of: str = ""
) -> Iterator[str]:
    """Yield the conditions that a row lacks nothing in some columns."""
    for name in columns:
        text = table.text(name, of=of)
        yield f"{text} IS NOT NULL"
        if markers:
            yield f"{text} NOT IN ({', '.join(map(table.dialect.literal, markers))})"


def _make_lookup(
    session: SqlSession,
    q: int,
    block_of_value: Mapping[str | None, int],
    labels: Sequence[str | None] | None,
    kind: str | None,
) -> None:
    """Make the table from a value of quasi-identifier ``q`` to its block, and its label if it has.

    With a ``kind`` the value has the type of the column, otherwise it is its text.
    """
    values: list[str | None] = list(block_of_value)
    blocks = list(block_of_value.values())
    if kind in ("DOUBLE", "FLOAT") and None in block_of_value:
        values.append("nan")
        blocks.append(block_of_value[None])
    columns: dict[str, Values] = {"v": values, "b": blocks}
    if labels is not None:
        columns["l"] = [labels[block] for block in blocks]
    session.fill(f"lookup{q}", columns, kinds={"v": kind} if kind else None)


def kept_values(
    table: OpenedTable[SqlSession], plan: RewritePlan
) -> dict[str, dict[tuple[int, str | None], int]]:
    """Return, for every recoded column, the kept rows of each code and value.

    One GROUP BY over the rows, as when they were counted, and one for each column over its
    result: memory does not grow with the rows.
    """
    # Suppressed rows do not count, whether they are left out or starred.
    joined = join_lookups(table, replace(plan, suppressed_rows=SuppressedRows.DROP))
    session = table.session
    places = range(len(plan.recoded))
    names = [f"{kind}{q}" for q in places for kind in "cv"]
    found_in = ", ".join(
        f"{joined.code(q)} AS c{q}, {table.text(column.name, of=ORIGIN)} AS v{q}"
        for q, column in enumerate(plan.recoded)
    )
    session.materialize(
        "kept_values",
        f"SELECT {', '.join(names)}, count(*) AS n FROM (SELECT {joined.hint} {found_in} "
        f"FROM {joined.sql}) AS kept_rows GROUP BY {', '.join(names)}",
    )
    found: dict[str, dict[tuple[int, str | None], int]] = {}
    for q, column in enumerate(plan.recoded):
        rows = session.rows(
            f"SELECT c{q}, v{q}, sum(n) FROM {session.named('kept_values')} GROUP BY c{q}, v{q}"
        )
        found[column.name] = {
            (whole_number(code), None if text is None else str(text)): whole_number(count)
            for code, text, count in rows
        }
    return found
