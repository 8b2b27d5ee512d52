"""The metrics of a written file in plain SQL: no code of the search or the measures is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.rewrite_plan import STAR
from sfumato.engines.messages.written_metrics import Lifts, SensitiveMetrics, WrittenMetrics
from sfumato.engines.sql.released_rows import class_digest, table_digest
from sfumato.engines.sql.session import whole_number
from sfumato.engines.sql.statements import written_security

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.messages.written_metrics import ClassLosses, WrittenQuestion
    from sfumato.engines.sql.opened_table import OpenedTable
    from sfumato.engines.sql.session import SqlSession, Values


def written_metrics(table: OpenedTable[SqlSession], question: WrittenQuestion) -> WrittenMetrics:
    """Return the metrics of the rows of a table."""
    session, dialect = table.session, table.dialect
    blocks = [f"q{q}" for q in range(len(question.quasi_identifiers))]
    texts = [
        f"{table.text(name)} AS {block}"
        for name, block in zip(question.quasi_identifiers, blocks, strict=True)
    ]
    counted = dict.fromkeys([*question.sensitive, *([question.label] if question.label else [])])
    values = {name: f"s{number}" for number, name in enumerate(counted)}
    texts += [f"{_value(table, name, question)} AS {value}" for name, value in values.items()]
    column_of = dict(values)
    for name, named in question.statements.rule_values.items() if question.statements else ():
        column_of[name] = f"r{len(column_of)}"
        text = _value(table, name, question)
        # Of a column that only rules name no other value has to be told apart.
        some = f"CASE WHEN {text} IN ({', '.join(map(dialect.literal, named))}) THEN {text} END"
        texts.append(f"{some} AS {column_of[name]}")
    session.materialize(
        "all_cells", f"SELECT {', '.join(texts)}, count(*) AS m FROM {table.sql} GROUP BY ALL"
    )
    cells, starred = session.named("all_cells"), 0
    if question.starred:
        all_starred = " AND ".join(
            f"{block} IS NOT DISTINCT FROM {dialect.literal(STAR)}" for block in blocks
        )
        starred = _number(session, f"SELECT sum(m) FROM {cells} WHERE {all_starred}")
        cells = f"(SELECT * FROM {cells} WHERE NOT ({all_starred})) AS cells"
    by_class = ", ".join(blocks)
    session.materialize(
        "classes", f"SELECT {by_class}, sum(m) AS n FROM {cells} GROUP BY {by_class}"
    )
    classes = session.named("classes")
    sizes = session.rows(f"SELECT n, count(*) FROM {classes} GROUP BY n")
    labels: dict[str, dict[str | None, int]] = {name: {} for name in question.quasi_identifiers}
    by_label = " UNION ALL ".join(
        f"SELECT {q} AS q, {block} AS label, sum(n) AS n FROM {classes} GROUP BY {block}"
        for q, block in enumerate(blocks)
    )
    for q, label, count in session.rows(by_label):
        name = question.quasi_identifiers[whole_number(q)]
        labels[name][None if label is None else str(label)] = whole_number(count)
    return WrittenMetrics(
        columns=table.names,
        starred=starred,
        class_sizes={whole_number(size): whole_number(count) for size, count in sizes},
        row_losses=_row_losses(session, blocks, question.losses),
        labels=labels,
        sensitive={
            name: _sensitive(
                session,
                cells,
                blocks,
                values[name],
                question.all_rows[name],
                unknown=None if question.missing_is_value else question.missing_label,
            )
            for name in question.sensitive
        },
        majority=_majority(session, cells, by_class, values[question.label])
        if question.label
        else None,
        security=written_security(session, cells, blocks, column_of, question.statements)
        if question.statements
        else None,
        content=table_digest(table),
        class_content=class_digest(session, f"SELECT {by_class}, n FROM {classes}"),
    )


def _row_losses(
    session: SqlSession,
    blocks: Sequence[str],
    losses: tuple[Mapping[str, float], ...] | ClassLosses,
) -> dict[float, int]:
    """Return how many rows lose how much; a label that the recoding does not have loses nothing."""
    tables, lost = (
        _losses_of_labels(session, blocks, losses)
        if isinstance(losses, tuple)
        else _losses_of_classes(session, blocks, losses)
    )
    hint = f"/*+ BROADCAST({', '.join(tables)}) */"
    joins = " ".join(
        f"LEFT JOIN {session.named(name)} AS {name} ON {same}" for name, same in tables.items()
    )
    rows = session.rows(
        f"SELECT x, sum(n) FROM (SELECT {hint} {lost} AS x, n FROM {session.named('classes')} "
        f"AS classes {joins}) AS lost GROUP BY x"
    )
    return {_real(loss): whole_number(count) for loss, count in rows}


def _losses_of_labels(
    session: SqlSession, blocks: Sequence[str], cell_losses: Sequence[Mapping[str, float]]
) -> tuple[dict[str, str], str]:
    """Make a table of losses for every column; return how they are joined, and the sum."""
    joined = {}
    for q, (block, losses) in enumerate(zip(blocks, cell_losses, strict=True)):
        session.fill(f"losses{q}", {"l": list(losses), "x": list(losses.values())})
        joined[f"losses{q}"] = f"classes.{block} = losses{q}.l"
    return joined, " + ".join(f"coalesce({name}.x, CAST(0 AS DOUBLE))" for name in joined)


def _losses_of_classes(
    session: SqlSession, blocks: Sequence[str], classes: ClassLosses
) -> tuple[dict[str, str], str]:
    """Make the table of losses by class; return how it is joined, and the loss."""
    texts: dict[str, Values] = {
        block: list(labels) for block, labels in zip(blocks, classes.labels, strict=True)
    }
    session.fill("losses", texts | {"x": classes.losses.tolist()})
    same = " AND ".join(f"classes.{b} IS NOT DISTINCT FROM losses.{b}" for b in blocks)
    return {"losses": same}, "coalesce(losses.x, CAST(0 AS DOUBLE))"


def _value(table: OpenedTable[SqlSession], name: str, question: WrittenQuestion) -> str:
    dialect, text = table.dialect, table.text(name)
    gaps = ", ".join(map(dialect.literal, question.markers))
    missing = f"{text} IS NULL" + (f" OR {text} IN ({gaps})" if gaps else "")
    return f"CASE WHEN {missing} THEN {dialect.literal(question.missing_label)} ELSE {text} END"


def _sensitive(
    session: SqlSession,
    cells: str,
    blocks: list[str],
    value: str,
    all_rows: Mapping[str, int],
    *,
    unknown: str | None,
) -> SensitiveMetrics:
    """Return the worst classes; a value ``unknown`` is one of t, and none of l."""
    total = sum(all_rows.values())
    session.fill(
        "source_values",
        {"v": list(all_rows), "share": [count / total for count in all_rows.values()]},
    )
    by_class = ", ".join(blocks)
    same_class = " AND ".join(f"counts.{b} IS NOT DISTINCT FROM classes.{b}" for b in blocks)
    named = ", ".join(f"classes.{b}" for b in blocks)
    known = "m"
    if unknown is not None:
        known = f"CASE WHEN counts.v <> {session.dialect.literal(unknown)} THEN m END"
    (found,) = session.rows(
        f"""
        WITH counts AS (
            SELECT {by_class}, {value} AS v, sum(m) AS m FROM {cells}
            GROUP BY {by_class}, {value}
        ), worst AS (
            SELECT count({known}) AS different,
                coalesce(sum({known}) / max({known}), 0) AS even,
                sum(m * m) AS own,
                coalesce(exp(ln(sum({known})) - sum({known} * ln({known})) / sum({known})), 0)
                    AS spread,
                1 - sum(least(m / n, coalesce(share, 0))) AS distance,
                max(m / n / share) AS most, min(m / n / share) AS fewest,
                max(CASE WHEN (m / n - share) / share > -ln(share) THEN 1 ELSE 0 END) AS beyond
            FROM counts JOIN {session.named("classes")} AS classes ON {same_class}
            LEFT JOIN {session.named("source_values")} AS shares ON counts.v = shares.v
            GROUP BY {named}
        )
        SELECT coalesce(min(different), 0), coalesce(min(even), 0), coalesce(min(spread), 0),
            coalesce(sum(own), 0), coalesce(max(distance), 1),
            max(most), min(fewest), max(beyond)
        FROM worst
        """
    )
    return SensitiveMetrics(
        distinct=whole_number(found[0]),
        frequency=_real(found[1]),
        entropy=_real(found[2]),
        own_counts=whole_number(found[3]),
        distance=max(0.0, _real(found[4])),
        lifts=Lifts.of(found[5], found[6], found[7]),
    )


def _majority(session: SqlSession, cells: str, by_class: str, value: str) -> int:
    return _number(
        session,
        f"SELECT sum(most) FROM (SELECT max(m) AS most FROM (SELECT {by_class}, sum(m) AS m "
        f"FROM {cells} GROUP BY {by_class}, {value}) GROUP BY {by_class})",
    )


def _number(session: SqlSession, query: str) -> int:
    ((found,),) = session.rows(query)
    return whole_number(found)


def _real(value: object) -> float:
    return float(value)  # type: ignore[arg-type]
