"""The SQL of counting people: their keys become numbers here and go no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.sql.session import whole_number
from sfumato.errors import SourceError
from sfumato.errors.listing import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.grouped_counts import PersonKey
    from sfumato.engines.sql.opened_table import OpenedTable, SessionT_co
    from sfumato.engines.sql.session import SqlSession

_PART = "\x1fperson"
"""Begins the names of the columns that hold the parts of a key; no column of a source does."""


def with_key(table: OpenedTable[SessionT_co], key: PersonKey | None) -> OpenedTable[SessionT_co]:
    """Return the table with the parts of the person key beside its columns, as texts.

    Whatever becomes of its columns afterwards, the key stays what the source says.
    """
    if key is None:
        return table
    known = len(table.names)
    listing = [f"c{place}" for place in range(known)]
    for place, name in enumerate(key.columns, start=known):
        text = table.text(name)
        gaps = "".join(f", {table.dialect.literal(marker)}" for marker in key.markers)
        listing.append(f"CASE WHEN {text} IN (''{gaps}) THEN NULL ELSE {text} END AS c{place}")
    names = (*table.names, *(f"{_PART}{part}" for part in range(len(key.columns))))
    return table.with_columns(
        f"(SELECT {', '.join(listing)} FROM {table.sql}) AS with_key", names=names
    )


def key_parts(table: OpenedTable[SqlSession]) -> list[int]:
    """Return the places of the parts of the person key; none if people are not counted."""
    return [place for place, name in enumerate(table.names) if name.startswith(_PART)]


def group_people(
    table: OpenedTable[SqlSession], combinations: Sequence[str], rows: str, key: PersonKey
) -> None:
    """Make the table ``grouped`` of combinations with their rows (n), person and people.

    ``rows`` is SQL to select from, with columns named ``combinations`` and the parts of the key.
    People who are in one combination only are counted by it, and have the number -1. All others
    get a number each, in the order of nothing but their keys, and a row for every combination
    that they are in.
    """
    session = table.session
    asked = ", ".join(combinations)
    parts = [f"c{place}" for place in key_parts(table)]
    whole = ", ".join(parts)
    session.materialize(
        "by_person", f"SELECT {asked}, {whole}, count(*) AS n FROM {rows} GROUP BY {asked}, {whole}"
    )
    by_person = session.named("by_person")
    _refuse_missing(table, by_person, parts, key)
    session.materialize(
        "several",
        f"SELECT {whole}, row_number() OVER (ORDER BY {whole}) - 1 AS person FROM "
        f"(SELECT {whole} FROM {by_person} GROUP BY {whole} HAVING count(*) > 1) AS repeated",
    )
    several = session.named("several")
    same = " AND ".join(f"by_person.{part} = several.{part}" for part in parts)
    own = ", ".join(f"by_person.{name}" for name in combinations)
    session.materialize(
        "grouped",
        f"SELECT {own}, CAST(sum(by_person.n) AS BIGINT) AS n, CAST(-1 AS BIGINT) AS person, "
        f"count(*) AS people FROM {by_person} AS by_person ANTI JOIN {several} AS several "
        f"ON {same} GROUP BY {own} "
        f"UNION ALL SELECT {own}, by_person.n AS n, CAST(several.person AS BIGINT) AS person, "
        f"CAST(1 AS BIGINT) AS people FROM {by_person} AS by_person JOIN {several} AS several "
        f"ON {same}",
    )
    if key.most is not None:
        _refuse_too_many(table, key.most)


def _refuse_too_many(table: OpenedTable[SqlSession], most: int) -> None:
    """Refuse more groups than are to be held in memory, before they leave the engine."""
    ((groups, pairs, people),) = table.session.rows(
        "SELECT count(*), sum(CASE WHEN person < 0 THEN 0 ELSE 1 END), max(person) + 1 "
        f"FROM {table.session.named('grouped')}"
    )
    if whole_number(groups) <= most:
        return
    raise SourceError(
        f"{table.where} has {whole_number(groups):,} groups to be counted, more than "
        f"most_combinations = {most:,}, above which a count table is taken not to fit in memory; "
        f"{whole_number(pairs):,} of them are by {whole_number(people):,} people who have rows in "
        "several combinations of the counted columns, and are held one by one",
        code="too-many-combinations",
        file=table.where,
        key="most_combinations",
        found=str(most),
        remedy="give quasi-identifiers in which a person's rows differ a minimum level or a "
        "coarser unit, leave out a sensitive column, or raise most_combinations",
    )


def person_minima(table: OpenedTable[SqlSession], key: str) -> dict[str, str]:
    """Return the least keyed hash of the people by its first digits, one scan without a sort.

    Rows without a person count for nobody.
    """
    parts = [f"c{place}" for place in key_parts(table)]
    whole = table.dialect.keyed_hash(parts, key)
    known = " AND ".join(f"{part} IS NOT NULL" for part in parts)
    found = table.session.rows(
        "SELECT substr(h, 1, 3) AS bucket, min(substr(h, 4, 12)) AS least FROM "
        f"(SELECT {whole} AS h FROM {table.sql} WHERE {known}) AS hashed "
        "GROUP BY substr(h, 1, 3)"
    )
    return {str(bucket): str(least) for bucket, least in found}


def _refuse_missing(
    table: OpenedTable[SqlSession], by_person: str, parts: Sequence[str], key: PersonKey
) -> None:
    """Refuse rows that are about nobody: they cannot be counted as one person or as several."""
    gap = " OR ".join(f"{part} IS NULL" for part in parts)
    ((found,),) = table.session.rows(f"SELECT sum(n) FROM {by_person} WHERE {gap}")
    rows = whole_number(found)
    if rows:
        raise SourceError(
            f"{table.where} has {counted(rows, 'row')} without a value in the person key, column "
            f"{listed(key.columns)}: nobody can tell whom they are about",
            code="missing-person",
            file=table.where,
            column=key.columns[0],
            found=str(rows),
            remedy="fill the key in, or leave these rows out of the source",
        )
