"""The strings of cuts that a search has evaluated, whole generations at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.classes.compilation import load_kernels
from sfumato.search.control import usable_threads
from sfumato.search.evaluation.evaluated_candidates import EvaluatedCandidates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.recoding.recoding import Recoding
    from sfumato.search.problem import Problem


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
