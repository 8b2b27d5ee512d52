"""The people of a release in plain SQL: no code of the search or the measures is used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engines.messages.released_people import KEPT, PeopleMetrics, ReleasedPeople
from sfumato.engines.messages.rewrite_plan import SuppressedRows
from sfumato.engines.messages.written_metrics import Lifts
from sfumato.engines.sql.coarser import coarser_table
from sfumato.engines.sql.people import key_parts, with_key
from sfumato.engines.sql.released_rows import class_digest, join_lookups, output_columns
from sfumato.engines.sql.session import whole_number
from sfumato.engines.sql.statements import people_security

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.messages.grouped_counts import PersonKey
    from sfumato.engines.messages.released_people import PeopleQuestion
    from sfumato.engines.messages.rewrite_plan import FileFormat, RewritePlan
    from sfumato.engines.sql.opened_table import OpenedTable, SessionT_co
    from sfumato.engines.sql.session import SqlSession


def released_table(
    table: OpenedTable[SessionT_co],
    plan: RewritePlan,
    file_format: FileFormat,
    person: PersonKey,
) -> OpenedTable[SessionT_co]:
    """Return all rows of the source as the plan writes them, with their people.

    Suppressed rows are there too, with ``*`` as labels and their own values; the column `KEPT`
    tells them apart.
    """
    # The key counts by its own values, also where a part of it is released as a coarser one.
    source = coarser_table(with_key(table, person), plan.coarser)
    every = replace(plan, suppressed_rows=SuppressedRows.STAR, emptied=())
    joined = join_lookups(source, every)
    outputs = [
        *output_columns(source, every, joined, file_format),
        f"CASE WHEN {joined.kept} THEN 'yes' ELSE 'no' END",
        *(f"origin_rows.c{place}" for place in key_parts(source)),
    ]
    listing = ", ".join(f"{output} AS c{place}" for place, output in enumerate(outputs))
    parts = tuple(source.names[place] for place in key_parts(source))
    return source.with_columns(
        f"(SELECT {joined.hint} {listing} FROM {joined.sql}) AS released",
        names=(*plan.columns, KEPT, *parts),
    )


def released_people(released: OpenedTable[SqlSession], question: PeopleQuestion) -> ReleasedPeople:
    """Return the people of released rows.

    Classes are rows with equal labels. The suppressed rows are one class, whose label is nothing.
    """
    session, dialect = released.session, released.dialect
    blocks = [f"q{q}" for q in range(len(question.quasi_identifiers))]
    kept = f"{released.text(KEPT)} = 'yes'"
    labels = [
        f"CASE WHEN {kept} THEN {released.text(name)} END AS {block}"
        for name, block in zip(question.quasi_identifiers, blocks, strict=True)
    ]
    gaps = "".join(f", {dialect.literal(marker)}" for marker in question.person.markers)
    values = {name: f"v{place}" for place, name in enumerate(question.sensitive)}
    gap = dialect.literal(question.missing_label)

    def value_of(name: str) -> str:
        text = released.text(name)
        missing = f"{text} IS NULL" + (f" OR {text} IN ({gaps[2:]})" if gaps else "")
        return f"CASE WHEN {missing} THEN {gap} ELSE {text} END"

    texts = [f"{value_of(name)} AS {value}" for name, value in values.items()]
    column_of = dict(values)
    for name, named in question.statements.rule_values.items() if question.statements else ():
        column_of[name] = f"r{len(column_of)}"
        text = value_of(name)
        # Of a column that only rules name no other value has to be told apart.
        some = f"CASE WHEN {text} IN ({', '.join(map(dialect.literal, named))}) THEN {text} END"
        texts.append(f"{some} AS {column_of[name]}")
    parts = [f"p{place}" for place in range(len(question.person.columns))]
    keys = [f"c{at} AS {part}" for at, part in zip(key_parts(released), parts, strict=True)]
    listing = ", ".join([f"CASE WHEN {kept} THEN 1 ELSE 0 END AS kept", *labels, *texts, *keys])
    session.materialize(
        "released_cells", f"SELECT {listing}, count(*) AS m FROM {released.sql} GROUP BY ALL"
    )
    cells = session.named("released_cells")
    by_class, person = ", ".join(["kept", *blocks]), ", ".join(parts)
    session.materialize("members", f"SELECT DISTINCT {by_class}, {person} FROM {cells}")
    members = session.named("members")
    session.materialize(
        "peopled", f"SELECT {by_class}, count(*) AS n FROM {members} GROUP BY {by_class}"
    )
    peopled = session.named("peopled")
    sizes = session.rows(f"SELECT n, count(*) FROM {peopled} WHERE kept = 1 GROUP BY n")
    same = _same("members", "peopled", blocks)
    least, least_kept = (
        session.rows(
            f"SELECT least_n, count(*) FROM (SELECT min(n) AS least_n FROM {members} AS members "
            f"JOIN {peopled} AS peopled ON {same}{which} GROUP BY {person}) AS smallest "
            "GROUP BY least_n"
        )
        for which in ("", " WHERE members.kept = 1")
    )
    return ReleasedPeople(
        classes=class_digest(
            session,
            f"SELECT {', '.join(blocks)}, sum(m) AS n FROM {cells} WHERE kept = 1 "
            f"GROUP BY {', '.join(blocks)}",
        ),
        class_people=_counts(sizes),
        least_people=_counts(least),
        least_kept_people=_counts(least_kept),
        sensitive={
            name: _sensitive(
                session,
                cells,
                blocks,
                parts,
                value,
                question.shares[name],
                unknown=None if question.missing_is_value else question.missing_label,
            )
            for name, value in values.items()
        },
        security=people_security(
            session, cells, ["kept", *blocks], parts, column_of, question.statements
        )
        if question.statements
        else None,
    )


def _same(one: str, other: str, blocks: Sequence[str]) -> str:
    """Return the condition that two rows are of one class."""
    labels = [f"{one}.{block} IS NOT DISTINCT FROM {other}.{block}" for block in blocks]
    return " AND ".join([f"{one}.kept = {other}.kept", *labels])


def _sensitive(
    session: SqlSession,
    cells: str,
    blocks: Sequence[str],
    parts: Sequence[str],
    value: str,
    shares: Mapping[str, float],
    *,
    unknown: str | None,
) -> PeopleMetrics:
    """Return the worst classes: everybody weighs 1, split over their different values.

    A value ``unknown`` is one of t, and none of l: there, those count who have another one.
    """
    session.fill("source_shares", {"v": list(shares), "share": list(shares.values())})
    by_class, person = ", ".join(["kept", *blocks]), ", ".join(parts)
    session.materialize(
        "own_values", f"SELECT DISTINCT {by_class}, {person}, {value} AS v FROM {cells}"
    )
    own = session.named("own_values")
    session.materialize(
        "own_counts",
        f"SELECT {by_class}, {person}, count(*) AS many FROM {own} GROUP BY {by_class}, {person}",
    )
    same_person = " AND ".join(f"own_values.{part} = own_counts.{part}" for part in parts)
    named = ", ".join(["own_values.kept", *(f"own_values.{block}" for block in blocks)])
    session.materialize(
        "value_counts",
        f"SELECT {named}, own_values.v AS v, count(*) AS having_it, "
        "sum(CAST(1 AS DOUBLE) / own_counts.many) AS weight "
        f"FROM {own} AS own_values JOIN {session.named('own_counts')} AS own_counts "
        f"ON {_same('own_values', 'own_counts', blocks)} AND {same_person} "
        f"GROUP BY {named}, own_values.v",
    )
    counts = session.named("value_counts")
    same = _same("value_counts", "peopled", blocks)
    is_known = "true" if unknown is None else f"v <> {session.dialect.literal(unknown)}"
    session.materialize(
        "knowing",
        f"SELECT {by_class}, count(*) AS n FROM (SELECT DISTINCT {by_class}, {person} FROM {own} "
        f"WHERE {is_known}) AS known_people GROUP BY {by_class}",
    )
    having, weight = (
        f"CASE WHEN value_counts.{is_known} THEN {each} END" if unknown is not None else each
        for each in ("having_it", "weight")
    )
    of_class = ", ".join(["peopled.kept", *(f"peopled.{block}" for block in blocks)])
    (found,) = session.rows(
        f"""
        WITH worst AS (
            SELECT CASE WHEN max({having}) = any_value(knowing.n) THEN 1 ELSE count({having}) END
                    AS different,
                coalesce(any_value(knowing.n) / max({having}), 0) AS even,
                coalesce(exp(ln(sum({weight})) - sum({weight} * ln({weight})) / sum({weight})), 0)
                    AS spread,
                1 - sum(least(weight / peopled.n, coalesce(share, 0))) AS distance,
                max(weight / peopled.n / share) AS most, min(weight / peopled.n / share) AS fewest,
                max(CASE WHEN (weight / peopled.n - share) / share > -ln(share) THEN 1 ELSE 0 END)
                    AS beyond
            FROM {counts} AS value_counts JOIN {session.named("peopled")} AS peopled ON {same}
            LEFT JOIN {session.named("knowing")} AS knowing
                ON {_same("value_counts", "knowing", blocks)}
            LEFT JOIN {session.named("source_shares")} AS shares ON value_counts.v = shares.v
            WHERE peopled.kept = 1 GROUP BY {of_class}
        )
        SELECT coalesce(min(different), 0), coalesce(min(even), 0), coalesce(min(spread), 0),
            coalesce(max(distance), 1), max(most), min(fewest), max(beyond)
        FROM worst
        """
    )
    among = f"{_same('own_values', 'value_counts', blocks)} AND own_values.v = value_counts.v"
    owners = ", ".join(f"own_values.{part}" for part in parts)
    ((own_counts,),) = session.rows(
        f"SELECT sum(fewest) FROM (SELECT min(having_it) AS fewest FROM {own} AS own_values "
        f"JOIN {counts} AS value_counts ON {among} GROUP BY {owners}) AS by_person"
    )
    return PeopleMetrics(
        distinct=whole_number(found[0]),
        frequency=float(found[1]),  # type: ignore[arg-type]
        entropy=float(found[2]),  # type: ignore[arg-type]
        distance=max(0.0, float(found[3])),  # type: ignore[arg-type]
        own_counts=whole_number(own_counts),
        lifts=Lifts.of(found[4], found[5], found[6]),
    )


def _counts(rows: Sequence[tuple[object, ...]]) -> dict[int, int]:
    return {whole_number(size): whole_number(count) for size, count in rows}
