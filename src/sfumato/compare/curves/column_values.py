"""The values of a column by which the rows of a comparison are divided into groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.microdata.count_table import CountTable


def table_of(vector: PropertyVector, column: str) -> CountTable:
    """Return the count table of a vector, which has the columns; plain rows have none."""
    table = vector.individuals.table
    if table is None:
        raise SettingsError(
            f"vectors of plain rows have no column {column!r}",
            code="unknown-column",
            column=column,
            found=repr(column),
            remedy="compare recodings of a study",
        )
    return table


def column_values(
    table: CountTable, column: str, *, most: int | None = None
) -> tuple[tuple[str, ...], Counts]:
    """Return the values of a column and the value of every entry of the table.

    A quasi-identifier has its original values; with ``most`` it has the blocks of the finest level
    of its hierarchy with at most so many (or of the coarsest with more than one).
    """
    if column in table.names:
        position = table.names.index(column)
        hierarchy, level = table.hierarchies[position], table.minimum_levels[position]
        leaves = np.repeat(table.cell_codes[position], np.diff(table.entry_starts))
        if most is not None:
            levels = range(level, hierarchy.height)
            telling = [each for each in levels if hierarchy.block_count(each) > 1]
            few = [each for each in telling if hierarchy.block_count(each) <= most]
            level = few[0] if few else telling[-1] if telling else level
        return hierarchy.labels[level], hierarchy.levels[level][leaves].astype(np.int64)
    if column in table.columns:
        codes = table.entry_codes[list(table.columns).index(column)]
        return table.columns[column].values, codes.astype(np.int64)
    known = (*table.names, *table.columns)
    raise SettingsError(
        f"there is no column {column!r} to divide the rows by",
        code="unknown-column",
        column=column,
        found=repr(column),
        expected=known,
        suggestion=closest(column, known),
    )
