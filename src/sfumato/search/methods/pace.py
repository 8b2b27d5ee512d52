"""Whether branch and bound is worth going on with, or the sweep would end sooner.

Both are weighed in the microseconds that they would take on one machine, whatever the machine:
decided by a clock, one run would give up where the next does not, and report other numbers of
evaluated nodes. A node of branch and bound costs what Python needs for it and what its classes
do; a node of the sweep costs little more than its classes. How many classes a node of the lattice
has is taken from the cells and the evaluated ones: by the number of its label combinations,
between which of them it lies.

How many nodes the proof will need is read from the share of the lattice that is settled: the
nodes grow like a power of it, whose exponent is that of the last doubling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts, Floats
    from sfumato.search.bounds.lattice_boxes import Node
    from sfumato.search.problem import Problem

# Microseconds, fitted to the lattices of the benchmarks; the sweep's are those of two threads.
_BOUNDED_NODE, _BOUNDED_CLASS = 200.0, 0.1
_SWEPT_NODE, _SWEPT_CLASS = 2.0, 0.0074
_MANY_CELLS, _OUT_OF_CACHE = 60_000, 2.3
_SMALL_SWEEP = 150_000.0
_FIRST_LOOK, _GROWTH = 12, 1.25
_WORTH_LOOKING, _SOON = 0.2, 0.06
"""The shares of a sweep, and of a small one, that branch and bound may take before it is asked."""
_SIZE_OF_CORNERS = 0.5
_CLEARLY = 1.4
_STEEPEST, _FLATTEST = 0.5, 0.85
_KNOWN_SIZES = 256
_SAMPLE = 2_000


@dataclass(kw_only=True, eq=False)
class Pace:
    """What is known of the pace of a running branch and bound.

    ``sizes`` are the classes of the nodes that it evaluated first, with what they carry, and
    ``spent`` is what it took so far. ``looks`` are the evaluated nodes and the settled shares at
    which it was last looked at.
    """

    problem: Problem
    sizes: dict[Node, int] = field(default_factory=dict)
    spent: float = 0.0
    looks: list[tuple[int, float]] = field(default_factory=list)

    def add(self, node: Node, size: int) -> None:
        """Count a node that was evaluated, with the classes and carried values of its table."""
        self.spent += _BOUNDED_NODE + _BOUNDED_CLASS * size
        if len(self.sizes) < _KNOWN_SIZES:
            self.sizes[node] = size

    def is_too_slow(self, *, evaluated: int, settled: float) -> bool:
        """Say whether the sweep would end sooner, given the share of the lattice that is settled.

        It is looked at now and then only, at numbers of evaluated nodes that grow by a quarter.
        """
        following = math.ceil(_GROWTH * self.looks[-1][0]) if self.looks else _FIRST_LOOK
        if evaluated < following:
            return False
        self.looks.append((evaluated, settled))
        sweep = self._sweep
        small = sweep < _SMALL_SWEEP
        if self.spent < (_SOON if small else _WORTH_LOOKING) * sweep:
            return False
        # A proof hardly gains on a sweep that is over at once: it should be sure to. Otherwise it
        # goes on until it is clearly slower, as sums over sensitive values cost the sweep more.
        power = 1.0 if small else self._power(evaluated, settled)
        least = 1 / self.problem.tables.lattice.nodes
        waiting = evaluated * (1.0 / math.pow(max(settled, least), power) - 1.0)
        # Those that follow are coarser than most of the lattice, and than the first ones.
        size = _SIZE_OF_CORNERS * self._expected_size
        return waiting * (_BOUNDED_NODE + _BOUNDED_CLASS * size) > (
            sweep if small else _CLEARLY * sweep
        )

    def _power(self, evaluated: int, settled: float) -> float:
        """Return the power of the settled share with which the evaluated nodes grow."""
        before = [look for look in self.looks if look[0] <= evaluated / 2 and look[1] > 0]
        if not before or settled <= before[-1][1]:
            return _STEEPEST
        nodes, share = before[-1]
        power = math.log(evaluated / nodes) / math.log(settled / share)
        return min(max(power, _STEEPEST), _FLATTEST)

    @property
    def _sweep(self) -> float:
        """What a sweep of the whole lattice will take."""
        size = self._expected_size
        if self.problem.table.cells > _MANY_CELLS:
            size *= _OUT_OF_CACHE
        return self.problem.tables.lattice.nodes * (_SWEPT_NODE + _SWEPT_CLASS * size)

    @property
    def _expected_size(self) -> float:
        """The classes of a node of the lattice, with what they carry, in the mean."""
        hierarchies = self.problem.table.hierarchies
        blocks = [
            np.log([float(each.block_count(level)) for level in range(each.height + 1)])
            for each in hierarchies
        ]

        def combinations(nodes: Counts) -> Floats:
            columns = [each[nodes[:, q]] for q, each in enumerate(blocks)]
            total: Floats = np.sum(columns, axis=0)
            return total

        table = self.problem.table
        entries = table.carried(self.problem.tables.carries).counts.shape[0]
        sizes = {(0,) * len(hierarchies): table.cells + int(entries), **self.sizes}
        known = combinations(np.array(list(sizes), dtype=np.int64))
        order = np.argsort(known, kind="stable")
        # More combinations of labels seldom make fewer classes: what is known becomes a curve.
        classes = np.maximum.accumulate(np.log(np.array(list(sizes.values())))[order])
        return float(np.exp(np.interp(combinations(self._sample), known[order], classes)).mean())

    @cached_property
    def _sample(self) -> Counts:
        """Nodes spread over the lattice, always the same."""
        lattice = self.problem.tables.lattice
        drawn = np.random.Generator(np.random.PCG64(1)).integers(0, lattice.nodes, _SAMPLE)
        return lattice.all_levels(drawn)

    def record(self) -> dict[str, object]:
        """Return the pace as JSON has it; nodes are their numbers."""
        number = self.problem.tables.lattice.number
        return {
            "sizes": [[number(node), size] for node, size in self.sizes.items()],
            "spent": self.spent,
            "looks": [list(look) for look in self.looks],
        }

    @classmethod
    def read(cls, problem: Problem, record: Mapping[str, object]) -> Pace:
        """Return the pace of a record, or raise a ValueError if there is no such."""
        known = cast("Mapping[str, Any]", record)
        lattice = problem.tables.lattice
        sizes = {}
        for number, size in known["sizes"]:
            if not 0 <= number < lattice.nodes or not size > 0:
                raise ValueError(f"there is no node {number} with {size} classes")
            sizes[lattice.levels(number)] = int(size)
        looks = [(int(evaluated), float(settled)) for evaluated, settled in known["looks"]]
        return cls(problem=problem, sizes=sizes, spent=float(known["spent"]), looks=looks)
