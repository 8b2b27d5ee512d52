"""Cells that a spreadsheet would run: found, escaped and read back, one SQL for all engines.

A text that begins with a formula's sign, after any number of apostrophes, and is not a number gets
one apostrophe more, so that every escaped text is told apart from one that has it of itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.column_facts import FORMULA_STARTS

if TYPE_CHECKING:
    from sfumato.engines.sql.opened_table import OpenedTable, SessionT_co
    from sfumato.engines.sql.session import SqlDialect, SqlSession

_MARK = "'"


def starts_formula(dialect: SqlDialect, text: str) -> str:
    """Return the SQL of whether a text begins with a sign of formulas and goes on."""
    starts = ", ".join(map(dialect.literal, FORMULA_STARTS))
    return f"(substr({text}, 1, 1) IN ({starts}) AND length({text}) > 1)"


def is_formula(dialect: SqlDialect, text: str) -> str:
    """Return the SQL of whether a spreadsheet would run a text; numbers are not run."""
    return f"({starts_formula(dialect, text)} AND try_cast({text} AS DOUBLE) IS NULL)"


def _is_escaped(dialect: SqlDialect, text: str) -> str:
    """Return the SQL of whether a text is written with an apostrophe more than it has."""
    bare = f"trim(LEADING {dialect.literal(_MARK)} FROM {text})"
    return f"({starts_formula(dialect, bare)} AND try_cast({text} AS DOUBLE) IS NULL)"


def escaped_rows(session: SqlSession, rows: str) -> str:
    """Return the SQL of rows of texts with every formula escaped."""
    dialect = session.dialect
    mark = dialect.literal(_MARK)
    listing = []
    for name, _ in session.types(rows):
        text = dialect.quoted_name(name)
        changed = f"CASE WHEN {_is_escaped(dialect, text)} THEN {mark} || {text} ELSE {text} END"
        listing.append(f"{changed} AS {text}")
    return f"SELECT {', '.join(listing)} FROM ({rows}) AS plain_rows"


def unescaped_table(table: OpenedTable[SessionT_co]) -> OpenedTable[SessionT_co]:
    """Return a table of texts whose escaped formulas are read as what they were."""
    dialect = table.dialect
    mark = dialect.literal(_MARK)
    listing = []
    for position in range(len(table.names)):
        text = f"c{position}"
        rest = f"substr({text}, 2)"
        was = f"substr({text}, 1, 1) = {mark} AND {_is_escaped(dialect, rest)}"
        listing.append(f"CASE WHEN {was} THEN {rest} ELSE {text} END AS {text}")
    return table.with_columns(f"(SELECT {', '.join(listing)} FROM {table.sql}) AS unescaped")
