"""Queries that somebody wrote, in the values of an analysed table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.domains.date_unit import read_day
from sfumato.hierarchies.domains.exact_number import parse_number
from sfumato.utility.count_queries import Condition, CountQuery
from sfumato.utility.query_parser import parse_query
from sfumato.utility.value_numbers import ValueKind

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.utility.analysed_table import AnalysedColumn, AnalysedTable
    from sfumato.utility.query_parser import AskedCondition

_RANGES = ("between", "<", "<=", ">", ">=")


def asked_query(text: str, table: AnalysedTable) -> CountQuery:
    """Return a query that somebody wrote, or say what in it the table does not have."""
    return CountQuery(
        text=text, conditions=tuple(_condition(each, table, text) for each in parse_query(text))
    )


def _condition(asked: AskedCondition, table: AnalysedTable, text: str) -> Condition:
    place = table.place(asked.column)
    column = table.columns[place]
    if asked.sign in _RANGES:
        values, leaves = _range(asked, column, text)
    else:
        values, leaves = _listed(asked, column, text)
    return Condition(column=place, values=values, leaves=leaves)


def _range(asked: AskedCondition, column: AnalysedColumn, text: str) -> tuple[Floats, Floats]:
    """Return which values lie in a range, and what part of every leaf."""
    numbers = column.numbers
    if numbers is None or column.value_numbers is None:
        raise SettingsError(
            f"the query {text!r} asks for a range of column {asked.column!r}, whose values are "
            "categories",
            code="not-a-number",
            key="queries",
            column=asked.column,
            found=repr(text),
            remedy=f"list the values: {asked.column} in {{value, value}}",
        )
    ends = [_number(word, column, text) for word in asked.words]
    low = ends[0] if asked.sign in ("between", ">", ">=") else -np.inf
    high = ends[-1] if asked.sign in ("between", "<", "<=") else np.inf
    own = column.value_numbers
    above = own > low if asked.sign == ">" else own >= low
    below = own < high if asked.sign == "<" else own <= high
    values = (above & below).astype(np.float64)
    width = numbers.high - numbers.low
    # Dates are counted in whole days: a leaf has both its first and its last one.
    more = 1.0 if column.kind is ValueKind.DATE else 0.0
    overlap = np.minimum(numbers.high, high) - np.maximum(numbers.low, low) + more
    broad = width > 0
    leaves = np.where(broad, overlap / np.where(broad, width + more, 1.0), 0.0)
    points = (numbers.low > low if asked.sign == ">" else numbers.low >= low) & (
        numbers.low < high if asked.sign == "<" else numbers.low <= high
    )
    leaves = np.where(broad, np.clip(leaves, 0.0, 1.0), points)
    return values, np.where(np.isnan(numbers.low), 0.0, leaves).astype(np.float64)


def _number(word: str, column: AnalysedColumn, text: str) -> float:
    if column.kind is ValueKind.DATE:
        day = read_day(word)
        if day is not None:
            return float(day.toordinal())
        expected = "an ISO date like 2024-03-14"
    else:
        number = parse_number(word)
        if number is not None:
            return float(number)
        expected = "a number"
    raise SettingsError(
        f"the query {text!r} compares column {column.name!r} with {word!r}, which is not "
        f"{expected}",
        code="not-a-number",
        key="queries",
        column=column.name,
        found=repr(word),
        expected=expected,
    )


def _listed(asked: AskedCondition, column: AnalysedColumn, text: str) -> tuple[Floats, Floats]:
    """Return which values are listed; the name of a group of the hierarchy means its values."""
    leaves = np.zeros(len(column.leaves), dtype=np.float64)
    for word in asked.words:
        leaves[_leaves_of(word, column, text)] = 1.0
    if asked.sign == "!=":
        leaves = 1.0 - leaves
        if column.missing_leaf is not None:
            leaves[column.missing_leaf] = 0.0
    return leaves[column.leaf_of_value], leaves


def _leaves_of(word: str, column: AnalysedColumn, text: str) -> list[int]:
    if word in column.leaves:
        return [column.leaves.index(word)]
    if column.hierarchy is not None:
        leaf = int(column.hierarchy.locate([word])[0])
        if leaf >= 0:
            return [leaf]
        for level, names in enumerate(column.hierarchy.labels):
            if word in names:
                block = names.index(word)
                return np.flatnonzero(column.hierarchy.levels[level] == block).tolist()
    number = parse_number(word)
    if number is not None and column.numbers is not None:
        same = np.flatnonzero(column.numbers.low == float(number))
        if same.size:
            return same.tolist()
    raise SettingsError(
        f"the query {text!r} names {word!r}, which column {column.name!r} does not have",
        code="unknown-value",
        key="queries",
        column=column.name,
        found=repr(word),
        expected="a value of the column, or a group of its hierarchy",
        suggestion=closest(word, column.leaves),
    )
