"""On whom a bias falls: gains and losses by groups that are large enough to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.compare.curves.column_values import column_values, table_of
from sfumato.compare.vectors.common_refinement import CommonRefinement, gains_of
from sfumato.microdata.count_table import exact_bincount

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.microdata.count_table import CountTable

MOST_GROUPS = 24


@dataclass(frozen=True, kw_only=True)
class GroupBias:
    """How the rows of a group fare in the first of two anonymizations, against the second.

    ``values`` is how many values of the column were put together: 1, or more for the group of
    all that are rare, which has an empty ``value``. A number of rows that would tell of fewer
    people than may be shown is None, and another one with it, from which it would follow.
    """

    value: str
    values: int
    rows: int
    better_off: int | None
    worse_off: int | None
    unchanged: int | None
    first_mean: float
    second_mean: float


class Grouping(NamedTuple):
    """The group of every entry of a count table, what the groups are called, and their rows."""

    group_of: Counts
    labels: tuple[str, ...]
    values: tuple[int, ...]
    rows: Counts


def grouping(
    table: CountTable, column: str, *, fewest: int = 1, most: int = MOST_GROUPS
) -> Grouping:
    """Divide the rows of a table by a column into at most ``most`` groups and one for the rest.

    A quasi-identifier is divided by the finest level of its hierarchy that has that few blocks
    (or the coarsest that tells anything). Groups of fewer than ``fewest`` rows are put together,
    with as many of the next ones as it takes to make that group large enough as well.
    """
    labels, codes = column_values(table, column, most=most)
    rows = exact_bincount(codes, table.entry_counts, len(labels))
    occurring = np.flatnonzero(rows)
    largest = occurring[np.argsort(-rows[occurring], kind="stable")]
    shown = [int(code) for code in largest[:most] if rows[code] >= fewest]
    rest = int(rows.sum() - rows[shown].sum())
    while shown and 0 < rest < fewest:
        rest += int(rows[shown.pop()])
    shown.sort()
    number = np.full(len(labels), len(shown), dtype=np.int64)
    number[shown] = np.arange(len(shown))
    groups = len(shown) + (1 if rest else 0)
    return Grouping(
        group_of=number[codes],
        labels=(*(labels[code] for code in shown), "")[:groups],
        values=(*(1 for _ in shown), occurring.shape[0] - len(shown))[:groups],
        rows=exact_bincount(number[codes], table.entry_counts, groups),
    )


def group_bias(
    first: PropertyVector, second: PropertyVector, column: str, *, fewest: int = 1
) -> tuple[GroupBias, ...]:
    """Return how the groups of a column fare if the first anonymization replaces the second.

    ``fewest`` is the least number of rows that anything is shown about.
    """
    CommonRefinement.of(first, second)
    table = table_of(first, column)
    return bias_of_groups(first, second, grouping(table, column, fewest=fewest), fewest=fewest)


def bias_of_groups(
    first: PropertyVector, second: PropertyVector, divided: Grouping, *, fewest: int
) -> tuple[GroupBias, ...]:
    """Return the same for rows that are divided already."""
    group_of, labels, values, rows = divided
    counts = first.individuals.counts
    gains = gains_of(first.by_individual, second.by_individual, first.direction)
    better, worse = (
        exact_bincount(group_of[side], counts[side], len(labels)).tolist()
        for side in (gains > 0, gains < 0)
    )
    means = [_sums(vector, group_of, len(labels)) / rows for vector in (first, second)]
    found = []
    for group, label in enumerate(labels):
        size = int(rows[group])
        parts = told((better[group], worse[group], size - better[group] - worse[group]), fewest)
        found.append(
            GroupBias(
                value=label,
                values=values[group],
                rows=size,
                better_off=parts[0],
                worse_off=parts[1],
                unchanged=parts[2],
                first_mean=float(means[0][group]),
                second_mean=float(means[1][group]),
            )
        )
    return tuple(found)


def told(parts: tuple[int, int, int], fewest: int) -> tuple[int | None, ...]:
    """Return the parts of a group with those left out that are too few, and what gives them away.

    >>> told((40, 3, 57), 10), told((3, 0, 97), 10), told((40, 0, 60), 10)
    ((None, None, 57), (None, 0, None), (40, 0, 60))
    """
    hidden = {place for place, part in enumerate(parts) if 0 < part < fewest}
    others = sorted((part, place) for place, part in enumerate(parts) if part >= fewest)
    # What is left out must be enough people together, or their sum would tell of few.
    while hidden and others and (len(hidden) == 1 or sum(parts[p] for p in hidden) < fewest):
        hidden.add(others.pop(0)[1])
    return tuple(None if place in hidden else part for place, part in enumerate(parts))


def _sums(vector: PropertyVector, group_of: Counts, groups: int) -> Floats:
    weights = vector.by_individual.astype(np.float64) * vector.individuals.counts
    sums: Floats = np.bincount(group_of, weights=weights, minlength=groups).astype(np.float64)
    return sums
