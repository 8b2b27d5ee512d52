"""The strings that a search has evaluated, whole generations at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.compilation import load_kernels
from sfumato.front.dominance import nondominated
from sfumato.front.front import Front, Solution
from sfumato.search.control import usable_threads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.recoding.partition_space import PartitionSpace
    from sfumato.search.points import Points
    from sfumato.search.problem import Problem

ENTRIES_A_BATCH = 1_000_000
"""How many cells and counted values one call groups at most, unless one string has more."""


class Candidate(NamedTuple):
    """A string at one of its thresholds, with its objective values."""

    string: bytes
    threshold: int
    suppressed: int
    values: tuple[float, ...]


class EvaluatedStrings:
    """The candidates of a growing set of strings, and the best of them; none is evaluated twice.

    A generation is grouped in as few kernel calls as memory and threads allow, and the parts are
    taken in their order, so that the number of threads changes nothing. Strings are kept packed,
    eight bits a byte. ``earlier`` are strings that an earlier part of the same search evaluated:
    they count as evaluated, and are evaluated again only if they are asked for.
    """

    def __init__(
        self,
        problem: Problem,
        space: PartitionSpace,
        *,
        threads: int | None = None,
        earlier: Iterable[bytes] = (),
    ) -> None:
        self._problem = problem
        self._space = space
        self._threads = usable_threads(threads)
        self._counted = set(earlier)
        self._candidates: dict[bytes, tuple[Candidate, ...]] = {}
        self._best: list[Candidate] = []
        entries = int(problem.table.carried(problem.tables.carries).counts.shape[0])
        self._strings_a_batch = max(1, ENTRIES_A_BATCH // max(1, entries, problem.table.cells))

    def __len__(self) -> int:
        """Return how many different strings the search has evaluated."""
        return len(self._counted)

    @property
    def counted(self) -> frozenset[bytes]:
        """The different strings that the search has evaluated, packed."""
        return frozenset(self._counted)

    @property
    def best(self) -> tuple[Candidate, ...]:
        """The candidates that no other evaluated one dominates, ties included."""
        return tuple(self._best)

    def evaluate(self, strings: Flags) -> list[bytes]:
        """Evaluate the strings that are not evaluated yet; return all of them packed."""
        packed = pack(strings)
        fresh = {key: place for place, key in enumerate(packed) if key not in self._candidates}
        if fresh:
            places = sorted(fresh.values())
            added = self._evaluate(strings[places], [packed[place] for place in places])
            self._keep_best(added)
        return packed

    def _evaluate(self, strings: Flags, keys: list[bytes]) -> list[Candidate]:
        count = len(keys)
        step = max(1, min(self._strings_a_batch, -(-count // self._threads)))
        parts = [slice(start, start + step) for start in range(0, count, step)]
        _ = self._problem.tables, load_kernels()
        if len(parts) == 1 or self._threads == 1:
            found = [self._points(strings[part]) for part in parts]
        else:
            with ThreadPoolExecutor(max_workers=self._threads) as pool:
                found = list(pool.map(lambda part: self._points(strings[part]), parts))
        added: list[Candidate] = []
        for part, (owners, points) in zip(parts, found, strict=True):
            of_string: dict[bytes, list[Candidate]] = {key: [] for key in keys[part]}
            for owner, threshold, suppressed, values in zip(
                owners.tolist(),
                points.thresholds.tolist(),
                points.suppressed.tolist(),
                points.values.tolist(),
                strict=True,
            ):
                key = keys[part.start + owner]
                of_string[key].append(Candidate(key, threshold, suppressed, tuple(values)))
            for key, candidates in of_string.items():
                self._candidates[key] = tuple(candidates)
                added.extend(candidates)
        self._counted.update(keys)
        return added

    def _points(self, strings: Flags) -> tuple[Counts, Points]:
        """Return the points of some strings, and the string that each belongs to."""
        books, choices = self._space.books(strings)
        return self._problem.owned_points(self._problem.tables.group(choices, books=books))

    def _keep_best(self, added: list[Candidate]) -> None:
        known = set(self._best)
        together = [*self._best, *(each for each in added if each not in known)]
        values = np.array([candidate.values for candidate in together], dtype=np.float64)
        flags = nondominated(values, self._problem.directions)
        self._best = [each for each, good in zip(together, flags, strict=True) if good]

    def candidates(self, string: bytes) -> tuple[Candidate, ...]:
        """Return the candidates of an evaluated string, by rising threshold."""
        return self._candidates[string]

    def values(self, strings: list[bytes]) -> tuple[Floats, Counts]:
        """Return the objective values of all candidates of strings, and whose each is."""
        rows, owners = [], []
        for place, string in enumerate(strings):
            for candidate in self._candidates[string]:
                rows.append(candidate.values)
                owners.append(place)
        return np.array(rows, dtype=np.float64), np.array(owners, dtype=np.int64)

    def front(self) -> Front:
        """Return the front of all that was evaluated, in its fixed order."""
        problem = self._problem
        ordered = sorted(self._best, key=lambda c: (c.values, c.string, c.threshold))
        return Front(
            objectives=dict(zip(problem.names, problem.directions, strict=True)),
            solutions=tuple(
                Solution(
                    id=place,
                    recoding=self._space.recoding(unpack([candidate.string], self._space.bits)[0]),
                    values=dict(zip(problem.names, candidate.values, strict=True)),
                    suppressed=candidate.suppressed,
                    threshold=candidate.threshold,
                )
                for place, candidate in enumerate(ordered)
            ),
        )


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
