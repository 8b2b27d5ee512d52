"""The SQL of what is told of columns by counting, one text for all engines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engines.messages.column_facts import (
    LONG_NUMBER,
    ColumnFacts,
    TableFacts,
    UniqueRows,
)
from sfumato.engines.sql.formulas import is_formula, starts_formula
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlDialect, SqlSession

_LARGEST_WHOLE = "1e15"


def table_facts(table: OpenedTable[SqlSession], columns: Sequence[str]) -> TableFacts:
    """Count the cells of columns in one scan, and in another what the first leaves open.

    No value leaves the engine.
    """
    dialect = table.dialect
    asked = []
    for name in columns:
        text = table.text(name)
        number = dialect.is_number(table.kinds[name])
        asked += [
            f"count({text})",
            dialect.combinations([text]),
            "0" if number else _counted(_is_mail(text)),
            "0" if number else _counted(_runs(dialect, text)),
        ]
    (found,) = table.session.rows(f"SELECT count(*), {', '.join(asked)} FROM {table.sql}")
    rows, *counts = map(whole_number, found)
    facts = {}
    for place, name in enumerate(columns):
        present, distinct, emails, formulas = counts[4 * place : 4 * place + 4]
        # What is missing is one more value to the sketch, which can be some percent off.
        known = distinct - (present < rows)
        facts[name] = ColumnFacts(
            name=name,
            present=present,
            distinct=min(present, max(known, int(present > 0))),
            emails=emails,
            formulas=formulas,
        )
    return TableFacts(rows=rows, columns=_with_numbers(table, facts))


def _with_numbers(
    table: OpenedTable[SqlSession], facts: Mapping[str, ColumnFacts]
) -> dict[str, ColumnFacts]:
    """Count the numbers of the columns that could tell people apart: casts take most time."""
    open_columns = [name for name, column in facts.items() if column.tells_people_apart]
    if not open_columns:
        return dict(facts)
    asked = [part for name in open_columns for part in _numbers(table.dialect, table.text(name))]
    (found,) = table.session.rows(f"SELECT {', '.join(asked)} FROM {table.sql}")
    counts = list(map(whole_number, found))
    completed = dict(facts)
    for place, name in enumerate(open_columns):
        numbers, whole, long_numbers = counts[3 * place : 3 * place + 3]
        completed[name] = replace(
            facts[name], numbers=numbers, whole=whole, long_numbers=long_numbers
        )
    return completed


def _numbers(dialect: SqlDialect, text: str) -> list[str]:
    number = f"try_cast({text} AS DOUBLE)"
    whole = f"{number} = floor({number}) AND abs({number}) < {_LARGEST_WHOLE}"
    digits = dialect.only_digits(text)
    return [
        f"count({number})",
        _counted(f"CASE WHEN {whole} THEN 1 END"),
        _counted(
            f"CASE WHEN length({text}) >= {LONG_NUMBER} THEN CASE WHEN {digits} THEN 1 END END"
        ),
    ]


def _counted(case: str) -> str:
    return f"count({case})"


def _is_mail(text: str) -> str:
    """Return a case that is 1 for addresses of mail; the inner test is for few rows."""
    return f"CASE WHEN {text} LIKE '%@%' THEN CASE WHEN {text} LIKE '%_@_%._%' THEN 1 END END"


def _runs(dialect: SqlDialect, text: str) -> str:
    """Return a case that is 1 for formulas: all their signs come before the letters."""
    return (
        f"CASE WHEN {text} < 'A' THEN CASE WHEN {starts_formula(dialect, text)} THEN "
        f"CASE WHEN {is_formula(dialect, text)} THEN 1 END END END"
    )


def about_distinct(
    table: OpenedTable[SqlSession], combinations: Sequence[Sequence[str]]
) -> tuple[int, ...]:
    """Return about how many distinct values some combinations of columns have, in one scan.

    The text of a column is hashed once, not again for every combination that it is in.
    """
    dialect = table.dialect
    named = dict.fromkeys(name for names in combinations for name in names)
    place = {name: f"h{position}" for position, name in enumerate(named)}
    hashes = ", ".join(f"{dialect.row_hash([table.text(n)])} AS {h}" for n, h in place.items())
    asked = [dialect.hashed_combinations([place[n] for n in names]) for names in combinations]
    (found,) = table.session.rows(
        f"SELECT {', '.join(asked)} FROM (SELECT {hashes} FROM {table.sql}) AS hashed"
    )
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
