"""Reducts: which columns are enough to tell the same rows apart (Pawlak 1991, ch. 3)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.arrays import Counts

MOST_COLUMNS = 16
"""Of more columns outside the core there may be more subsets than can be looked at."""


@dataclass(frozen=True, kw_only=True)
class Reducts:
    """The partitions of rows that sets of columns make.

    ``core`` are the columns that no reduct is without. Each of the ``reducts`` makes the same
    classes as all columns, and none of its columns can be dropped; they are in the order of their
    lengths. Every column outside the core can be dropped by itself, but not all of them together.
    """

    columns: tuple[str, ...]
    classes: int
    core: tuple[str, ...]
    reducts: tuple[tuple[str, ...], ...]

    @property
    def dispensable(self) -> tuple[str, ...]:
        """The columns that can be dropped, each by itself, without changing the classes."""
        return tuple(name for name in self.columns if name not in self.core)


def reducts_of(codes: Counts, columns: Sequence[str]) -> Reducts:
    """Return the core and all reducts of a table: a row of codes for each cell.

    A set of columns is searched only if it contains the core and no reduct; sets with as many
    classes as all columns make the same classes, as a class of fewer columns only merges others.

    >>> codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> reducts_of(codes, ["a", "b", "a xor b"]).reducts
    (('a', 'b'), ('a', 'a xor b'), ('b', 'a xor b'))
    """
    names = tuple(columns)
    every = range(len(names))
    whole = count_classes(codes, every)
    core = [q for q in every if count_classes(codes, [p for p in every if p != q]) < whole]
    others = [q for q in every if q not in core]
    if len(others) > MOST_COLUMNS:
        raise SettingsError(
            f"{len(others)} columns can be dropped, each by itself: too many for all reducts",
            code="out-of-range",
            found=str(len(others)),
            expected=f"at most {MOST_COLUMNS} columns outside the core",
            remedy="leave out columns that say the same as others",
        )
    found: list[frozenset[int]] = []
    for size in range(len(others) + 1):
        for chosen in itertools.combinations(others, size):
            asked = frozenset(chosen)
            if any(reduct <= asked for reduct in found):
                continue
            if count_classes(codes, [*core, *chosen]) == whole:
                found.append(asked)
    return Reducts(
        columns=names,
        classes=whole,
        core=tuple(names[q] for q in core),
        reducts=tuple(
            tuple(names[q] for q in every if q in core or q in reduct) for reduct in found
        ),
    )


def class_of_rows(codes: Counts, columns: Iterable[int]) -> Counts:
    """Return the class of every row of codes by some columns, numbered from 0."""
    found: Counts = np.zeros(codes.shape[0], dtype=np.int64)
    for q in columns:
        # Ranked again after each column, so that no key overflows.
        keys = found * (int(codes[:, q].max(initial=0)) + 1) + codes[:, q]
        found = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    return found


def count_classes(codes: Counts, columns: Iterable[int]) -> int:
    """Return how many classes some columns make."""
    return int(class_of_rows(codes, columns).max(initial=-1)) + 1
