"""Making local recodings of one table: starts, improvement, and what their criteria ask for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.classes.anonymization import Anonymization
from sfumato.errors import UnmetError
from sfumato.microdata.output import Output
from sfumato.recoding.local import Local
from sfumato.search.evaluation.criteria_test import nothing_meets
from sfumato.search.local.cell_arrays import cell_arrays
from sfumato.search.local.chunks import chunk_state, grown, improve
from sfumato.search.local.class_rules import class_rules
from sfumato.search.local.lattice_order import lattice_order
from sfumato.search.local.loading import load_local_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from sfumato.arrays import Counts, Flags
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.search.local.cell_arrays import CellArrays
    from sfumato.search.local.class_rules import ClassRules
    from sfumato.search.local.lattice_order import LatticeOrder
    from sfumato.search.local.steering import Steering
    from sfumato.search.problem import Problem


MOST_VISITS = 10_000_000
"""How many cells peeling looks at where only its outliers are asked for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LocalSolver:
    """Makes recodings of the table of a problem in which every class meets the criteria and k.

    A recoding is the class of every cell while it is made, -1 for suppressed cells. ``run`` is
    `map`, or that of an executor where a single recoding is made by several threads. ``besides``
    are criteria beside those of the problem.
    """

    problem: Problem
    run: Callable[..., Iterable[Any]] = map
    besides: tuple[ClassCriterion, ...] = ()

    @cached_property
    def outputs(self) -> dict[str, Output]:
        """The kind of labels of every quasi-identifier."""
        return {each.name: each.output for each in self.problem.table.quasi_identifiers}

    @cached_property
    def arrays(self) -> CellArrays:
        """The cells as the kernels read them."""
        return cell_arrays(self.problem.table, self.outputs)

    @cached_property
    def order(self) -> LatticeOrder:
        """The nodes of the lattice by rising loss."""
        return lattice_order(self.problem.table)

    @cached_property
    def kernels(self) -> ModuleType:
        """The compiled kernels of local recoding."""
        return load_local_kernels()

    def rules(self, k: int) -> ClassRules:
        """Return what the kernels test of every class."""
        rules = self._rules[0]
        return rules._replace(k=max(k, rules.k))

    @property
    def other_criteria(self) -> tuple[ClassCriterion, ...]:
        """The criteria that kernels do not test."""
        return self._rules[1]

    @cached_property
    def _rules(self) -> tuple[ClassRules, tuple[ClassCriterion, ...]]:
        return class_rules(self.problem.table, 1, self.criteria)

    @property
    def criteria(self) -> tuple[ClassCriterion, ...]:
        """What every class must meet besides k."""
        return (*self.problem.suppression.criteria, *self.besides)

    def under(self, criterion: ClassCriterion) -> LocalSolver:
        """Return a solver of the same table under one more criterion."""
        return self._shared(replace(self, besides=(*self.besides, criterion)))

    def _shared(self, other: LocalSolver) -> LocalSolver:
        """Return another solver of the same table, with what is known of its cells."""
        for name in ("arrays", "order", "_by_size"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @cached_property
    def _by_size(self) -> LocalSolver:
        """The same table with criteria about size only: it never looks at sensitive values."""
        suppression = self.problem.suppression
        about_size = [each for each in suppression.criteria if each.least_size is not None]
        suppression = replace(suppression, criteria=tuple(about_size))
        problem = replace(self.problem, suppression=suppression)
        return self._shared(replace(self, problem=problem, besides=()))

    @cached_property
    def _outliers(self) -> dict[int, Flags]:
        """The outliers that were found, by k."""
        return {}

    def outliers(self, k: int) -> Flags:
        """Say which cells are suppressed for k where their sensitive values must not decide it.

        These are the outliers of classes that were made for their size alone: what is missing
        from a release then tells nothing of the sensitive values.
        """
        found = self._outliers.get(k)
        if found is None:
            classes = self.peeled(k, most_visits=MOST_VISITS) if self.has_only_nodes else None
            classes = self.top_down(k) if classes is None else classes
            found = self._outliers[k] = self.without_outliers(classes, k) < 0
        return found

    def steered(self, steering: Steering, classes: Counts, k: int) -> LocalSolver:
        """Return a solver of the same table under another cost, in units of what classes lose."""
        other = replace(self)
        other.__dict__["arrays"] = steering.applied(
            self.arrays,
            mean_loss=self.loss(classes) / int(self.arrays.sizes.sum()),
            k=k,
        )
        return other

    @property
    def has_nodes(self) -> bool:
        """Whether some labels are nodes of a hierarchy, so that peeling fits them."""
        return Output.HIERARCHY in self.outputs.values()

    @property
    def has_only_nodes(self) -> bool:
        """Whether all labels are nodes of a hierarchy: then peeling is the better start."""
        return set(self.outputs.values()) == {Output.HIERARCHY}

    def top_down(self, k: int) -> Counts:
        """Split the whole table by the splits that lose least."""
        cells = np.arange(self.problem.table.cells)
        one = np.zeros(self.problem.table.cells, dtype=np.int64)
        if self.kernels.failing_classes(one, 1, self.arrays, self.rules(k)).any():
            raise nothing_meets(self.problem)
        classes: Counts = self.kernels.top_down(cells, self.arrays, self.rules(k))[0]
        return classes

    def peeled(self, k: int, *, most_visits: int | None = None) -> Counts:
        """Visit the nodes of the lattice by rising loss, and take every class that is enough.

        Cells that are left over join the classes where they cost least.
        """
        order = self.order
        if most_visits is not None:
            # A class is found at one of so many nodes on average: visit as many as there is time.
            expected = self.problem.table.cells * len(order.nodes) // 8
            order = order.thinned(max(1, expected // most_visits))
        every = np.iinfo(np.int64).max
        classes, count = self.kernels.peel(*order, self.arrays, self.rules(k), every)
        left = classes < 0
        # One class too small: improvement dissolves it.
        classes[left] = count
        return self.improved(classes, k, rng=np.random.default_rng(0)) if left.any() else classes

    def grown(self, k: int, *, rng: np.random.Generator) -> Counts:
        """Grow classes from seeds, with an eye to what the criteria ask for."""
        classes = grown(self.arrays, self.rules(k), rng=rng, run=self.run)
        return self._repaired(classes, self.rules(k))

    def _repaired(self, classes: Counts, rules: ClassRules) -> Counts:
        """Merge classes that fail a criterion with their nearest, until none does."""
        while True:
            failing = self.kernels.failing_classes(
                classes, int(classes.max()) + 1, self.arrays, rules
            )
            if not failing.any():
                return classes
            if classes.max() == 0:
                raise nothing_meets(self.problem)
            classes = self.kernels.merged(classes, failing, self.arrays)

    def improved(
        self,
        classes: Counts,
        k: int,
        *,
        rng: np.random.Generator,
        steps: int = 0,
        settled: bool = False,
    ) -> Counts:
        """Move cells, and dissolve and recreate classes for so many steps."""
        rules = self.rules(k)
        found = improve(
            classes, self.arrays, rules, steps=steps, rng=rng, run=self.run, settled=settled
        )
        # A class that no other one of its chunk could take in.
        return self._repaired(found, rules)

    def recodings(
        self,
        classes: Counts,
        k: int,
        *,
        afterwards: Callable[[Counts], Counts] = lambda classes: classes,
    ) -> list[Local]:
        """Return the recoding of classes, and one without outliers if that can save something.

        ``afterwards`` is done to the classes that have lost their outliers.
        """
        found = [self.recoding(classes, k)]
        # Without outliers, even all others as one class may fail a criterion.
        with suppress(UnmetError):
            fewer = self.without_outliers(classes, k)
            if fewer is not classes:
                found.append(self.recoding(afterwards(fewer), k))
        return found

    def without_outliers(self, classes: Counts, k: int) -> Counts:
        """Suppress the cells that cost their classes more than they lose, within the limit.

        Where criteria ask for sensitive values, these do not decide which cells are suppressed,
        unless the study says that they may.
        """
        sensitive = any(each.least_size is None for each in self.criteria)
        if sensitive and not self.problem.suppression.failing:
            return self._suppressing(self._by_size.outliers(k), classes, k)
        budget = self.problem.budget
        rows = self.problem.table.cell_sizes
        allowed = int(rows.sum()) if budget is None else budget
        allowed -= int(rows[classes < 0].sum())
        # Kernels count people where there is a person key: at most so many have so many rows.
        most = allowed
        while most > 0:
            found = self._without(classes, k, most)
            lost = int(rows[(found < 0) & (classes >= 0)].sum())
            if lost <= allowed:
                return found
            most = min(most - 1, most * allowed // lost)
        return classes

    def _without(self, classes: Counts, k: int, allowed: int) -> Counts:
        """Suppress the cells that cost their classes more than they lose, so many at most."""
        cells = np.flatnonzero(classes >= 0)
        count = int(classes.max()) + 1
        rules = self.rules(k)
        state = chunk_state(cells, classes[cells], count, self.arrays, rules)
        self.kernels.start_chunk(state, count, self.arrays, rules)
        gone, _ = self.kernels.suppress_outliers(
            state, allowed, self._everything, self.arrays, rules
        )
        if not gone.any():
            return classes
        found: Counts = np.full_like(classes, -1)
        found[cells[~gone]] = np.unique(state.members["owner"][~gone], return_inverse=True)[1]
        return found

    def _suppressing(self, gone: Flags, classes: Counts, k: int) -> Counts:
        """Suppress given cells, and merge classes that fail without them."""
        if not gone.any():
            return classes
        found: Counts = np.full_like(classes, -1)
        found[~gone] = np.unique(classes[~gone], return_inverse=True)[1]
        return self._repaired(found, self.rules(k))

    @property
    def _everything(self) -> float:
        """What a suppressed row loses."""
        return float(sum(each.weight for each in self.problem.table.quasi_identifiers))

    def loss(self, classes: Counts) -> float:
        """Return the loss of all rows; a suppressed one loses everything."""
        losses, sizes = self.kernels.class_losses(classes, int(classes.max()) + 1, self.arrays)
        gone = int(self.arrays.sizes[classes < 0].sum())
        return float((losses * sizes).sum()) + gone * self._everything

    def recoding(self, classes: Counts, k: int = 1) -> Local:
        """Return the recoding, with classes merged until all criteria are met, and k."""
        classes = self._with_others_met(classes, k)
        return Local.of(self.problem.table, classes, self.outputs)

    def _with_others_met(self, classes: Counts, k: int) -> Counts:
        """Merge every class that fails a criterion which kernels do not test with its nearest.

        Where people are in several cells, kernels do not test k either.
        """
        while self.other_criteria or self.problem.table.people_in_several_cells:
            failing = self._failing(classes, self.rules(k).k)
            if not failing.any():
                break
            if classes.max() == 0:
                raise nothing_meets(self.problem)
            classes = self.kernels.merged(classes, failing, self.arrays)
        return classes

    def _failing(self, classes: Counts, k: int) -> Flags:
        """Say of every class whether it fails k or a criterion that kernels do not test."""
        table = self.problem.table
        found = Anonymization.of_local(table, Local.of(table, classes, self.outputs))
        batch = found.model.batch
        fails = np.logical_or.reduce(
            [batch.units < k, *(each.failing(batch) for each in self.other_criteria)]
        )
        fails &= found.kept
        flags: Flags = np.zeros(int(classes.max()) + 1, dtype=np.bool_)
        flags[classes[fails[found.class_of[table.entry_starts[:-1]]] & (classes >= 0)]] = True
        return flags
