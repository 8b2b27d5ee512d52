"""The SQL of columns of which only some values matter, one text for all engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.sql.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.sql.session import SqlDialect


def told_apart_relation(
    dialect: SqlDialect,
    relation: Relation,
    kinds: Mapping[str, str],
    told_apart: Mapping[str, Sequence[str]],
) -> Relation:
    """Return the relation with one text for all that need not be told apart in some columns."""
    if not told_apart:
        return relation
    columns = []
    for position, name in enumerate(relation.names):
        column = f"c{position}"
        if name in told_apart:
            text = dialect.value_text(column, kinds[name])
            named = ", ".join(map(dialect.literal, told_apart[name])) or "NULL"
            other = dialect.literal(_other_text(told_apart[name]))
            column = (
                f"CASE WHEN {text} IS NULL THEN NULL WHEN {text} IN ({named}) THEN {text} "
                f"ELSE {other} END AS c{position}"
            )
        columns.append(column)
    return Relation(
        sql=f"(SELECT {', '.join(columns)} FROM {relation.sql}) AS told_apart", names=relation.names
    )


def _other_text(named: Sequence[str]) -> str:
    other = "other"
    while other in named:
        other += "'"
    return other
