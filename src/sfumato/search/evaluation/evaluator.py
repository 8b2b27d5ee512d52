"""Evaluates recodings by their keys, each once: what every search method does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class Evaluator(ABC, Generic[Key, Found]):
    """A growing set of evaluated recodings; none is evaluated twice.

    A key stands for a recoding: a node of the lattice, a string of cuts, a choice of admissible
    partitions. A subclass says how keys become class tables, and what is read from them. Batches
    of at most ``most_at_once`` keys are shared by the threads and taken in their order, so that
    the number of threads changes nothing. ``earlier`` are keys that an earlier part of the same
    search evaluated: they count as evaluated, and are evaluated again only if they are asked for.
    """

    def __init__(
        self, *, most_at_once: int = 1, threads: int = 1, earlier: Iterable[Key] = ()
    ) -> None:
        self._most_at_once = most_at_once
        self._threads = threads
        self._counted = set(earlier)
        self._found: dict[Key, Found] = {}

    @abstractmethod
    def _find(self, keys: Sequence[Key]) -> Sequence[Found]:
        """Evaluate different keys, and return what was found for each."""

    def __len__(self) -> int:
        """Return how many different recodings the search has evaluated."""
        return len(self._counted)

    def __contains__(self, key: Key) -> bool:
        return key in self._counted

    @property
    def counted(self) -> frozenset[Key]:
        """The keys that the search has evaluated."""
        return frozenset(self._counted)

    def evaluate(self, keys: Iterable[Key]) -> list[Key]:
        """Evaluate the keys that are not evaluated yet, and return them."""
        fresh = [key for key in dict.fromkeys(keys) if key not in self._found]
        step = max(1, min(self._most_at_once, -(-len(fresh) // self._threads)))
        batches = [fresh[start : start + step] for start in range(0, len(fresh), step)]
        for batch, found in zip(batches, self._find_all(batches), strict=True):
            self._found.update(zip(batch, found, strict=True))
        self._counted.update(fresh)
        return fresh

    def _find_all(self, batches: list[list[Key]]) -> list[Sequence[Found]]:
        if len(batches) == 1 or self._threads == 1:
            return [self._find(batch) for batch in batches]
        with ThreadPoolExecutor(max_workers=self._threads) as pool:
            return list(pool.map(self._find, batches))

    def __getitem__(self, key: Key) -> Found:
        """Return what was found for a key, which is evaluated unless it is already."""
        try:
            return self._found[key]
        except KeyError:
            self.evaluate((key,))
            return self._found[key]
