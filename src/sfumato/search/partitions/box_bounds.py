"""What is proved about the cost of all partitions in a box, at one k."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.compilation import announced
from sfumato.errors import SettingsError
from sfumato.search.partitions.cut_arrays import MEASURES, cut_arrays
from sfumato.search.partitions.cut_variables import CutVariables

if TYPE_CHECKING:
    from types import ModuleType

    from sfumato.arrays import Flags, Floats
    from sfumato.search.partitions.boxes_of_cuts import CutBox
    from sfumato.search.problem import Problem

ROUNDS = 12
"""So often the slack of suppressed rows is moved between the columns."""
_MOST_KEYS = 2**62


def load_cut_kernels() -> ModuleType:
    """Return the module of the kernels; loaded for the first time, it is compiled."""
    kernels = announced("sfumato.search.partitions", "the kernels of cuts", "up to a minute")
    return kernels.load("column_bound_kernels")


class BoxBound(NamedTuple):
    """The least cost in a box, and with and without every variable; a partition worth a try.

    ``hint`` is what the bounds of its two halves learn from this one. ``order`` says how much
    dividing by every variable promises.
    """

    least: float
    with_cut: Floats
    without: Floats
    tried: Flags
    hint: Floats
    order: Floats


class BoxBounds(ABC):
    """Bounds of one measure at one k, with at most ``budget`` suppressed rows."""

    def __init__(self, problem: Problem, measure: str, k: int, budget: int) -> None:
        self.variables = CutVariables.of(problem.partitions)
        self._measure, self._k, self._budget = MEASURES[measure], k, budget
        self._arrays = cut_arrays(problem, self._measure)
        self.check_keys()
        room = 1 << (2 * problem.table.cells).bit_length()
        self._table = np.zeros((room, 2), dtype=np.int64)
        self._stamps = np.zeros(room, dtype=np.int64)
        self._stamp = np.zeros(1, dtype=np.int64)
        self._kernels = load_cut_kernels()
        self.first_bits = np.array([bits[0] for bits in self.variables.bits], dtype=np.int64)
        self.bits = problem.partitions.bits

    def check_keys(self) -> None:
        """Refuse columns whose combinations of values do not fit a number of 64 bits."""
        combinations = int(np.prod([float(n) for n in self._arrays.lengths]))
        if combinations >= _MOST_KEYS:
            raise SettingsError(
                f"the values of the quasi-identifiers have {combinations:.1e} combinations, too "
                "many to be numbered",
                code="too-large",
                key="method",
                found=f"{combinations:.1e} combinations",
                expected=f"fewer than {_MOST_KEYS:.1e}",
                remedy="use method 'nsga-ii' or 'genitor', or set minimum levels",
            )

    @cached_property
    def everything(self) -> int:
        """The set of all variables."""
        return self.variables.everything

    def exact(self, string: Flags) -> float:
        """Return the cost of one partition; infinite where it suppresses too many rows."""
        return self._columns(string, string, self._even, rounds=1).least

    @cached_property
    def _even(self) -> Floats:
        columns = len(self._arrays.lengths)
        return np.full(columns, 1 / columns)

    def _columns(
        self, coarsest: Flags, finest: Flags, weights: Floats, *, rounds: int = ROUNDS
    ) -> BoxBound:
        with_cut, without = np.empty(self.bits), np.empty(self.bits)
        tried: Flags = np.zeros(self.bits, dtype=np.bool_)
        chosen = np.empty(len(weights))
        least, _ = self._kernels.bound_box(
            self._arrays,
            self._measure,
            self._k,
            self._budget,
            coarsest,
            finest,
            weights,
            rounds,
            self._table,
            self._stamps,
            self._stamp,
            (with_cut, without, tried, chosen),
        )
        with_cut, without = with_cut[self.first_bits], without[self.first_bits]
        if not np.isfinite(least):
            nothing = np.full(len(self.variables), np.inf)
            return BoxBound(np.inf, nothing, nothing, tried, chosen, nothing)
        order = np.maximum(with_cut - least, 1.0) * np.maximum(without - least, 1.0)
        return BoxBound(least, with_cut, without, tried, chosen, order)

    def descend(self, string: Flags) -> tuple[Flags, float]:
        """Return where a partition gets if one column after the other is made optimal."""
        cost = self.exact(string)
        while True:
            before = cost
            starts = [*self._arrays.bit_starts.tolist(), self.bits]
            for start, end in itertools.pairwise(starts):
                coarsest, finest = string.copy(), string.copy()
                coarsest[start:end], finest[start:end] = False, True
                found = self._columns(coarsest, finest, self._even, rounds=1)
                if found.least < cost:
                    better = self.exact(found.tried)
                    if better < cost:
                        string, cost = found.tried, better
            if not cost < before:
                return string, cost

    @abstractmethod
    def bound(self, box: CutBox, hint: Floats | None) -> BoxBound:
        """Return what is proved about a box."""


class ColumnBounds(BoxBounds):
    """Bounds that sum up what the best partition of every single column costs (docs/method.md)."""

    def bound(self, box: CutBox, hint: Floats | None) -> BoxBound:
        """Return the bound of all columns."""
        coarsest, finest = self.variables.string(box.fixed), self.variables.string(box.allowed)
        return self._columns(coarsest, finest, self._even if hint is None else hint)


class PublishedBounds(BoxBounds):
    """The bounds of k-Optimize: from the coarsest and the finest corner (Bayardo & Agrawal §4)."""

    def bound(self, box: CutBox, hint: Floats | None) -> BoxBound:  # noqa: ARG002
        """Return the bound of a box, and that of its part with every open variable."""
        finest = self.variables.string(box.allowed)
        coarsest = self.variables.string(box.fixed)
        least, _ = self._corners(coarsest, finest)
        with_cut = np.full(len(self.variables), least)
        order = np.zeros(len(self.variables))
        for variable in self.variables.members(box.allowed & ~box.fixed):
            cut = self.variables.string(box.fixed | self.variables.with_needed[variable])
            with_cut[variable], order[variable] = self._corners(cut, finest)
        without = np.full(len(self.variables), least)
        return BoxBound(least, with_cut, without, coarsest, self._even, order)

    def _corners(self, coarsest: Flags, finest: Flags) -> tuple[float, float]:
        """Return the bound, and how many classes the coarsest corner has."""
        least, classes = self._kernels.bound_corners(
            self._arrays,
            self._measure,
            self._k,
            coarsest,
            finest,
            self._table,
            self._stamps,
            self._stamp,
        )
        return float(least), float(classes)
