"""The SQL of what is told of columns by counting, one text for all engines."""

from __future__ import annotations

import re
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
from sfumato.recognition.coarsenable import coarsenable_seen
from sfumato.recognition.identifiers import identifier_seen

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.engines.messages.column_facts import TextCounts
    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlDialect, SqlSession

_LARGEST_WHOLE = "1e15"

MOST_LOOKED_AT = 500
"""About so many different values of a column are looked at."""

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
"""Numbers as they are written; telephone numbers begin with a zero or a plus."""


def table_facts(
    table: OpenedTable[SqlSession],
    columns: Sequence[str],
    *,
    counted: Mapping[str, TextCounts],
    outlined: Collection[str],
) -> TableFacts:
    """Count the cells of columns in one scan, and in another what the first leaves open.

    Columns whose texts were ``counted`` already are not read again: the same is asked of their
    texts. No value leaves the engine.
    """
    read = [name for name in columns if name not in counted]
    rows = 0
    facts: dict[str, ColumnFacts] = {}
    if len(read) < len(columns):
        known = {name: counted[name] for name in columns if name in counted}
        rows = int(next(iter(known.values())).rows.sum())
        facts |= _known_facts(table, known)
    if read:
        rows, scanned = _read_facts(table, read, outlined)
        facts |= scanned
    return TableFacts(rows=rows, columns={name: facts[name] for name in columns})


def _read_facts(
    table: OpenedTable[SqlSession], columns: Sequence[str], outlined: Collection[str]
) -> tuple[int, dict[str, ColumnFacts]]:
    dialect = table.dialect
    asked = []
    for name in columns:
        text = table.text(name)
        asked += [f"count({text})", dialect.combinations([text])]
        if name in outlined or dialect.is_number(table.kinds[name]):
            asked.append("0")
        else:
            asked.append(f"count({_runs(dialect, text)})")
    (found,) = table.session.rows(f"SELECT count(*), {', '.join(asked)} FROM {table.sql}")
    rows, *counts = map(whole_number, found)
    facts = {}
    for place, name in enumerate(columns):
        present, distinct, formulas = counts[3 * place : 3 * place + 3]
        # What is missing is one more value to the sketch, which can be some percent off.
        known = distinct - (present < rows)
        facts[name] = ColumnFacts(
            name=name,
            present=present,
            distinct=min(present, max(known, int(present > 0))),
            formulas=formulas,
        )
    looked_into = {name: fact for name, fact in facts.items() if name not in outlined}
    return rows, facts | _with_numbers_and_kinds(table, looked_into)


def _known_facts(
    table: OpenedTable[SqlSession], known: Mapping[str, TextCounts]
) -> dict[str, ColumnFacts]:
    """Return the facts of columns by their texts, of which there are few."""
    dialect = table.dialect
    session = table.session
    places: list[int] = []
    texts: list[str | None] = []
    rows: list[int] = []
    for place, (_, column) in enumerate(known.items()):
        places += [place] * len(column.texts)
        texts += column.texts
        rows += column.rows.tolist()
    session.fill("known_texts", {"p": places, "t": texts, "n": rows}, kinds={"t": "VARCHAR"})
    cases = [_runs(dialect, "t"), *_numbers(dialect, "t")]
    asked = [f"sum(CASE WHEN {case} IS NOT NULL THEN n ELSE 0 END)" for case in ("t", *cases)]
    found = {
        whole_number(place): tuple(map(whole_number, counts))
        for place, *counts in session.rows(
            f"SELECT p, count(DISTINCT t), {', '.join(asked)} "
            f"FROM {session.named('known_texts')} GROUP BY p"
        )
    }
    facts = {}
    for place, (name, column) in enumerate(known.items()):
        distinct, present, formulas, numbers, whole, long_numbers = found[place]
        if dialect.is_number(table.kinds[name]):
            formulas = 0
        fact = ColumnFacts(name=name, present=present, distinct=distinct, formulas=formulas)
        present_texts = [text for text in column.texts if text is not None]
        fact = _recognized(fact, present_texts[:: len(present_texts) // MOST_LOOKED_AT + 1])
        if fact.tells_people_apart:
            fact = replace(fact, numbers=numbers, whole=whole, long_numbers=long_numbers)
        facts[name] = fact
    return facts


def _with_numbers_and_kinds(
    table: OpenedTable[SqlSession], facts: Mapping[str, ColumnFacts]
) -> dict[str, ColumnFacts]:
    """Look at some values of every column, drawn by their hash, in one scan.

    Numbers are counted in the columns that could tell people apart: casts take most time.
    """
    if not facts:
        return {}
    asked: list[str] = []
    places: list[int] = []
    for name, fact in facts.items():
        text = table.text(name)
        one_in = fact.distinct // MOST_LOOKED_AT + 1
        drawn = f"{table.dialect.row_hash([text])} % {one_in} = 0"
        places.append(len(asked))
        asked.append(table.dialect.different_texts(text, drawn))
        if fact.tells_people_apart:
            asked += [f"count({case})" for case in _numbers(table.dialect, text)]
    (found,) = table.session.rows(f"SELECT {', '.join(asked)} FROM {table.sql}")
    completed = {}
    for place, (name, fact) in zip(places, facts.items(), strict=True):
        completed[name] = _recognized(fact, sorted(found[place] or ()))  # type: ignore[call-overload]
        if fact.tells_people_apart:
            numbers, whole, long_numbers = map(whole_number, found[place + 1 : place + 4])
            completed[name] = replace(
                completed[name], numbers=numbers, whole=whole, long_numbers=long_numbers
            )
    return completed


def _recognized(fact: ColumnFacts, values: Sequence[str]) -> ColumnFacts:
    """Return the facts of a column with what some of its different values look like."""
    numbers = all(map(_PLAIN_NUMBER.fullmatch, values))
    return replace(
        fact,
        identifier=identifier_seen(values, of_numbers=numbers),
        coarsenable=coarsenable_seen(fact.name, values),
    )


def _numbers(dialect: SqlDialect, text: str) -> list[str]:
    """Return what is not missing for numbers, for whole ones, and for long ones of digits."""
    number = f"try_cast({text} AS DOUBLE)"
    whole = f"{number} = floor({number}) AND abs({number}) < {_LARGEST_WHOLE}"
    digits = dialect.only_digits(text)
    return [
        number,
        f"CASE WHEN {whole} THEN 1 END",
        f"CASE WHEN length({text}) >= {LONG_NUMBER} THEN CASE WHEN {digits} THEN 1 END END",
    ]


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
    table: OpenedTable[SqlSession], combinations: Sequence[Sequence[str]], *, one_in: int = 1
) -> tuple[UniqueRows, ...]:
    """Count the rows that are alone with their values, exactly, in one scan.

    Each combination is a grouping set; the engine spills what memory cannot hold. Of very many
    rows, those of ``one_in`` so many combinations of values are counted, drawn by their hash.
    """
    if one_in > 1:
        return tuple(_drawn_rows(table, names, one_in) for names in combinations)
    named = list(dict.fromkeys(name for names in combinations for name in names))
    place = {name: f"g{position}" for position, name in enumerate(named)}
    texts = ", ".join(f"{table.text(name)} AS {column}" for name, column in place.items())
    sets = ", ".join(f"({', '.join(place[name] for name in names)})" for names in combinations)
    identity = f"grouping_id({', '.join(place.values())})"
    rows = table.session.rows(
        f"SELECT s, {_ALONE} FROM (SELECT {identity} AS s, "
        f"count(*) AS n FROM (SELECT {texts} FROM {table.sql}) AS texts "
        f"GROUP BY GROUPING SETS ({sets})) AS sizes GROUP BY s"
    )
    found = {whole_number(s): UniqueRows(*map(whole_number, counts)) for s, *counts in rows}
    return tuple(found[_identity(named, names)] for names in combinations)


_ALONE = "count(*), sum(CASE WHEN n = 1 THEN 1 ELSE 0 END), sum(n)"


def _drawn_rows(table: OpenedTable[SqlSession], names: Sequence[str], one_in: int) -> UniqueRows:
    texts = [table.text(name) for name in names]
    drawn = f"{table.dialect.row_hash(texts)} % {one_in} = 0"
    ((*counts,),) = table.session.rows(
        f"SELECT {_ALONE} FROM (SELECT count(*) AS n FROM {table.sql} WHERE {drawn} "
        f"GROUP BY {', '.join(texts)}) AS sizes"
    )
    return UniqueRows(*map(whole_number, counts))


def _identity(named: Sequence[str], names: Sequence[str]) -> int:
    """Return the number of a grouping set: a bit for every column, 1 where it is left out.

    >>> _identity(["a", "b", "c"], ["a", "c"])
    2
    """
    return sum(1 << (len(named) - 1 - p) for p, name in enumerate(named) if name not in names)
