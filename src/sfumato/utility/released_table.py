"""The same rows as a release shows them: every row has labels, and a label covers values.

Rows are thought to be spread evenly over the values that their label covers (uniformity within
labels, LeFevre et al. 2006; Xiao and Tao 2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.hierarchies.domains.domain import MissingDomain
from sfumato.recoding.local import Local
from sfumato.recoding.local_labels import local_columns
from sfumato.recoding.recoding import ColumnRecoding
from sfumato.recoding.written_column import ClassLabels
from sfumato.recoding.written_columns import written_columns
from sfumato.release.microaggregation.microaggregation import microaggregate
from sfumato.utility.value_numbers import value_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags, Floats
    from sfumato.classes.anonymization import Anonymization
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.recoding import Recoding
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.microaggregation.microaggregation import MicroaggregatedColumn
    from sfumato.utility.analysed_table import AnalysedColumn, AnalysedTable


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasedColumn:
    """The label of every group in one column, and the leaves that every label covers.

    Label ``n`` covers ``leaves[starts[n]:starts[n + 1]]``. ``low`` and ``high`` are the least and
    the greatest number under a label, ``middle`` the mean of what it covers; NaN for missing
    values, None for categories. A suppressed group has any label.
    """

    codes: Codes
    starts: Counts
    leaves: Codes
    low: Floats | None
    middle: Floats | None
    high: Floats | None

    @property
    def labels(self) -> int:
        """The number of labels."""
        return int(self.starts.shape[0]) - 1

    @cached_property
    def sizes(self) -> Counts:
        """The number of leaves under every label; 0 for a label that no kept row has."""
        return np.diff(self.starts)

    @cached_property
    def owner(self) -> Counts:
        """The label of every entry of ``leaves``."""
        return np.repeat(np.arange(self.labels), self.sizes)

    def spread(self, per_label: Floats, leaf_count: int) -> Floats:
        """Return what every leaf gets if what labels have is spread evenly over their leaves."""
        weights = (per_label / np.maximum(self.sizes, 1))[self.owner]
        found = np.bincount(self.leaves, weights=weights, minlength=leaf_count)
        return found.astype(np.float64)

    def mean_of(self, per_leaf: Floats) -> Floats:
        """Return the mean of a value of leaves over the leaves of every label."""
        sums = np.bincount(self.owner, weights=per_leaf[self.leaves], minlength=self.labels)
        found: Floats = sums / np.maximum(self.sizes, 1)
        return found

    def into_bins(self, bin_of_leaf: Codes, bins: int) -> Floats:
        """Return the share of every label that lies in every bin: a row a label."""
        places = self.owner * bins + bin_of_leaf[self.leaves]
        weights = (1.0 / np.maximum(self.sizes, 1))[self.owner]
        found = np.bincount(places, weights=weights, minlength=self.labels * bins)
        return found.reshape(self.labels, bins).astype(np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasedTable:
    """What a release shows of an analysed table; ``kept`` says which groups are in it."""

    original: AnalysedTable
    columns: tuple[ReleasedColumn, ...]
    kept: Flags

    @cached_property
    def counts(self) -> Counts:
        """The rows of every group that are released."""
        return np.where(self.kept, self.original.counts, 0)

    @cached_property
    def rows(self) -> int:
        """The number of released rows."""
        return int(self.counts.sum())


def identity(column: AnalysedColumn) -> ReleasedColumn:
    """Return a column that is released as it is, its leaves for labels."""
    places = np.arange(len(column.leaves))
    return _column(column, column.codes, np.append(places, len(column.leaves)), places)


def unprotected(original: AnalysedTable) -> ReleasedTable:
    """Return the release of all rows as they are."""
    return ReleasedTable(
        original=original,
        columns=tuple(map(identity, original.columns)),
        kept=np.ones(original.counts.shape, dtype=np.bool_),
    )


def released_table(
    original: AnalysedTable,
    anonymization: Anonymization,
    recoding: Recoding,
    *,
    attributes: Sequence[Attribute] = (),
    microaggregated: bool = False,
) -> ReleasedTable:
    """Return what a release of a recoding shows, with its suppressed rows left out.

    ``anonymization`` says who is suppressed. With ``microaggregated`` cells are the statistics of
    blocks or classes, as the ``attributes`` have them.
    """
    table = anonymization.table
    first = table.entry_starts[:-1]
    kept: Flags = ~anonymization.suppressed[first][original.cells]
    if microaggregated:
        columns = _statistics(original, anonymization, recoding, kept, attributes)
    else:
        columns = _labels(original, anonymization, recoding)
    return ReleasedTable(
        original=original,
        columns=tuple(
            columns[column.name] if column.recoded else identity(column)
            for column in original.columns
        ),
        kept=kept,
    )


def _labels(
    original: AnalysedTable, anonymization: Anonymization, recoding: Recoding
) -> dict[str, ReleasedColumn]:
    """Return the labels of a recoding, by column."""
    table, first = anonymization.table, anonymization.table.entry_starts[:-1]
    found = {}
    if isinstance(recoding, ColumnRecoding):
        for written in written_columns(table, recoding):
            column = original.column(written.name)
            blocks = written.code_of_leaf
            leaves = np.argsort(blocks, kind="stable")
            starts = np.concatenate(([0], np.cumsum(np.bincount(blocks))))
            found[written.name] = _column(column, blocks[column.codes], starts, leaves)
        return found
    assert isinstance(recoding, Local), "a recoding is by columns or by cells"
    for q, local in enumerate(local_columns(table, recoding)):
        column = original.column(local.name)
        codes = anonymization.labels[q].codes[first][original.cells]
        covered = [local.leaves(cover) for cover in local.covers]
        starts = np.concatenate(([0], np.cumsum([each.shape[0] for each in covered])))
        found[local.name] = _column(column, codes, starts, np.concatenate(covered))
    return found


def _column(
    column: AnalysedColumn, codes: Codes, starts: Counts, leaves: Codes | Counts
) -> ReleasedColumn:
    low = middle = high = None
    numbers = column.numbers
    if numbers is not None:
        known = ~np.isnan(numbers.low[leaves])
        owner = np.repeat(np.arange(starts.shape[0] - 1), np.diff(starts))[known]
        labels, inside = starts.shape[0] - 1, leaves[known]
        low = np.full(labels, np.inf)
        high = np.full(labels, -np.inf)
        np.minimum.at(low, owner, numbers.low[inside])
        np.maximum.at(high, owner, numbers.high[inside])
        nothing = np.isinf(low)
        low[nothing] = high[nothing] = np.nan
        centre = (numbers.low[inside] + numbers.high[inside]) / 2
        count = np.bincount(owner, minlength=labels)
        sums = np.bincount(owner, weights=centre, minlength=labels)
        middle = np.where(count > 0, sums / np.maximum(count, 1), np.nan)
    return ReleasedColumn(
        codes=sealed_codes(codes),
        starts=starts.astype(np.int64),
        leaves=sealed_codes(leaves),
        low=low,
        middle=middle,
        high=high,
    )


def _statistics(
    original: AnalysedTable,
    anonymization: Anonymization,
    recoding: Recoding,
    kept: Flags,
    attributes: Sequence[Attribute],
) -> dict[str, ReleasedColumn]:
    """Return the statistics of the blocks of a global recoding, or of the classes of a local one.

    Classes with the same statistics are merged in a release, which changes none of them.
    """
    table = anonymization.table
    columns = written_columns(table, recoding)
    first = table.entry_starts[:-1]
    if isinstance(recoding, Local):
        own = anonymization.class_of[first]
        classes = anonymization.classes
        columns = tuple(_by_class(column, anonymization, q) for q, column in enumerate(columns))
        codes = {column.name: own[original.cells] for column in columns}
    else:
        classes = 0
        codes = {
            column.name: column.code_of_leaf[original.column(column.name).codes]
            for column in columns
        }
    values = {
        column.name: _kept_values(original, original.column(column.name), codes[column.name], kept)
        for column in columns
    }
    made = microaggregate(table.quasi_identifiers, attributes, columns, values)
    return {
        column.blocks.name: _statistic_column(
            original.column(column.blocks.name), column, codes[column.blocks.name], classes
        )
        for column in made
    }


def _by_class(column: WrittenColumn, anonymization: Anonymization, q: int) -> WrittenColumn:
    """Return a column in which every class of a local recoding is a block of its own."""
    assert isinstance(column, ClassLabels), "labels of a local recoding are those of classes"
    of_class = anonymization.labels[q].codes[anonymization.first_entry]
    return ClassLabels(
        name=column.name,
        labels=tuple(column.labels[code] for code in of_class.tolist()),
        output=column.output,
        by_class=True,
        covered=column.covered[of_class],
        counted=column.counted,
    )


def _kept_values(
    original: AnalysedTable, column: AnalysedColumn, codes: Codes, kept: Flags
) -> Mapping[tuple[int, str | None], int]:
    """Return the kept rows of every block and value."""
    width = len(column.texts)
    pairs = codes[kept].astype(np.int64) * width + column.value_codes[kept]
    different, which = np.unique(pairs, return_inverse=True)
    rows = np.bincount(which, weights=original.counts[kept]).astype(np.int64)
    return {
        (pair // width, column.texts[pair % width]): count
        for pair, count in zip(different.tolist(), rows.tolist(), strict=True)
    }


def _statistic_column(
    column: AnalysedColumn, made: MicroaggregatedColumn, codes: Codes, classes: int
) -> ReleasedColumn:
    """Return a column of statistics: a label is one value, and one number."""
    domain = column.hierarchy.domain if column.hierarchy is not None else None
    assert domain is not None, "a statistic is that of a quasi-identifier"
    texts = made.blocks.labels
    labels = max(len(texts), classes)
    leaves: Codes = np.zeros(labels, dtype=np.int32)
    middle = np.full(labels, np.nan)
    missing = domain.label if isinstance(domain, MissingDomain) else None
    for code, text in enumerate(texts):
        if text is None:
            continue
        number = None if text == missing else value_number(text, domain)
        if column.numbers is None or number is None:
            leaves[code] = max(0, int(domain.locate([text])[0]))
            continue
        middle[code] = number
        known = column.numbers.low[~np.isnan(column.numbers.low)]
        # A mean lies between the values of a domain of whole numbers: it is taken for the nearest.
        whole = bool((column.numbers.low == column.numbers.high)[: known.shape[0]].all())
        near = _nearest(known, number) if whole else np.searchsorted(known, number, "right") - 1
        leaves[code] = min(max(int(near), 0), known.shape[0] - 1)
    numbers = None if column.numbers is None else middle
    return ReleasedColumn(
        codes=sealed_codes(codes),
        starts=np.arange(labels + 1),
        leaves=sealed_codes(leaves),
        low=numbers,
        middle=numbers,
        high=numbers,
    )


def _nearest(numbers: Floats, number: float) -> int:
    """Return the place of the number that is nearest, the lower one of two."""
    return int(np.argmin(np.abs(numbers - number)))
