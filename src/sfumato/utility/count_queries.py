"""COUNT queries: their answers from the originals, and from a release under uniformity."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from sfumato.classes.compilation import announced
from sfumato.documents.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.utility.released_table import ReleasedTable


@dataclass(frozen=True, kw_only=True, eq=False)
class Condition:
    """What a query asks of one column.

    ``values`` says of every original value whether it is meant (1 or 0), ``leaves`` what part of
    every leaf is: 1 or 0 too, but of a leaf that a range cuts.
    """

    column: int
    values: Floats
    leaves: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class CountQuery:
    """How many rows meet all conditions, each about another column."""

    text: str
    conditions: tuple[Condition, ...]


class QueryAnswer(Record):
    """A query, its true answer and the one that the release gives."""

    query: str = Field(description="The query.")
    before: int = Field(description="The rows of the originals that meet it.")
    after: float = Field(description="The expected rows of the release that meet it.")
    error: float | None = Field(
        default=None,
        description="The relative error |after − before| / before; none where no original "
        "meets it.",
    )

    @classmethod
    def of(cls, query: str, before: int, after: float) -> QueryAnswer:
        """Return an answer with its error."""
        error = abs(after - before) / before if before else None
        return cls(query=query, before=before, after=after, error=error)


class QueryErrors(Record):
    """The relative errors of a workload; queries that no original meets are told apart."""

    queries: int = Field(description="How many queries were asked.")
    none: int = Field(description="How many of them no original meets; they have no error.")
    mean_answer_to_none: float | None = Field(
        default=None, description="What the release answers to these in the mean, in rows."
    )
    median: float | None = Field(default=None, description="The median relative error.")
    ninety: float | None = Field(
        default=None, description="The relative error that 90 % of the queries do not exceed."
    )
    mean: float | None = Field(default=None, description="The mean relative error.")


def answers(released: ReleasedTable, queries: Sequence[CountQuery]) -> tuple[QueryAnswer, ...]:
    """Return the answers to queries.

    A released row counts with the product over the conditions of the part of its label that is
    meant: it is spread evenly over its label, columns by themselves (LeFevre et al. 2006).
    """
    original = released.original
    before = _sums(
        [column.value_codes for column in original.columns],
        original.counts,
        [[(c.column, c.values) for c in query.conditions] for query in queries],
    )
    kept = np.flatnonzero(released.kept)
    after = _sums(
        [column.codes[kept] for column in released.columns],
        original.counts[kept],
        [
            [(c.column, released.columns[c.column].mean_of(c.leaves)) for c in query.conditions]
            for query in queries
        ],
    )
    return tuple(
        QueryAnswer.of(query.text, round(was), shown)
        for query, was, shown in zip(queries, before.tolist(), after.tolist(), strict=True)
    )


def query_errors(found: Sequence[QueryAnswer]) -> QueryErrors:
    """Return the errors of a workload.

    >>> told = [QueryAnswer.of("a", 10, 12.0), QueryAnswer.of("b", 0, 1.0)]
    >>> query_errors(told).median, query_errors(told).none
    (0.2, 1)
    """
    errors = np.array([each.error for each in found if each.error is not None])
    nothing = [each.after for each in found if each.error is None]
    some = errors.size > 0
    return QueryErrors(
        queries=len(found),
        none=len(nothing),
        mean_answer_to_none=float(np.mean(nothing)) if nothing else None,
        median=float(np.median(errors)) if some else None,
        ninety=float(np.quantile(errors, 0.9, method="inverted_cdf")) if some else None,
        mean=float(errors.mean()) if some else None,
    )


def _sums(
    codes: Sequence[Codes], counts: Counts, asked: Sequence[Sequence[tuple[int, Floats]]]
) -> Floats:
    """Return, for every query, Σ over groups of rows × the product of the shares of their codes."""
    queries = len(asked)
    widest = max((len(conditions) for conditions in asked), default=0)
    columns: Counts = np.full((queries, max(1, widest)), -1, dtype=np.int64)
    offsets: Counts = np.zeros_like(columns)
    parts: list[Floats] = []
    end = 0
    for number, conditions in enumerate(asked):
        for at, (column, shares) in enumerate(conditions):
            columns[number, at], offsets[number, at] = column, end
            parts.append(shares)
            end += shares.shape[0]
    shares = np.concatenate(parts) if parts else np.zeros(1)
    every: Codes = np.stack([np.ascontiguousarray(each, dtype=np.int32) for each in codes])
    found: Floats = np.zeros(queries, dtype=np.float64)
    kernel = announced("sfumato.utility", "the kernel of queries", "some seconds")
    sums = kernel.load("query_kernel").weighted_sums
    rows = counts.astype(np.float64)
    threads = max(1, os.cpu_count() or 1)
    ends = np.linspace(0, queries, min(queries, 4 * threads) + 1).astype(int).tolist()
    # Every query is summed by one thread, in one order: threads change nothing.
    with ThreadPoolExecutor(threads) as pool:
        for done in [
            pool.submit(sums, every, rows, columns, offsets, shares, found, start, end)
            for start, end in pairwise(ends)
        ]:
            done.result()
    return found
