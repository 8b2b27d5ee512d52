"""The cells of a numeric table as standardized points, and the squared errors of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.hierarchies.domains.domain import DateDomain, MissingDomain, NumberDomain

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable


def standardized_points(table: CountTable, *, asker: str) -> Floats:
    """Return a row for every cell: its values with mean 0 and variance 1 over the rows.

    A column whose values are all equal is 0. Columns must be numbers or dates without missing
    values.
    """
    positions = []
    for q, identifier in enumerate(table.quasi_identifiers):
        codes = table.cell_codes[q]
        _check(identifier, codes, asker=asker)
        # A cell has the first leaf of a block of the minimum level: take its middle.
        hierarchy, least = identifier.hierarchy, identifier.minimum_level
        blocks = hierarchy.levels[least][codes]
        positions.append(codes + (hierarchy.block_sizes(least)[blocks] - 1) / 2)
    points: Floats = np.array(positions, dtype=np.float64).T
    weights = table.cell_sizes / table.rows
    points = points - weights @ points
    deviations = np.sqrt(weights @ points**2)
    deviations[deviations == 0] = 1.0
    return np.ascontiguousarray(points / deviations)


def _check(identifier: CountedQuasiIdentifier, codes: Codes, *, asker: str) -> None:
    domain = identifier.hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if not isinstance(known, NumberDomain | DateDomain):
        raise SettingsError(
            f"method {asker!r} needs numbers, and column {identifier.name!r} has categories",
            code="conflicting-settings",
            column=identifier.name,
            key="method",
            found=repr(asker),
            remedy="choose another method, like 'ruin-and-recreate'",
        )
    if identifier.missing_leaf is not None and (codes == identifier.missing_leaf).any():
        raise SettingsError(
            f"method {asker!r} needs numbers, and column {identifier.name!r} has missing values",
            code="conflicting-settings",
            column=identifier.name,
            key="method",
            found=repr(asker),
            remedy="leave out the rows with missing values, or choose another method",
        )


def squared_errors(points: Floats, sizes: Counts, classes: Codes | Counts) -> float:
    """Return SSE: the squared distances of all rows to the average of their class."""
    rows = np.bincount(classes, weights=sizes)
    total = 0.0
    for column in points.T:
        average = np.bincount(classes, weights=sizes * column) / rows
        total += float((sizes * (column - average[classes]) ** 2).sum())
    return total
