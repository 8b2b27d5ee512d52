"""Which values to merge first: agglomerative information bottleneck (Slonim and Tishby 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS = 12
"""Losses that agree to so many decimals, in nats for each row, are equal."""

Blocks = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Mergers:
    """Partitions of values, each made from the one before by merging two blocks.

    ``losses`` says how much each merger adds to the information lost, in nats for each row.
    """

    partitions: tuple[Blocks, ...]
    losses: tuple[float, ...]

    def with_blocks(self, count: int) -> Blocks:
        """Return the partition with so many blocks."""
        return next(blocks for blocks in self.partitions if len(blocks) == count)


def merged_alike(
    counts: NDArray[np.int64], *, ordered: bool = False, first: int | None = None
) -> Mergers:
    """Merge values that behave alike, two blocks at a time, until there is one.

    A row of ``counts`` has what a value occurs together with, and how often. Each step merges the
    two blocks that lose least of the mutual information between the blocks and what they occur
    with: (p(a) + p(b)) times the Jensen-Shannon divergence of their conditional distributions.
    Of equal losses the one of the fewest rows counts, then the earliest. If ``ordered``, only
    neighbours are merged. The value ``first`` takes part in the first merger, and has no place in
    the order.

    >>> counts = np.array([[9, 1], [1, 9], [18, 2]])
    >>> merged_alike(counts).partitions
    (((0,), (1,), (2,)), ((0, 2), (1,)), ((0, 2, 1),))
    """
    blocks: list[tuple[int, ...]] = [(value,) for value in range(len(counts))]
    rows = np.asarray(counts, dtype=np.float64)
    total = max(rows.sum(), 1.0)
    partitions, losses = [tuple(blocks)], []
    lost = _pairwise(rows) / total
    while len(blocks) > 1:
        allowed = np.triu(np.ones_like(lost, dtype=bool), 1)
        if first is not None:
            allowed &= (np.arange(len(blocks)) == first) | (
                np.arange(len(blocks))[:, np.newaxis] == first
            )
        elif ordered:
            allowed &= ~np.triu(allowed, 2)
        a, b = _least(np.where(allowed, lost, np.inf), rows.sum(axis=1))
        losses.append(float(lost[a, b]))
        # What has no place in the order takes that of the other.
        into, gone = (b, a) if a == first else (a, b)
        blocks[into] = (*blocks[into], *blocks[gone])
        rows[into] += rows[gone]
        del blocks[gone]
        rows = np.delete(rows, gone, axis=0)
        lost = np.delete(np.delete(lost, gone, axis=0), gone, axis=1)
        into -= gone < into
        lost[into] = lost[:, into] = _lost(rows, rows[into]) / total
        first = None
        partitions.append(tuple(blocks))
    return Mergers(partitions=tuple(partitions), losses=tuple(losses))


def _pairwise(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([_lost(rows, row) for row in rows]).reshape(len(rows), len(rows))


def _lost(rows: NDArray[np.float64], row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is lost if a row is merged with each: what it tells before less what after."""
    return _told(rows) + _told(row[np.newaxis]) - _told(rows + row)


def _told(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ c ln c − C ln C of rows with the sum C: n times their conditional entropy, < 0."""
    sums = rows.sum(axis=1)
    logs = np.log(rows, out=np.zeros_like(rows), where=rows > 0)
    whole: NDArray[np.float64] = np.einsum("ij,ij->i", rows, logs) - sums * np.log(
        sums, out=np.zeros_like(sums), where=sums > 0
    )
    return whole


def _least(lost: NDArray[np.float64], sizes: NDArray[np.float64]) -> tuple[int, int]:
    rounded = np.round(lost, _DIGITS)
    tied = np.argwhere(rounded == rounded.min())
    a, b = min(tied.tolist(), key=lambda pair: (sizes[pair[0]] + sizes[pair[1]], pair))
    return int(a), int(b)
