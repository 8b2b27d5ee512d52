"""The statistics of the classes of a local recoding: record-level microaggregation.

A class has the statistic of its own kept rows in every column. Two classes with the same statistics
in all columns are one class to a reader, so they are merged: what is released, measured and
promised is the recoding with the merged classes. Merging changes no statistic. If two groups of
rows have the same lower median, mode (the first of several) or rounded mean, so has their union.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.recoding.local import Local
from sfumato.recoding.written_column import ClassLabels
from sfumato.release.microaggregation.microaggregation import microaggregate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes
    from sfumato.engines.messages.block_statistics import KeptValues
    from sfumato.release.microaggregation.microaggregation import MicroaggregatedColumn
    from sfumato.release.release_request import ReleaseRequest


def by_class(request: ReleaseRequest) -> ReleaseRequest:
    """Return the request of a local recoding in which every class is a block of its own."""
    found = request.anonymization
    anonymization = found.by_class()
    classes = anonymization.under(request.suppression)
    first = found.first_entry[found.kept]
    columns = []
    for column, labels in zip(request.blocks, found.labels, strict=True):
        assert isinstance(column, ClassLabels), "labels of a local recoding are those of classes"
        of_class = labels.codes[first]
        columns.append(
            replace(
                column,
                labels=tuple(column.labels[code] for code in of_class.tolist()),
                covered=column.covered[of_class],
                by_class=True,
            )
        )
    return replace(
        request,
        anonymization=anonymization,
        batch=classes.batch,
        kept=classes.kept_of(0),
        blocks=tuple(columns),
    )


def class_statistics(
    request: ReleaseRequest, kept: Mapping[str, KeptValues]
) -> tuple[ReleaseRequest, tuple[MicroaggregatedColumn, ...]]:
    """Return the statistics of all classes, and the request with those merged that have the same.

    ``request`` is one `by_class`, ``kept`` has the kept rows of every class and value. A merged
    class can have the labels of another one. These are one class too, and its statistics may be
    those of a third, so that it is looked at again.
    """
    while True:
        table = request.batch.table
        columns = microaggregate(table.quasi_identifiers, request.attributes, request.blocks, kept)
        number_of: dict[tuple[str | None, ...], int] = {}
        texts = zip(*(column.blocks.labels for column in columns), strict=True)
        merged = np.array([number_of.setdefault(each, len(number_of)) for each in texts])
        if len(number_of) == merged.shape[0]:
            return request, columns
        own = _class_of_cells(request)
        assert isinstance(request.recoding, Local), "only classes of cells are merged"
        coarser = Local.of(table, np.where(own < 0, -1, merged[own]), request.recoding.outputs)
        request = by_class(request.remade(coarser))
        kept = _regrouped(kept, own, _class_of_cells(request))


def _class_of_cells(request: ReleaseRequest) -> Codes:
    """Return the class of every cell, -1 for suppressed ones."""
    first = request.batch.table.entry_starts[:-1]
    own = request.anonymization
    found: Codes = np.where(own.suppressed[first], -1, own.class_of[first])
    return found


def _regrouped(
    kept: Mapping[str, KeptValues], before: Codes, after: Codes
) -> dict[str, dict[tuple[int, str | None], int]]:
    """Return the rows of every class and value after classes were merged."""
    new_of = dict(zip(before.tolist(), after.tolist(), strict=True))
    found = {}
    for name, values in kept.items():
        rows: defaultdict[tuple[int, str | None], int] = defaultdict(int)
        for (own, text), count in values.items():
            rows[new_of[own], text] += count
        found[name] = dict(rows)
    return found
