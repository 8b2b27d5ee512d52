"""Sampling weights: how many people of the population the rows of every cell stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.column_names import check_columns
from sfumato.errors import SettingsError, SourceError
from sfumato.microdata.population_counting import leaves_of_texts

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.sources.source import Source


def count_weights(
    source: Source,
    table: CountTable,
    column: str,
    *,
    engine: CountingEngine,
    missing: MissingValues,
    coarser: CoarserValues,
) -> Floats:
    """Return the sum of the weights of every cell, by one GROUP BY over cells and weights."""
    if table.people is not None:
        raise SettingsError(
            "sampling weights are those of rows, and the study has a person key",
            code="conflicting-settings",
            key="weights",
            column=column,
            remedy="leave out the person key, or give the size of the population",
        )
    if table.dropped_rows:
        raise SettingsError(
            f"{table.dropped_rows:,} rows with missing values are left out, and the others do not "
            "stand for them",
            code="conflicting-settings",
            key="weights",
            column=column,
            remedy='count missing values as a category: policy = "category" under [missing]',
        )
    check_columns([*table.names, column], engine.columns(source), where=str(source))
    grouped = engine.count(
        source,
        [*table.names, column],
        coarser={name: rule for name, rule in coarser.items() if name in table.names},
    )
    weights = _numbers(grouped.columns[column].values, grouped.columns[column].codes, column)
    codes = np.stack(
        [
            leaves_of_texts(grouped.columns[each.name], each, missing)[
                grouped.columns[each.name].codes
            ]
            for each in table.quasi_identifiers
        ]
    ).astype(np.int32)
    return _by_cell(table, codes, weights * grouped.counts)


def _numbers(values: tuple[str | None, ...], codes: Codes, column: str) -> Floats:
    """Return the weight of every group; refuse what is not a number of 1 or more."""
    numbers = np.array([_number(value) for value in values], dtype=np.float64)
    occurring = np.unique(codes)
    wrong = occurring[~(numbers[occurring] >= 1) | ~np.isfinite(numbers[occurring])]
    if wrong.shape[0]:
        first = values[int(wrong[0])]
        raise SourceError(
            f"column {column!r} has {wrong.shape[0]:,} different values that are not sampling "
            "weights",
            code="weights-below-one",
            column=column,
            key="weights",
            found="a missing value" if first is None else repr(first),
            expected="numbers of 1 or more: how many people of the population a row stands for",
        )
    return numbers[codes]


def _number(text: str | None) -> float:
    try:
        return float("nan" if text is None else text)
    except ValueError:
        return float("nan")


def _by_cell(table: CountTable, codes: Codes, sums: Floats) -> Floats:
    every: Counts = np.concatenate((table.cell_codes, codes), axis=1)
    place = np.unique(every, axis=1, return_inverse=True)[1].ravel()
    totals = np.zeros(int(place.max()) + 1)
    np.add.at(totals, place[table.cells :], sums)
    found: Floats = totals[place[: table.cells]]
    return found
