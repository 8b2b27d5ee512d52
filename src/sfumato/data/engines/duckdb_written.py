"""The figures of a written file in plain SQL: no code of the search or the measures is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.engines.duckdb_rewrite import STAR, content_digest
from sfumato.data.engines.duckdb_secrets import written_security
from sfumato.data.engines.sql_text import literal, value_text
from sfumato.data.written_figures import SensitiveFigures, WrittenFigures

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from sfumato.data.engines.duckdb_relation import Relation
    from sfumato.data.written_figures import WrittenQuestion


def written_figures(
    connection: duckdb.DuckDBPyConnection,
    relation: Relation,
    kinds: Mapping[str, str],
    question: WrittenQuestion,
) -> WrittenFigures:
    """Return the figures of the rows of a relation."""
    place = {name: (f"c{p}", kinds[name]) for p, name in enumerate(relation.names)}
    blocks = [f"q{q}" for q in range(len(question.quasi_identifiers))]
    texts = [
        f"{value_text(*place[name])} AS {block}"
        for name, block in zip(question.quasi_identifiers, blocks, strict=True)
    ]
    counted = dict.fromkeys([*question.sensitive, *([question.label] if question.label else [])])
    values = {name: f"s{number}" for number, name in enumerate(counted)}
    texts += [f"{_value(*place[name], question)} AS {value}" for name, value in values.items()]
    column_of = dict(values)
    for name, named in question.secrets.rule_values.items() if question.secrets else ():
        column_of[name] = f"r{len(column_of)}"
        text = _value(*place[name], question)
        # Of a column that only rules name no other value has to be told apart.
        some = f"CASE WHEN {text} IN ({', '.join(map(literal, named))}) THEN {text} END"
        texts.append(f"{some} AS {column_of[name]}")
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE cells AS SELECT {', '.join(texts)}, count(*) AS m "
        f"FROM {relation.sql} GROUP BY ALL"
    )
    starred = 0
    if question.starred:
        all_starred = " AND ".join(
            f"{block} IS NOT DISTINCT FROM {literal(STAR)}" for block in blocks
        )
        starred = _number(connection, f"SELECT sum(m) FROM cells WHERE {all_starred}")
        connection.execute(f"DELETE FROM cells WHERE {all_starred}")
    by_class = ", ".join(blocks)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE classes AS SELECT {by_class}, sum(m) AS n FROM cells "
        f"GROUP BY {by_class}"
    )
    found = connection.execute(
        "SELECT coalesce(sum(n), 0), count(*), coalesce(min(n), 0), coalesce(sum(n * n), 0) "
        "FROM classes"
    ).fetchone()
    assert found is not None
    labels = {}
    for name, block in zip(question.quasi_identifiers, blocks, strict=True):
        rows = connection.execute(
            f"SELECT {block}, sum(n) FROM classes GROUP BY {block}"
        ).fetchall()
        labels[name] = {label: int(count) for label, count in rows}
    return WrittenFigures(
        columns=relation.names,
        rows=int(found[0]),
        starred=starred,
        classes=int(found[1]),
        smallest=int(found[2]),
        squares=int(found[3]),
        labels=labels,
        sensitive={
            name: _sensitive(connection, blocks, values[name], question.all_rows[name])
            for name in question.sensitive
        },
        majority=_majority(connection, by_class, values[question.label])
        if question.label
        else None,
        security=written_security(connection, blocks, column_of, question.secrets)
        if question.secrets
        else None,
        content=content_digest(
            connection, relation.sql, [(f"c{p}", kinds[n]) for p, n in enumerate(relation.names)]
        ),
    )


def _value(column: str, kind: str, question: WrittenQuestion) -> str:
    text = value_text(column, kind)
    gaps = ", ".join(map(literal, question.markers))
    missing = f"{text} IS NULL" + (f" OR {text} IN ({gaps})" if gaps else "")
    return f"CASE WHEN {missing} THEN {literal(question.missing_label)} ELSE {text} END"


def _sensitive(
    connection: duckdb.DuckDBPyConnection,
    blocks: list[str],
    value: str,
    all_rows: Mapping[str, int],
) -> SensitiveFigures:
    connection.execute("CREATE OR REPLACE TEMP TABLE source_values (v VARCHAR, share DOUBLE)")
    total = sum(all_rows.values())
    connection.execute(
        "INSERT INTO source_values SELECT unnest(?), unnest(?)",
        [list(all_rows), [count / total for count in all_rows.values()]],
    )
    by_class = ", ".join(blocks)
    same_class = " AND ".join(f"counts.{b} IS NOT DISTINCT FROM classes.{b}" for b in blocks)
    named = ", ".join(f"classes.{b}" for b in blocks)
    found = connection.execute(
        f"""
        WITH counts AS (
            SELECT {by_class}, {value} AS v, sum(m) AS m FROM cells GROUP BY {by_class}, {value}
        ), worst AS (
            SELECT count(*) AS different,
                any_value(n) / max(m) AS even,
                sum(m * m) AS own,
                exp(ln(any_value(n)) - sum(m * ln(m)) / any_value(n)) AS spread,
                1 - sum(least(m / n, coalesce(share, 0))) AS distance
            FROM counts JOIN classes ON {same_class}
            LEFT JOIN source_values ON counts.v = source_values.v
            GROUP BY {named}
        )
        SELECT coalesce(min(different), 0), coalesce(min(even), 0), coalesce(min(spread), 0),
            coalesce(sum(own), 0), coalesce(max(distance), 1)
        FROM worst
        """
    ).fetchone()
    assert found is not None
    return SensitiveFigures(
        distinct=int(found[0]),
        frequency=float(found[1]),
        entropy=float(found[2]),
        own_counts=int(found[3]),
        distance=max(0.0, float(found[4])),
    )


def _majority(connection: duckdb.DuckDBPyConnection, by_class: str, value: str) -> int:
    return _number(
        connection,
        f"SELECT sum(most) FROM (SELECT max(m) AS most FROM (SELECT {by_class}, sum(m) AS m "
        f"FROM cells GROUP BY {by_class}, {value}) GROUP BY {by_class})",
    )


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    found = connection.execute(query).fetchone()
    return int(found[0] or 0) if found is not None else 0
