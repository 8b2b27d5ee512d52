"""The candidates of recodings that a search has evaluated, whole populations at a time."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

import numpy as np

from sfumato.classes.classes import Classes
from sfumato.classes.compilation import load_kernels
from sfumato.errors import UnmetError
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.recoding.levels import Levels
from sfumato.search.control import usable_threads
from sfumato.search.evaluation.evaluator import Evaluator, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.recoding.recoding import Recoding
    from sfumato.search.points import Points
    from sfumato.search.problem import Problem


class _Rows(NamedTuple):
    """The candidates of a recoding: some rows of the points of its batch."""

    points: Points
    violations: Counts
    rows: slice


class EvaluatedCandidates(Evaluator[Key, _Rows]):
    """The points of all candidates of evaluated recodings, and the non-dominated ones.

    A candidate is a key and which of the thresholds of its recoding, counted from the least.
    """

    entries_a_batch: ClassVar[int] = 4_000_000
    """How many cells and counted values one call groups at most, unless one key has more."""

    def __init__(self, problem: Problem, *, threads: int = 1, earlier: Iterable[Key] = ()) -> None:
        table = problem.table
        entries = int(table.carried(problem.tables.carries).counts.shape[0])
        super().__init__(
            most_at_once=max(1, self.entries_a_batch // max(1, entries, table.cells)),
            threads=threads,
            earlier=earlier,
        )
        self._problem = problem
        self._waiting: list[Key] = []
        self._best: list[tuple[Key, int]] = []
        self._best_values: Floats = np.zeros((0, len(problem.objectives)), dtype=np.float64)

    @abstractmethod
    def _tables(self, keys: Sequence[Key]) -> ClassBatch:
        """Return the class tables of keys, in their order."""

    @abstractmethod
    def recoding(self, key: Key) -> Recoding:
        """Return the recoding that a key stands for."""

    def _find(self, keys: Sequence[Key]) -> list[_Rows]:
        classes = Classes.of(self._tables(keys), self._problem.suppression)
        points = self._problem.points_of(classes)
        # The candidates of a recoding are neighbours, in the order of the recodings.
        ends = np.searchsorted(classes.recoding, np.arange(len(keys) + 1)).tolist()
        missed = classes.violations
        return [_Rows(points, missed, slice(start, end)) for start, end in itertools.pairwise(ends)]

    def evaluate(self, keys: Iterable[Key]) -> list[Key]:
        """Evaluate the keys that are not evaluated yet, and return them."""
        fresh = super().evaluate(keys)
        self._waiting.extend(fresh)
        return fresh

    def of(self, key: Key) -> Points:
        """Return the candidates of an evaluated recoding, by rising threshold."""
        points, _, rows = self[key]
        return points.where(rows)

    def meets(self, key: Key) -> Flags:
        """Say which candidates of an evaluated recoding meet the criteria."""
        flags: Flags = self.violations(key) == 0
        return flags

    def violations(self, key: Key) -> Counts:
        """Return by how much the candidates of an evaluated recoding miss the criteria."""
        _, violations, rows = self[key]
        return violations[rows]

    def values(self, key: Key) -> Floats:
        """Return the objective values of the candidates of an evaluated recoding, a row each."""
        points, _, rows = self[key]
        return points.values[rows]

    def values_together(self, keys: Sequence[Key]) -> tuple[Floats, Counts]:
        """Return the objective values of all candidates of keys, and whose each is."""
        values = [self.values(key) for key in keys]
        owners = np.repeat(np.arange(len(keys)), [len(each) for each in values])
        return np.concatenate(values), owners

    def check_met(self, *, longer: str) -> None:
        """Refuse to end without a recoding that meets the criteria; ``longer`` would help."""
        if self.best:
            return
        said = " and ".join(map(str, self._problem.suppression.criteria))
        raise UnmetError(
            f"none of {len(self):,} evaluated recodings meets {said}",
            code="criteria-unmet",
            key="criteria",
            found=said,
            remedy=f"run more {longer}, or ask for less",
        )

    @property
    def best(self) -> tuple[tuple[Key, int], ...]:
        """The non-dominated candidates among those that meet the criteria, ties included."""
        self._keep_best()
        return tuple(self._best)

    @property
    def best_values(self) -> Floats:
        """The objective values of the non-dominated candidates, a row each."""
        self._keep_best()
        return self._best_values

    def _keep_best(self) -> None:
        if not self._waiting:
            return
        fresh, owners = self.values_together(self._waiting)
        meeting = np.flatnonzero(np.concatenate([self.meets(key) for key in self._waiting]))
        places = np.arange(owners.shape[0]) - np.searchsorted(owners, owners)
        keys = (self._waiting[owner] for owner in owners[meeting].tolist())
        together = [*self._best, *zip(keys, places[meeting].tolist(), strict=True)]
        values = np.concatenate([self._best_values, fresh[meeting]])
        flags = nondominated(values, self._problem.directions)
        self._best = [each for each, good in zip(together, flags.tolist(), strict=True) if good]
        self._best_values = values[flags]
        self._waiting = []

    def front(self) -> Front:
        """Return the front of all that was evaluated, in its fixed order."""
        return self.front_of(self.best)

    def front_of(self, candidates: Iterable[tuple[Key, int]]) -> Front:
        """Return candidates as a front, in its fixed order."""
        names = self._problem.names
        found = []
        for key, place in candidates:
            points = self.of(key)
            values = tuple(points.values[place].tolist())
            threshold, suppressed = int(points.thresholds[place]), int(points.suppressed[place])
            found.append((values, key, threshold, suppressed))
        return Front(
            objectives=dict(zip(names, self._problem.directions, strict=True)),
            solutions=tuple(
                Solution(
                    id=number,
                    recoding=self.recoding(key),
                    values=dict(zip(names, values, strict=True)),
                    suppressed=suppressed,
                    threshold=threshold,
                )
                for number, (values, key, threshold, suppressed) in enumerate(sorted(found))
            ),
        )


Node: TypeAlias = tuple[int, ...]


class EvaluatedPoints(EvaluatedCandidates[Node]):
    """The points of a growing set of nodes: a level, or a partition, for every column."""

    def _tables(self, keys: Sequence[Node]) -> ClassBatch:
        nodes = np.array(keys, dtype=np.int64)
        minimum = np.array(self._problem.tables.lattice.minimum_levels, dtype=np.int64)
        low = (nodes < minimum).any(axis=1)
        if low.any():
            raise ValueError(
                f"node {tuple(nodes[low][0].tolist())} is below the minimum levels "
                f"{tuple(minimum.tolist())}: a search visits no such node"
            )
        return self._problem.tables.group(nodes)

    def recoding(self, key: Node) -> Levels:
        """Return the levels of a node."""
        return Levels.of(dict(zip(self._problem.table.names, key, strict=True)))


def nodes_of(population: Counts) -> list[Node]:
    """Return the rows of a population as nodes."""
    return [tuple(node) for node in population.tolist()]


class EvaluatedStrings(EvaluatedCandidates[bytes]):
    """The points of a growing set of strings, which are kept packed, eight bits a byte."""

    entries_a_batch: ClassVar[int] = 1_000_000

    def __init__(
        self, problem: Problem, *, threads: int | None = None, earlier: Iterable[bytes] = ()
    ) -> None:
        super().__init__(problem, threads=usable_threads(threads), earlier=earlier)
        self._space = problem.partitions
        # Before threads ask for them at once.
        load_kernels()

    def _tables(self, keys: Sequence[bytes]) -> ClassBatch:
        books, choices = self._space.books(unpack(keys, self._space.bits))
        return self._problem.tables.group(choices, books=books)

    def recoding(self, key: bytes) -> Recoding:
        """Return the cuts of a string."""
        return self._space.recoding(unpack([key], self._space.bits)[0])


def pack(strings: Flags) -> list[bytes]:
    """Return every string packed, eight bits a byte."""
    return [row.tobytes() for row in np.packbits(strings, axis=1)]


def unpack(packed: Iterable[bytes], bits: int) -> Flags:
    """Return packed strings as rows of flags.

    >>> unpack(pack(np.array([[True, False, True]])), 3).tolist()
    [[True, False, True]]
    """
    rows = [np.frombuffer(each, dtype=np.uint8) for each in packed]
    width = -(-bits // 8)
    together = np.stack(rows) if rows else np.zeros((0, width), dtype=np.uint8)
    return np.unpackbits(together, axis=1, count=bits).astype(np.bool_)
