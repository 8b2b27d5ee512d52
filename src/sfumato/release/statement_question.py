"""What a written file is asked about statements: how much of them it tells by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.written_metrics import ProtectingClasses, WrittenStatements
from sfumato.microdata.roles import Role
from sfumato.microdata.statement_check import rule_columns
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.statements.confidential import ConfidentialStatements


def hidden_rules(
    statements: ConfidentialStatements,
    attributes: Sequence[Attribute],
    columns: Collection[str],
    *,
    missing: MissingValues,
    respelled: Collection[str] = (),
) -> str:
    """Return why a table with these columns does not tell who protects what; empty if it does.

    Rules can name columns that are recoded, or that are not released. ``respelled`` are columns
    whose texts in a file are not those that were counted.
    """
    roles = {attribute.name: attribute.role for attribute in attributes}
    sensitive = {a.name for a in attributes if a.role is Role.SENSITIVE or a.label}
    for rule in statements.rules:
        for name in rule.where.columns if rule.where else ():
            role = roles.get(name, Role.INSENSITIVE)
            if role is Role.QUASI_IDENTIFYING:
                return f"a rule names column {name!r}, which is recoded"
            if role is Role.IDENTIFYING:
                return "a rule names an identifying column, which no release has"
            if name not in columns:
                return f"a rule names column {name!r}, which the table lacks"
            if name in respelled:
                return f"a rule names column {name!r}, whose texts are not those that were counted"
            values = rule.where.values_of(name) if rule.where else ()
            if name not in sensitive and {"", missing.label}.intersection(values):
                return (
                    f"a rule names missing or empty values of column {name!r}, which CSV cannot "
                    "tell apart"
                )
    return ""


def written_statements(
    batch: ClassBatch,
    blocks: Sequence[WrittenColumn],
    *,
    kept: Flags,
    attributes: Sequence[Attribute],
    columns: Sequence[str],
    missing: MissingValues,
) -> WrittenStatements | None:
    """Return what to ask a file with these columns; None where its texts do not tell predicates.

    Where it does not tell who protects what, that is added from the source, class by class: the
    file then answers for who satisfies what.
    """
    table = batch.table
    counted = table.statements
    if counted is None:
        return None
    statements = counted.statements
    respelled = {name for name, column in table.columns.items() if column.respelled}
    if any(name in respelled for each in statements.predicates for name in each.columns):
        return None
    beside = rule_columns(statements, [*table.columns, *table.names])
    hidden = hidden_rules(statements, attributes, columns, missing=missing, respelled=respelled)
    return WrittenStatements(
        statements=statements,
        priors=tuple(int(rows) / table.rows for rows in counted.satisfied_rows),
        rule_values={} if hidden else beside,
        classes=_protecting(batch, blocks, kept) if hidden else None,
    )


def people_statements(
    table: CountTable,
    *,
    attributes: Sequence[Attribute],
    columns: Sequence[str],
    missing: MissingValues,
) -> WrittenStatements | None:
    """Return what to ask about the people of a release with these columns, by the source.

    None where its texts do not tell who satisfies or protects what.
    """
    counted = table.statements
    if counted is None:
        return None
    statements = counted.statements
    respelled = {name for name, column in table.columns.items() if column.respelled}
    if any(name in respelled for each in statements.predicates for name in each.columns):
        return None
    if hidden_rules(statements, attributes, columns, missing=missing, respelled=respelled):
        return None
    return WrittenStatements(
        statements=statements,
        priors=tuple(
            table.units_with(StatementPatterns(), flags) / table.units
            for flags in counted.satisfied.T
        ),
        rule_values=rule_columns(statements, [*table.columns, *table.names]),
        classes=None,
    )


def _protecting(
    batch: ClassBatch, blocks: Sequence[WrittenColumn], kept: Flags
) -> ProtectingClasses:
    """Return who protects what in the classes that are kept."""
    statements = batch.table.statements
    assert statements is not None
    counts = batch.counts(StatementPatterns())
    released = np.flatnonzero(kept)

    def by_class(of_pattern: Flags | Floats) -> Counts | Floats:
        sums = np.add.reduceat(counts.counts * of_pattern[counts.values], counts.starts[:-1])
        return np.asarray(sums[released])

    return ProtectingClasses(
        codes=np.stack([batch.codes(q, released).astype(np.int32) for q in range(len(blocks))]),
        labels=tuple(column.labels for column in blocks),
        protecting=np.stack([by_class(flags) for flags in statements.protected.T]),
        damages=np.stack([by_class(damages) for damages in statements.damages.T]),
    )


def rules_as_written(statements: ConfidentialStatements) -> list[dict[str, object]]:
    """Return the rules with all that they say."""
    written = []
    for rule in statements.rules:
        record: dict[str, object] = {"protect": str(rule.protect)}
        if rule.where is not None:
            record["where"] = str(rule.where)
        if rule.damage is not None:
            record["damage"] = rule.damage
        written.append(record)
    return written


def published_statements(
    statements: ConfidentialStatements, attributes: Sequence[Attribute]
) -> list[dict[str, object]]:
    """Return the rules as the public certificate has them: policy, and nothing about people.

    A rule that names values of an identifying column would name people; its condition is left out.
    """
    identifying = {a.name for a in attributes if a.role is Role.IDENTIFYING}
    published = rules_as_written(statements)
    for record, rule in zip(published, statements.rules, strict=True):
        if rule.where is not None and identifying.intersection(rule.where.columns):
            record["where"] = "withheld: it names people"
    return published
