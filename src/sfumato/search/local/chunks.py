"""Improving a local recoding in chunks of neighbouring classes, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato.search.local.loading import load_local_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.search.local.cell_arrays import CellArrays
    from sfumato.search.local.class_rules import ClassRules

CLASSES_A_CHUNK = 64
FEW_CLASSES_A_CHUNK = 32
"""Of classes that were just made: near ones are compared first, all others in later rounds."""
CELLS_A_POOL = 400
CELLS_GROWN_TOGETHER = 1_000
ROUNDS_OF_GROWTH = 3
NEIGHBOURS = 4
PASSES = 2
TRIALS = 3
PROMISING = 1.1


MEMBER = np.dtype(
    [("cell", np.int64), ("owner", np.int64), ("following", np.int64), ("previous", np.int64)]
)
"""A cell of a chunk, its class, and its neighbours in the list of its class."""
CLASS = np.dtype(
    [("head", np.int64), ("size", np.int64), ("loss", np.float64), ("changed", np.int64)]
)
"""A class: the first of its cells, its rows, what its label costs a row, when it last changed."""


class ChunkState(NamedTuple):
    """Some cells and their classes while kernels change them.

    ``counts`` has the sensitive values of every class where rules are about them. ``free`` lists
    the numbers of classes that are not used; ``counters`` has how many these are, and the end of
    the numbers that are used.
    """

    members: NDArray[np.void]
    classes: NDArray[np.void]
    labels: Counts
    counts: Counts
    free: Counts
    counters: Counts


class Pool(NamedTuple):
    """Room for the classes that are recreated.

    ``left`` lists the cells that no class has yet, and ``added`` is what each of them would add to
    the loss of the class that grows.
    """

    used: Flags
    class_of: Counts
    sizes: Counts
    labels: Counts
    losses: Floats
    left: Counts
    added: Floats


def chunk_state(
    cells: Counts, class_of: Counts, classes: int, a: CellArrays, rules: ClassRules
) -> ChunkState:
    """Return room for some cells and their classes; the kernel `start_chunk` fills it."""
    room = 2 * classes + 8
    members = np.zeros(cells.shape[0], dtype=MEMBER)
    members["cell"], members["owner"] = cells, class_of
    members["following"] = members["previous"] = -1
    empty = np.zeros(room, dtype=CLASS)
    empty["head"] = -1
    return ChunkState(
        members=members,
        classes=empty,
        labels=np.zeros((room, int(a.columns["word_end"].max())), dtype=np.int64),
        counts=np.zeros((room, rules.shares.shape[0] if rules.rules.size else 0), dtype=np.int64),
        free=np.zeros(2 * room, dtype=np.int64),
        counters=np.zeros(2, dtype=np.int64),
    )


def pool_for(cells: int, words: int) -> Pool:
    """Return room for so many cells."""
    return Pool(
        used=np.zeros(cells, dtype=np.bool_),
        class_of=np.zeros(cells, dtype=np.int64),
        sizes=np.zeros(cells, dtype=np.int64),
        labels=np.zeros((cells, words), dtype=np.int64),
        losses=np.zeros(cells),
        left=np.zeros(cells, dtype=np.int64),
        added=np.zeros(cells),
    )


def grown(
    a: CellArrays,
    rules: ClassRules,
    *,
    rng: np.random.Generator,
    run: Callable[..., Iterable[Any]],
) -> Counts:
    """Grow classes from seeds among cells that are alike, in chunks.

    A class takes the cell that costs least until it has enough rows, then the one that costs
    least for what it adds to the sensitive values that the criteria ask for.
    """
    kernels = load_local_kernels()

    words = int(a.columns["word_end"].max())
    class_of: Counts = np.full(a.codes.shape[0], -1, dtype=np.int64)
    base = 0
    for _ in range(ROUNDS_OF_GROWTH):
        left = np.flatnonzero(class_of < 0)
        order = left[_alike(left, a, rng)]
        parts = max(1, round(left.shape[0] / CELLS_GROWN_TOGETHER))
        borders = (np.arange(parts + 1) * left.shape[0]) // parts
        seeds = rng.integers(1, 2**31, size=parts).tolist()

        def work(
            number: int, order: Counts = order, borders: Counts = borders, seeds: list[int] = seeds
        ) -> tuple[Counts, Counts, int]:
            own = order[borders[number] : borders[number + 1]]
            pool = pool_for(own.shape[0], words)
            return own, pool.class_of, int(kernels.grow(own, pool, seeds[number], a, rules))

        for own, classes, count in run(work, range(parts)):
            if count:
                class_of[own] = np.where(classes < 0, -1, classes + base)
                base += count
    # What is left over is dissolved: the cells join classes that still meet the criteria.
    rest = np.flatnonzero(class_of < 0)
    if not rest.size:
        return class_of
    class_of[rest] = base
    return improve(class_of, a, rules, steps=0, rng=rng, run=run, settled=True, chunk=base + 1)


def improve(
    class_of: Counts,
    a: CellArrays,
    rules: ClassRules,
    *,
    steps: int,
    rng: np.random.Generator,
    run: Callable[..., Iterable[Any]],
    settled: bool = False,
    chunk: int | None = None,
) -> Counts:
    """Return a recoding that loses no more: one round over all classes, in chunks.

    Every round puts other classes side by side. ``run`` is `map` or that of an executor: the result
    does not depend on the number of threads, because a chunk has cells and a seed of its own.
    ``settled`` says that nothing was to be moved before, except for classes that are too small now.
    """
    kernels = load_local_kernels()

    if chunk is None:
        chunk = CLASSES_A_CHUNK if settled else FEW_CLASSES_A_CHUNK
    kept = np.flatnonzero(class_of >= 0)
    classes = int(class_of.max()) + 1
    place = np.empty(classes, dtype=np.int64)
    order = _side_by_side(class_of, kept, classes, a, rng)
    place[order] = np.arange(classes)
    by_place = kept[np.argsort(place[class_of[kept]], kind="stable")]
    places = place[class_of[by_place]]
    # Chunks of about the same number of classes: none is left with too few.
    parts = max(1, round(classes / chunk))
    borders = (np.arange(parts + 1) * classes) // parts
    cuts = np.searchsorted(places, borders)
    share = steps / max(1, by_place.shape[0])
    seeds = rng.integers(1, 2**31, size=parts).tolist()
    words = int(a.columns["word_end"].max())

    def work(number: int) -> tuple[Counts, Counts]:
        cells = by_place[cuts[number] : cuts[number + 1]]
        own = places[cuts[number] : cuts[number + 1]] - borders[number]
        count = int(own.max()) + 1
        state = chunk_state(cells, own, count, a, rules)
        kernels.start_chunk(state, count, a, rules)
        kernels.move(state, PASSES, settled, a, rules)
        many = max(1, round(share * cells.shape[0])) if steps else 0
        if many:
            pool = pool_for(CELLS_A_POOL, words)
            kernels.ruin_and_recreate(
                state, pool, many, NEIGHBOURS, seeds[number], TRIALS, PROMISING, a, rules
            )
            kernels.move(state, PASSES, True, a, rules)
        return cells, state.members["owner"]

    improved = class_of.copy()
    base = 0
    for cells, own in run(work, range(parts)):
        _, numbers = np.unique(own, return_inverse=True)
        improved[cells] = numbers + base
        base += int(numbers.max()) + 1
    return improved


def _side_by_side(
    class_of: Counts, kept: Counts, classes: int, a: CellArrays, rng: np.random.Generator
) -> Counts:
    """Return an order of the classes in which neighbours are alike, by their first cells."""
    first = np.full(classes, -1, dtype=np.int64)
    first[class_of[kept][::-1]] = kept[::-1]
    return _alike(first, a, rng)


def _alike(cells: Counts, a: CellArrays, rng: np.random.Generator) -> Counts:
    """Return an order of cells in which neighbours are alike.

    They are sorted by their leaves, the columns drawn without replacement in proportion to what
    they cost.
    """
    weights: Floats = a.columns["cost"] + 1e-9
    many = weights.shape[0]
    columns: Counts = rng.choice(
        np.arange(many), size=many, replace=False, p=weights / weights.sum()
    )
    return np.lexsort([a.codes[cells, q] for q in columns[::-1].tolist()])
