"""A proven lower bound of the loss of every local recoding (docs/method.md)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.measures.loss.normalized_loss import greatest_loss
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, usable_threads
from sfumato.search.local.cell_arrays import cell_arrays
from sfumato.search.local.loading import load_bound_kernels
from sfumato.search.result import Progress, Steps
from sfumato.search.setting_checks import check_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts, Floats
    from sfumato.search.local.cell_arrays import CellArrays
    from sfumato.search.problem import Problem

CELLS_A_CHUNK = 512
RADII = 24
REACH = 2.0
"""How many limits of the loss are tried for every cell, up to how many times the loss to the last
of its nearest rows."""
FEWEST_NEAREST = 30
"""So many of its nearest rows are looked for at least: limits for a small k reach farther then."""
ROUNDING = 1e-9
"""The bound is lowered by this share, which is more than all roundings together."""


@dataclass(frozen=True, kw_only=True)
class LossBounds:
    """For every k, a loss that no local recoding with classes of at least k rows is below.

    ``loss`` is that of the measure ``loss``, generalized and suppressed cells together, and
    ``normalized`` that of ``normalized-loss``. Rows beyond the ``computed`` ones count 0.
    """

    loss: Mapping[int, float]
    normalized: Mapping[int, float]
    computed: int
    rows: int

    @property
    def complete(self) -> bool:
        """Whether all rows were computed."""
        return self.computed == self.rows


def loss_bounds(
    problem: Problem,
    largest_k: int,
    control: SearchControl = DEFAULT_CONTROL,
    *,
    most_pairs: int | None = None,
) -> LossBounds:
    """Return bounds for every k from 2 to the largest, or to the number of rows.

    In its class a row shares its label with at least k - 1 others, or, where people are counted,
    with the rows of at least k - 1 other people. So its loss is at least that of
    the smallest label that covers it and its nearest row but k - 2, and at least what a label must
    take in to cover k rows. The bound is the sum of these losses; docs/method.md has the proof. If
    it is stopped, rows that were not computed count 0. No more than ``most_pairs`` pairs of cells
    are looked at, where that is given: then the cells are taken from all parts of the table.
    """
    check_whole("largest_k", largest_k, least=2)
    table = problem.table
    largest = min(largest_k, table.units)
    if largest < 2:
        return LossBounds(loss={}, normalized={}, computed=table.rows, rows=table.rows)
    outputs = {each.name: each.output for each in table.quasi_identifiers}
    wanted = min(max(largest - 1, FEWEST_NEAREST), table.units - 1)
    arrays = cell_arrays(table, outputs)
    sums, computed = _sums(arrays, table.cell_sizes, wanted, control, most_pairs)
    sums = sums * (1 - ROUNDING)
    greatest = greatest_loss(table)
    return LossBounds(
        loss={k: float(sums[k - 2]) for k in range(2, largest + 1)},
        normalized={k: float(sums[k - 2] / greatest) for k in range(2, largest + 1)},
        computed=computed,
        rows=table.rows,
    )


def _sums(
    arrays: CellArrays,
    rows: Counts,
    wanted: int,
    control: SearchControl,
    most_pairs: int | None,
) -> tuple[Floats, int]:
    """Return the sums of losses to the nearest rows, and how many rows they are of."""
    kernels = load_bound_kernels()
    order = np.lexsort(arrays.codes.T[::-1])
    a = arrays._replace(codes=np.ascontiguousarray(arrays.codes[order]), sizes=arrays.sizes[order])
    weights = np.ascontiguousarray(rows[order], dtype=np.int64)
    ends, changed = kernels.skips(a.codes)
    cells = a.sizes.shape[0]
    starts = list(range(0, cells, CELLS_A_CHUNK))
    if most_pairs is not None:
        parts = max(1, most_pairs // (CELLS_A_CHUNK * cells))
        starts = starts[:: max(1, -(-len(starts) // parts))]
    threads = usable_threads(control.threads)

    def work(start: int) -> Floats:
        last = min(cells, start + CELLS_A_CHUNK)
        sums: Floats = kernels.nearest_losses(
            start, last, wanted, RADII, REACH, ends, changed, weights, a
        )
        return sums

    total: Floats = np.zeros(wanted)
    computed = done = 0
    with ThreadPoolExecutor(max_workers=threads) as executor:
        # A batch at a time: it can be stopped between them.
        for batch in range(0, len(starts), threads):
            progress = Progress(
                settled=done,
                nodes=len(starts),
                evaluated=done,
                front_size=0,
                steps=Steps(done=done, total=len(starts), name="parts of the bound"),
            )
            if not control.goes_on(progress):
                break
            for start, sums in zip(
                starts[batch : batch + threads],
                executor.map(work, starts[batch : batch + threads]),
                strict=True,
            ):
                total += sums
                computed += int(weights[start : start + CELLS_A_CHUNK].sum())
                done += 1
    return total, computed
