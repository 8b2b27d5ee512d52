"""Labels as features of learners, the same for originals and for releases (docs/utility.md).

- A number or a date is its middle, the width of its label, and the share of the label that is
  missing values. An original value has the width 0.
- A category has a feature for every value, and for every group at every level of its hierarchy:
  the share of the label that lies in it. An original value has 1 for itself and each of its groups.
  So a set is told as fractions, and a group of the hierarchy has 1 for itself. Values or groups of
  a level of which there are more than 50 have no features; without a hierarchy the 49 most frequent
  values have one each, and all others one together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.microdata.count_table import exact_bincount
from sfumato.utility.bins import bins_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.utility.analysed_table import AnalysedColumn, AnalysedTable
    from sfumato.utility.released_table import ReleasedColumn

MOST_FEATURES = 50
"""Levels with more groups have no features."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FeatureColumn:
    """How the labels of one column become features, whatever the release is.

    ``parts`` has the group of every leaf, once for each level; ``widths`` says whether the width of
    a number's label is a feature.
    """

    place: int
    column: AnalysedColumn
    parts: tuple[Codes, ...]
    widths: bool

    def names(self) -> tuple[str, ...]:
        """Return the names of the features."""
        if self.column.numbers is not None:
            named = ["middle", *(["width"] if self.widths else []), *self._missing_name()]
        else:
            named = [
                f"part {n} group {group}"
                for n, part in enumerate(self.parts)
                for group in range(int(part.max()) + 1)
            ]
        return tuple(f"{self.column.name}: {name}" for name in named)

    def of_labels(self, shown: ReleasedColumn) -> Floats:
        """Return the features of every label: a row a label."""
        numbers = self.column.numbers
        if numbers is None:
            tables = [shown.into_bins(part, int(part.max()) + 1) for part in self.parts]
            return np.concatenate(tables, axis=1)
        assert shown.middle is not None
        assert shown.low is not None
        assert shown.high is not None
        gap = np.isnan(shown.middle)
        # What is not known at all is taken for the middle of the domain.
        centre = (np.nanmin(numbers.low) + np.nanmax(numbers.high)) / 2
        found = [np.where(gap, centre, shown.middle)]
        if self.widths:
            found.append(np.where(gap, 0.0, shown.high - shown.low))
        if self.column.missing_leaf is not None:
            missing = np.zeros(len(self.column.leaves))
            missing[self.column.missing_leaf] = 1.0
            found.append(shown.mean_of(missing))
        return np.stack(found, axis=1)

    def _missing_name(self) -> list[str]:
        return [] if self.column.missing_leaf is None else ["missing"]


def feature_columns(
    table: AnalysedTable, *, without: Sequence[str], widths: bool
) -> tuple[FeatureColumn, ...]:
    """Return the features of all columns but some."""
    return tuple(
        FeatureColumn(
            place=place,
            column=column,
            parts=_parts(column, exact_bincount(column.codes, table.counts, len(column.leaves))),
            widths=widths and column.recoded,
        )
        for place, column in enumerate(table.columns)
        if column.name not in without and len(column.leaves) > 1
    )


def _parts(column: AnalysedColumn, rows: Counts) -> tuple[Codes, ...]:
    """Return the groups of the leaves at every level that has few enough, and more than one."""
    if column.numbers is not None:
        return ()
    if column.hierarchy is None:
        return (bins_of(column, rows, most=MOST_FEATURES).of_leaf,)
    hierarchy = column.hierarchy
    counts = [hierarchy.block_count(level) for level in range(hierarchy.height + 1)]
    # Levels with as many groups as the one below are the same groups again.
    levels = [
        level
        for level, groups in enumerate(counts)
        if 1 < groups <= MOST_FEATURES and (not level or groups < counts[level - 1])
    ]
    if not levels:
        return (bins_of(column, rows, most=MOST_FEATURES).of_leaf,)
    return tuple(hierarchy.levels[level] for level in levels)


def features(
    columns: Sequence[FeatureColumn], shown: Sequence[ReleasedColumn], groups: Counts
) -> Floats:
    """Return the features of some groups of rows: a row a group."""
    found = [each.of_labels(shown[each.place])[shown[each.place].codes[groups]] for each in columns]
    if not found:
        return np.zeros((groups.shape[0], 1))
    return np.concatenate(found, axis=1)
