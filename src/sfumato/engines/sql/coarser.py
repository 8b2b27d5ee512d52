"""The SQL of coarser values, one text for all engines: other texts in place of some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.sql.relation import Relation
from sfumato.engines.sql.session import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.engines.sql.session import SqlSession


def coarser_relation(
    session: SqlSession, relation: Relation, kinds: Mapping[str, str], coarser: CoarserValues
) -> Relation:
    """Return a relation in which values are replaced by coarser ones."""
    replaced = {name: values for name, values in coarser.items() if values}
    if not replaced:
        return relation
    listing, joins = [], []
    for position, name in enumerate(relation.names):
        column = f"fine.c{position}"
        if name not in replaced:
            listing.append(f"{column} AS c{position}")
            continue
        text = session.dialect.value_text(column, kinds[name])
        table = f"coarser{position}"
        _fill(session, table, replaced[name])
        joins.append(f"LEFT JOIN {session.named(table)} AS {table} ON {text} = {table}.v")
        listing.append(f"coalesce({table}.r, {text}) AS c{position}")
    hint = f"/*+ BROADCAST({', '.join(f'coarser{relation.names.index(n)}' for n in replaced)}) */"
    sql = (
        f"(SELECT {hint} {', '.join(listing)} FROM (SELECT * FROM {relation.sql}) AS fine "
        f"{' '.join(joins)}) AS coarser"
    )
    return Relation(sql=sql, names=relation.names)


def distinct_values(
    session: SqlSession,
    relation: Relation,
    kinds: Mapping[str, str],
    columns: Sequence[str],
    *,
    complete: Sequence[str],
    markers: Sequence[str],
) -> dict[str, tuple[str | None, ...]]:
    """Return the texts of the values of columns, in rows that lack nothing in ``complete``."""
    dialect = session.dialect

    def text(name: str) -> str:
        return dialect.value_text(f"c{relation.names.index(name)}", kinds[name])

    conditions = []
    for name in complete:
        conditions.append(f"{text(name)} IS NOT NULL")
        if markers:
            conditions.append(f"{text(name)} NOT IN ({', '.join(map(dialect.literal, markers))})")
    where = " AND ".join(conditions) or "true"
    found = {}
    for name in columns:
        rows = session.rows(f"SELECT DISTINCT {text(name)} FROM {relation.sql} WHERE {where}")
        known = sorted(str(value) for (value,) in rows if value is not None)
        found[name] = (*known, None) if len(known) < len(rows) else tuple(known)
    return found


def combinations(
    session: SqlSession,
    relation: Relation,
    kinds: Mapping[str, str],
    columns: Sequence[str],
    alternatives: Sequence[CoarserValues],
) -> tuple[int, ...]:
    """Return about how many combinations of columns there are under each alternative, in one scan.

    A sketch (HyperLogLog) is some thousand bytes, however many combinations there are.
    """
    dialect = session.dialect
    joins: list[str] = []
    asked = []
    tables: dict[tuple[str, int], str] = {}
    for coarser in alternatives:
        texts = []
        for name in columns:
            position = relation.names.index(name)
            text = dialect.value_text(f"fine.c{position}", kinds[name])
            values = coarser.get(name, {})
            if values:
                key = (name, id(values))
                if key not in tables:
                    tables[key] = f"level{len(tables)}"
                    _fill(session, tables[key], values)
                    made = session.named(tables[key])
                    joins.append(f"LEFT JOIN {made} AS {tables[key]} ON {text} = {tables[key]}.v")
                text = f"coalesce({tables[key]}.r, {text})"
            texts.append(text)
        asked.append(dialect.combinations(texts))
    hint = f"/*+ BROADCAST({', '.join(tables.values())}) */" if tables else ""
    (found,) = session.rows(
        f"SELECT {hint} {', '.join(asked)} FROM (SELECT * FROM {relation.sql}) AS fine "
        f"{' '.join(joins)}"
    )
    return tuple(map(whole_number, found))


def _fill(session: SqlSession, table: str, values: Mapping[str, str]) -> None:
    session.fill(table, {"v": list(values), "r": list(values.values())})
