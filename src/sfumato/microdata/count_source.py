"""The one pipeline from a source to its count table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.grouped_counts import PersonKey
from sfumato.errors import SettingsError
from sfumato.microdata.combination_guard import MOST_COMBINATIONS, check_combinations
from sfumato.microdata.counting import build_count_table, counted_attributes
from sfumato.microdata.minimum_levels import fit_minimum_levels
from sfumato.microdata.population_counting import count_population
from sfumato.microdata.roles import Role, person_columns
from sfumato.microdata.statement_check import (
    check_meaning,
    check_roles,
    check_values,
    rule_columns,
    unused_rules,
)
from sfumato.microdata.value_coding import is_missing
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import CoarserValues, GroupedCounts
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.population import Population
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import Source
    from sfumato.statements.confidential import ConfidentialStatements


@dataclass(frozen=True, kw_only=True)
class Counting:
    """What is counted, and how: everything between a source and its count table.

    ``statements`` are the confidential statements, if there are any. Nothing is counted where more
    than about ``most_combinations`` distinct combinations are expected. Values that ``coarser``
    lists, or has a rule for, are counted as those that are released in their place. The table of
    the ``population`` is counted by the same values, if there is one.
    """

    source: Source
    attributes: Sequence[Attribute]
    missing: MissingValues
    engine: CountingEngine
    statements: ConfidentialStatements | None = None
    most_combinations: int = MOST_COMBINATIONS
    coarser: CoarserValues = field(default_factory=dict)
    population: Population | None = None


def told_apart(
    statements: ConfidentialStatements | None, counted: Collection[str], missing: MissingValues
) -> dict[str, tuple[str, ...]]:
    """Return the columns that only rules name, with the texts of them that matter to the rules."""
    if statements is None:
        return {}
    return {
        name: (*values, *(missing.markers if missing.label in values else ()))
        for name, values in rule_columns(statements, counted).items()
    }


def person_key(
    attributes: Sequence[Attribute], missing: MissingValues, *, most: int | None = None
) -> PersonKey | None:
    """Return the columns that tell who a row is about; None if there are none."""
    columns = person_columns(attributes)
    return PersonKey(columns=columns, markers=missing.markers, most=most) if columns else None


def count_source(counting: Counting, *, columns: Sequence[str]) -> CountTable:
    """Return the count table of a source that has these ``columns``: one GROUP BY.

    Columns that only rules of confidential statements name are part of the GROUP BY by the values
    that the rules name: no other value of them, and nothing else of an identifying column, gets
    past the engine. The statements are checked against the values that occur.
    """
    source, attributes, missing = counting.source, counting.attributes, counting.missing
    engine, statements = counting.engine, counting.statements
    if statements is not None:
        check_roles(statements, attributes, others=columns)
        _check_minimum_levels(statements, attributes)
    counted = [attribute.name for attribute in counted_attributes(attributes)]
    beside = told_apart(statements, counted, missing)
    minimum_levels = fit_minimum_levels(engine, source, attributes, missing=missing)
    check_combinations(
        engine,
        source,
        attributes,
        coarser=minimum_levels.coarser,
        released=counting.coarser,
        missing=missing,
        most=counting.most_combinations,
        told_apart=beside,
    )
    grouped = engine.count(
        source,
        [*counted, *beside],
        coarser={**minimum_levels.coarser, **counting.coarser},
        told_apart=beside,
        person=person_key(attributes, missing, most=counting.most_combinations),
    )
    table = build_count_table(
        grouped,
        attributes,
        missing=missing,
        where=str(source),
        fitted=minimum_levels.fitted,
        statements=statements,
    )
    population = counting.population
    if population is not None and population.table is not None:
        counted_population = count_population(
            source_of(population.table),
            table,
            engine=engine,
            missing=missing,
            coarser={**minimum_levels.coarser, **counting.coarser},
            includes_sample=population.includes_sample,
        )
        table = replace(table, population=counted_population)
    if statements is None:
        return table
    return _with_checked_statements(counting, statements, table, grouped, beside)


def _with_checked_statements(
    counting: Counting,
    statements: ConfidentialStatements,
    table: CountTable,
    grouped: GroupedCounts,
    beside: Collection[str],
) -> CountTable:
    """Refuse statements about values that do not occur; note those that mean nothing."""
    missing = counting.missing
    identifying = {a.name for a in counting.attributes if a.role is Role.IDENTIFYING}

    def has(name: str, value: str) -> bool:
        return value in known_values(name) or (
            name in table.names
            and table.hierarchies[table.names.index(name)].locate([value])[0] >= 0
        )

    def known_values(name: str) -> Collection[str]:
        if name in table.columns:
            return table.columns[name].values
        return _texts(grouped, name, missing)

    def suggested(name: str) -> Collection[str]:
        if name in identifying:
            return ()
        if name in beside:
            grouped = counting.engine.count(counting.source, [name], coarser=counting.coarser)
            return _texts(grouped, name, missing)
        return known_values(name)

    for statement in statements.rules:
        check_values(statement.protect, has, suggested)
        if statement.where is not None:
            check_values(statement.where, has, suggested)
    assert table.statements is not None
    values = {name: column.values for name, column in table.columns.items()}
    notes = check_meaning(table.statements, table.rows, values)
    notes += unused_rules(table.statements)
    return replace(table, statements=replace(table.statements, notes=tuple(notes)))


def _check_minimum_levels(
    statements: ConfidentialStatements, attributes: Sequence[Attribute]
) -> None:
    """Refuse rules about columns that are counted by blocks: nobody could tell whom they mean."""
    minimum_levels = {
        attribute.name: attribute.minimum_level
        for attribute in attributes
        if attribute.minimum_level
    }
    for statement in statements.rules:
        for name in statement.where.columns if statement.where else ():
            if name in minimum_levels:
                raise SettingsError(
                    f"the rule {str(statement.where)!r} names values of column {name!r}, whose "
                    "rows are counted by the blocks of its minimum level, level "
                    f"{minimum_levels[name]}",
                    code="conflicting-settings",
                    column=name,
                    key="where",
                    found=repr(str(statement.where)),
                    remedy="leave out the minimum level, or name another column",
                )


def _texts(grouped: GroupedCounts, name: str, missing: MissingValues) -> set[str]:
    """Return the texts of a column that occur, missing values by their label."""
    column = grouped.columns[name]
    gap = is_missing(column, missing)
    occurring = np.unique(column.codes)
    return {missing.label if gap[code] else str(column.values[code]) for code in occurring}
