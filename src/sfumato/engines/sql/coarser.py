"""The SQL of other texts in place of some, one for all engines: coarser, or not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.coarsening import (
    CoarsenedValues,
    CoarseNumbers,
    UnreadableValues,
)
from sfumato.engines.sql.coarsening import coarse_column, is_missing
from sfumato.engines.sql.released_rows import complete_rows
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.engines.sql.coarsening import CoarseColumn
    from sfumato.engines.sql.opened_table import OpenedTable, SessionT_co
    from sfumato.engines.sql.session import SqlSession


def coarser_table(
    table: OpenedTable[SessionT_co], coarser: CoarserValues
) -> OpenedTable[SessionT_co]:
    """Return a table in which values are replaced by coarser ones."""
    rules = {name: given for name, given in coarser.items() if isinstance(given, CoarsenedValues)}
    listed = {n: given for n, given in coarser.items() if not isinstance(given, CoarsenedValues)}
    return _replaced_table(_ruled_table(table, rules), listed)


def _ruled_table(
    table: OpenedTable[SessionT_co], rules: Mapping[str, CoarsenedValues]
) -> OpenedTable[SessionT_co]:
    """Return a table in which the values of some columns are coarsened by a rule.

    A column of numbers stays one, so that a Parquet file has numbers.
    """
    if not rules:
        return table
    sql, columns = _read_rows(table, rules)
    listing = []
    for position, name in enumerate(table.names):
        own = f"c{position}"
        if name in rules:
            text, kind = table.text(name), table.kinds[name]
            missing = is_missing(table.dialect, rules[name], text)
            own = f"CASE WHEN {missing} THEN {text} ELSE {columns[name].text} END"
            if table.dialect.is_number(kind) and isinstance(rules[name].rule, CoarseNumbers):
                own = f"CAST({own} AS DOUBLE)"
        listing.append(f"{own} AS c{position}")
    return table.with_columns(f"(SELECT {', '.join(listing)} FROM {sql}) AS coarsened")


def _read_rows(
    table: OpenedTable[SqlSession], rules: Mapping[str, CoarsenedValues]
) -> tuple[str, dict[str, CoarseColumn]]:
    """Return the rows with the steps of every rule beside them, one query inside the other."""
    columns = {
        name: coarse_column(table.dialect, given, table.text(name), place=table.names.index(name))
        for name, given in rules.items()
    }
    sql = table.sql
    for depth in range(max(len(column.steps) for column in columns.values())):
        steps = [column.steps[depth] for column in columns.values() if depth < len(column.steps)]
        made = ", ".join(f"{expression} AS {name}" for name, expression in steps)
        sql = f"(SELECT *, {made} FROM {sql}) AS read{depth}"
    return sql, columns


def unreadable_values(
    table: OpenedTable[SqlSession], coarser: CoarserValues, *, most: int
) -> dict[str, UnreadableValues]:
    """Return the values that rules cannot read, for the columns that have some."""
    rules = {name: given for name, given in coarser.items() if isinstance(given, CoarsenedValues)}
    if not rules:
        return {}
    sql, columns = _read_rows(table, rules)
    unread = {
        name: f"{columns[name].read} IS NULL AND NOT "
        f"{is_missing(table.dialect, given, table.text(name))}"
        for name, given in rules.items()
    }
    asked = ", ".join(f"sum(CASE WHEN {each} THEN 1 ELSE 0 END)" for each in unread.values())
    (counts,) = table.session.rows(f"SELECT {asked} FROM {sql}")
    found = {}
    for (name, condition), count in zip(unread.items(), counts, strict=True):
        if not whole_number(count):
            continue
        text = table.text(name)
        texts = table.session.rows(
            f"SELECT t, count(*) AS n FROM (SELECT {text} AS t FROM {sql} WHERE {condition}) "
            f"AS unread GROUP BY t ORDER BY n DESC, t LIMIT {most}"
        )
        found[name] = UnreadableValues(
            rows=whole_number(count), texts=tuple(str(each) for each, _ in texts)
        )
    return found


def _replaced_table(
    table: OpenedTable[SessionT_co], coarser: Mapping[str, Mapping[str, str]]
) -> OpenedTable[SessionT_co]:
    """Return a table in which listed values are replaced by others."""
    replaced = {name: values for name, values in coarser.items() if values}
    if not replaced:
        return table
    listing, joins = [], []
    for position, name in enumerate(table.names):
        if name not in replaced:
            listing.append(f"fine.c{position} AS c{position}")
            continue
        text, lookup = table.text(name, of="fine."), f"coarser{position}"
        _fill(table.session, lookup, replaced[name])
        made = table.session.named(lookup)
        joins.append(f"LEFT JOIN {made} AS {lookup} ON {text} = {lookup}.v")
        listing.append(f"coalesce({lookup}.r, {text}) AS c{position}")
    hint = f"/*+ BROADCAST({', '.join(f'coarser{table.names.index(n)}' for n in replaced)}) */"
    return table.with_columns(
        f"(SELECT {hint} {', '.join(listing)} FROM (SELECT * FROM {table.sql}) AS fine "
        f"{' '.join(joins)}) AS coarser"
    )


def distinct_values(
    table: OpenedTable[SqlSession],
    columns: Sequence[str],
    *,
    complete: Sequence[str],
    markers: Sequence[str],
) -> dict[str, tuple[str | None, ...]]:
    """Return the texts of the values of columns, in rows that lack nothing in ``complete``.

    All columns are read in one scan, each a grouping set.
    """
    where = " AND ".join(complete_rows(table, complete, markers)) or "true"
    texts = ", ".join(f"{table.text(name)} AS g{place}" for place, name in enumerate(columns))
    places = [f"g{place}" for place in range(len(columns))]
    sets = ", ".join(f"({place})" for place in places)
    rows = table.session.rows(
        f"SELECT {', '.join(f'grouping({place})' for place in places)}, {', '.join(places)} "
        f"FROM (SELECT {texts} FROM {table.sql} WHERE {where}) AS texts "
        f"GROUP BY GROUPING SETS ({sets})"
    )
    values: list[list[str]] = [[] for _ in columns]
    gaps = [False] * len(columns)
    for row in rows:
        # Every other column of the row is left out of its set.
        place = row.index(0)
        value = row[len(columns) + place]
        if value is None:
            gaps[place] = True
        else:
            values[place].append(str(value))
    return {
        name: (*sorted(known), None) if gap else tuple(sorted(known))
        for name, known, gap in zip(columns, values, gaps, strict=True)
    }


def combinations(
    table: OpenedTable[SqlSession],
    columns: Sequence[str],
    alternatives: Sequence[CoarserValues],
) -> tuple[int, ...]:
    """Return about how many combinations of columns there are under each alternative, in one scan.

    A sketch (HyperLogLog) is some thousand bytes, however many combinations there are. A rule for
    a column is the same in all alternatives.
    """
    table = _ruled_table(
        table,
        {
            name: given
            for coarser in alternatives
            for name, given in coarser.items()
            if isinstance(given, CoarsenedValues)
        },
    )
    session = table.session
    joins: list[str] = []
    asked = []
    tables: dict[tuple[str, int], str] = {}
    for coarser in alternatives:
        texts = []
        for name in columns:
            text = table.text(name, of="fine.")
            values = coarser.get(name, {})
            if values and not isinstance(values, CoarsenedValues):
                key = (name, id(values))
                if key not in tables:
                    tables[key] = f"level{len(tables)}"
                    _fill(session, tables[key], values)
                    made = session.named(tables[key])
                    joins.append(f"LEFT JOIN {made} AS {tables[key]} ON {text} = {tables[key]}.v")
                text = f"coalesce({tables[key]}.r, {text})"
            texts.append(text)
        asked.append(session.dialect.combinations(texts))
    hint = f"/*+ BROADCAST({', '.join(tables.values())}) */" if tables else ""
    (found,) = session.rows(
        f"SELECT {hint} {', '.join(asked)} FROM (SELECT * FROM {table.sql}) AS fine "
        f"{' '.join(joins)}"
    )
    return tuple(map(whole_number, found))


def _fill(session: SqlSession, table: str, values: Mapping[str, str]) -> None:
    session.fill(table, {"v": list(values), "r": list(values.values())})


def told_apart_table(
    table: OpenedTable[SessionT_co], told_apart: Mapping[str, Sequence[str]]
) -> OpenedTable[SessionT_co]:
    """Return the table with one text for all that need not be told apart in some columns."""
    if not told_apart:
        return table
    literal = table.dialect.literal
    columns = []
    for position, name in enumerate(table.names):
        column = f"c{position}"
        if name in told_apart:
            text = table.text(name)
            named = ", ".join(map(literal, told_apart[name])) or "NULL"
            other = literal(_other_text(told_apart[name]))
            column = (
                f"CASE WHEN {text} IS NULL THEN NULL WHEN {text} IN ({named}) THEN {text} "
                f"ELSE {other} END AS c{position}"
            )
        columns.append(column)
    return table.with_columns(f"(SELECT {', '.join(columns)} FROM {table.sql}) AS told_apart")


def _other_text(named: Sequence[str]) -> str:
    other = "other"
    while other in named:
        other += "'"
    return other
