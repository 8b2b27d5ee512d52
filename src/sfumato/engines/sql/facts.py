"""The SQL of what is told of columns by counting, one text for all engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.column_facts import (
    LONG_NUMBER,
    ColumnFacts,
    TableFacts,
    UniqueRows,
)
from sfumato.engines.sql.formulas import is_formula
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlDialect, SqlSession

_LARGEST_WHOLE = "1e15"
_KEYS = ("present", "distinct", "numbers", "whole", "emails", "long_numbers", "formulas")


def table_facts(table: OpenedTable[SqlSession], columns: Sequence[str]) -> TableFacts:
    """Count the cells of columns in one scan; no value leaves the engine."""
    asked = ["count(*)"]
    for name in columns:
        asked += _asked(table.dialect, table.text(name))
    (found,) = table.session.rows(f"SELECT {', '.join(asked)} FROM {table.sql}")
    rows, *counts = map(whole_number, found)
    answers = iter(counts)
    facts = {}
    for name in columns:
        own = {key: next(answers) for key in _KEYS}
        # What is missing is one more value to the sketch, which can be some percent off.
        present, known = own["present"], own["distinct"] - (own["present"] < rows)
        own["distinct"] = min(present, max(known, int(present > 0)))
        facts[name] = ColumnFacts(name=name, **own)
    return TableFacts(rows=rows, columns=facts)


def _asked(dialect: SqlDialect, text: str) -> list[str]:
    """Return the SQL of the counts of a column, in the order of `_KEYS`."""
    number = f"try_cast({text} AS DOUBLE)"
    whole = f"{number} = floor({number}) AND abs({number}) < {_LARGEST_WHOLE}"
    digits = f"length({text}) >= {LONG_NUMBER} AND translate({text}, '0123456789', '') = ''"
    conditions = (
        f"{number} IS NOT NULL",
        whole,
        f"{text} LIKE '%_@_%._%'",
        digits,
        is_formula(dialect, text),
    )
    return [
        f"count({text})",
        dialect.combinations([text]),
        *(f"sum(CASE WHEN {condition} THEN 1 ELSE 0 END)" for condition in conditions),
    ]


def about_distinct(
    table: OpenedTable[SqlSession], combinations: Sequence[Sequence[str]]
) -> tuple[int, ...]:
    """Return about how many distinct values some combinations of columns have, in one scan."""
    asked = [table.dialect.combinations([table.text(n) for n in names]) for names in combinations]
    (found,) = table.session.rows(f"SELECT {', '.join(asked)} FROM {table.sql}")
    return tuple(map(whole_number, found))


def unique_rows(
    table: OpenedTable[SqlSession], combinations: Sequence[Sequence[str]]
) -> tuple[UniqueRows, ...]:
    """Count the rows that are alone with their values, exactly, in one scan.

    Each combination is a grouping set; the engine spills what memory cannot hold.
    """
    named = list(dict.fromkeys(name for names in combinations for name in names))
    place = {name: f"g{position}" for position, name in enumerate(named)}
    texts = ", ".join(f"{table.text(name)} AS {column}" for name, column in place.items())
    sets = ", ".join(f"({', '.join(place[name] for name in names)})" for names in combinations)
    identity = f"grouping_id({', '.join(place.values())})"
    rows = table.session.rows(
        f"SELECT s, count(*), sum(CASE WHEN n = 1 THEN 1 ELSE 0 END) FROM (SELECT {identity} AS s, "
        f"count(*) AS n FROM (SELECT {texts} FROM {table.sql}) AS texts "
        f"GROUP BY GROUPING SETS ({sets})) AS sizes GROUP BY s"
    )
    found = {whole_number(s): UniqueRows(whole_number(c), whole_number(u)) for s, c, u in rows}
    return tuple(found[_identity(named, names)] for names in combinations)


def _identity(named: Sequence[str], names: Sequence[str]) -> int:
    """Return the number of a grouping set: a bit for every column, 1 where it is left out.

    >>> _identity(["a", "b", "c"], ["a", "c"])
    2
    """
    return sum(1 << (len(named) - 1 - p) for p, name in enumerate(named) if name not in names)
