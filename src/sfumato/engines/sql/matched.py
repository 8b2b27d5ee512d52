"""Rows of a source matched with those of anonymized tables, by a key column or by their order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_columns
from sfumato.engines.messages.grouped_counts import (
    PRESENT,
    STARRED,
    matched_column,
    presence_column,
)
from sfumato.engines.sql.opened_table import OpenedTable, Relation
from sfumato.engines.sql.session import whole_number
from sfumato.errors import SourceError
from sfumato.errors.listing import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.engines.messages.grouped_counts import AnonymizedTable
    from sfumato.engines.sql.opened_table import SessionT_co
    from sfumato.engines.sql.session import SqlSession


def matched_table(
    table: OpenedTable[SessionT_co],
    columns: Sequence[str],
    others: Sequence[AnonymizedTable],
    beside: Iterable[OpenedTable[SessionT_co]],
    *,
    key: str | None,
) -> OpenedTable[SessionT_co]:
    """Return the rows of the source with the recoded columns of the other tables beside them.

    A row of the source that a table lacks was suppressed in it: its columns are missing there.
    Everything else that does not match is refused. ``beside`` are the other tables, opened one
    after the other. Rows are matched by their place without a ``key``: they must come in order.
    """
    session = table.session
    shared = [name for other in others for name in other.unchanged]
    wanted = list(dict.fromkeys([*columns, *shared]))
    _materialize(table, "m0", wanted, key)
    place = {name: f"m0.c{p}" for p, name in enumerate(wanted)}
    selected = [place[name] for name in columns]
    names = list(columns)
    joins = []
    for number, (other, opened) in enumerate(zip(others, beside, strict=True), start=1):
        made = f"m{number}"
        _materialize(opened, made, [*other.columns, *other.unchanged], key)
        _check(session, table.where, other, made, place, key)
        selected += [f"{made}.c{p}" for p in range(len(other.columns))]
        selected.append(
            f"CASE WHEN {made}.k IS NULL THEN NULL ELSE {session.dialect.literal(PRESENT)} END"
        )
        names += [matched_column(number, name) for name in other.columns]
        names.append(presence_column(number))
        joins.append(f"LEFT JOIN {session.named(made)} AS {made} ON m0.k = {made}.k")
    listing = ", ".join(f"{column} AS c{p}" for p, column in enumerate(selected))
    sql = f"(SELECT {listing} FROM {session.named('m0')} AS m0 {' '.join(joins)}) AS matched"
    return replace(table, relation=Relation(sql=sql, names=tuple(names)))


def _materialize(
    table: OpenedTable[SqlSession], name: str, columns: Sequence[str], key: str | None
) -> None:
    """Make a table of the texts of some columns, with the key ``k`` of every row."""
    check_columns([*columns, *(() if key is None else (key,))], table.names, where=table.where)
    session = table.session
    told = "row_number() OVER ()" if key is None else table.text(key)
    listing = "".join(f", {table.text(column)} AS c{p}" for p, column in enumerate(columns))
    session.materialize(name, f"SELECT {told} AS k{listing} FROM {table.sql}")
    made = session.named(name)
    if key is None:
        return
    missing = _number(session, f"SELECT count(*) FROM {made} WHERE k IS NULL")
    if missing:
        raise SourceError(
            f"{table.where} has {counted(missing, 'row')} without a value in the key column "
            f"{key!r}",
            code="missing-values",
            file=table.where,
            column=key,
            expected="a key that tells every row apart",
        )
    again = _number(session, f"SELECT count(*) - count(DISTINCT k) FROM {made}")
    if again:
        raise SourceError(
            f"{table.where} has {counted(again, 'row')} whose {key!r} an earlier row has too",
            code="duplicate",
            file=table.where,
            column=key,
            expected="a key that tells every row apart",
            remedy="name another column, or match by order",
        )


def _check(
    session: SqlSession,
    source: str,
    other: AnonymizedTable,
    table: str,
    place: dict[str, str],
    key: str | None,
) -> None:
    """Refuse a table whose rows are not those of the source."""
    origin, made = f"{session.named('m0')} AS m0", f"{session.named(table)} AS {table}"
    if key is None:
        sizes = [_number(session, f"SELECT count(*) FROM {name}") for name in (origin, made)]
        if sizes[0] != sizes[1]:
            raise SourceError(
                f"{other.source} has {counted(sizes[1], 'row')} and {source} {sizes[0]:,}, so that "
                "rows cannot be matched by their order",
                code="other-rows",
                file=other.source,
                remedy="name a key column that both have, or keep suppressed rows as *",
            )
    stray = _number(session, f"SELECT count(*) FROM {made} ANTI JOIN {origin} ON m0.k = {table}.k")
    if stray:
        raise SourceError(
            f"{other.source} has {counted(stray, 'row')} whose {key!r} is not in {source}; it is a "
            "release of another table, or the key is another column",
            code="other-rows",
            file=other.source,
            column=key,
        )
    first = len(other.columns)
    starred = " AND ".join(
        f"{table}.c{p} = {session.dialect.literal(STARRED)}" for p in range(first)
    )
    for position, name in enumerate(other.unchanged, start=first):
        differs = _number(
            session,
            f"SELECT count(*) FROM {origin} JOIN {made} ON m0.k = {table}.k WHERE "
            f"{place[name]} IS DISTINCT FROM {table}.c{position} "
            f"AND ({starred}) IS NOT TRUE",
        )
        if differs:
            how = "in this order" if key is None else f"by {key!r}"
            raise SourceError(
                f"{other.source} has another {name!r} than {source} in {counted(differs, 'row')}, "
                f"matched {how}; it is a release of another table, or its rows are in another "
                "order",
                code="other-values",
                file=other.source,
                column=name,
                remedy="name a key column that both have",
            )


def _number(session: SqlSession, question: str) -> int:
    ((answer,),) = session.rows(question)
    return whole_number(answer)
