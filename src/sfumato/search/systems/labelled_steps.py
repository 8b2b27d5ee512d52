"""Steps between partitions that a class label judges: what divides a block, what joins blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.errors import SettingsError
from sfumato.search.partitions.cut_variables import CutVariables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.search.problem import Problem


class Step(NamedTuple):
    """A variable that is added to a set of cuts or removed from it.

    ``gain`` is the information about the label that dividing the block gives, in bits a row.
    ``mixed`` says whether the rows of the block have more than one label. The block is the values
    from ``first`` to before ``end`` of ``column``.
    """

    chosen: int
    gain: float
    mixed: bool
    column: int
    first: int
    end: int


def entropies(counts: Floats) -> Floats:
    """Return the entropy of every row of counts, in bits.

    >>> entropies(np.array([[2.0, 2.0], [4.0, 0.0], [0.0, 0.0]])).tolist()
    [1.0, 0.0, 0.0]
    """
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(shares > 0, shares * np.log2(shares), 0.0)
    found: Floats = np.abs(bits.sum(axis=1))
    return found


class LabelledSteps:
    """The steps from a set of cuts in a table with a class label."""

    def __init__(self, problem: Problem, *, method: str) -> None:
        table = problem.table
        if table.label is None:
            raise SettingsError(
                f"method {method!r} needs a class label, and the study has none",
                code="missing-setting",
                key="label",
                remedy="set label = true for the column that is to be predicted",
            )
        self._problem = problem
        self._space = problem.partitions
        self.variables = CutVariables.of(self._space)
        codes = table.entry_codes_of(table.label.name)
        self._counts: list[Floats] = []
        self._values: list[Counts] = []
        self._of_nodes: dict[int, Step] = {}
        for q, column in enumerate(self._space.columns):
            values = column.hierarchy.levels[column.minimum_level][table.cell_codes[q]]
            counts = np.zeros((column.bits + 1, len(table.label.values)), dtype=np.float64)
            self._values.append(values)
            np.add.at(counts, (values[table.cell_of_entry], codes), table.entry_counts)
            self._counts.append(counts)

    def least_classes(self, chosen: Sequence[int]) -> Counts:
        """Return the size of the smallest class of every set of cuts."""
        strings = np.stack([self.variables.string(each) for each in chosen])
        books, choices = self._space.books(strings)
        batch = self._problem.tables.group(choices, books=books)
        least: Counts = np.full(len(chosen), np.iinfo(np.int64).max, dtype=np.int64)
        np.minimum.at(least, batch.recoding_of, batch.units)
        return least

    def divisions(self, chosen: int) -> list[Step]:
        """Return the steps that divide one block: a node into its children, or an interval.

        Of the cuts that divide an interval of an unconstrained column, only the one that gains
        most is a step; of equal ones the first.
        """
        steps: list[Step] = []
        best: dict[tuple[int, int], Step] = {}
        for variable in self.variables.members(self.variables.everything & ~chosen):
            needed = self.variables.needs[variable]
            if needed is not None and not chosen >> needed & 1:
                continue
            divided = chosen | 1 << variable
            step = self._step(divided, chosen, variable)
            block = step.column, step.first
            if self._space.columns[step.column].constrained:
                steps.append(step)
            elif block not in best or step.gain > best[block].gain:
                best[block] = step
        return [*steps, *best.values()]

    def unions(self, chosen: int) -> list[Step]:
        """Return the steps that join blocks: the children of a node, or two neighbours."""
        steps = []
        for variable in self.variables.members(chosen):
            if self.variables.with_dependent[variable] & chosen == 1 << variable:
                joined = chosen & ~(1 << variable)
                steps.append(self._step(chosen, joined, variable)._replace(chosen=joined))
        return steps

    def critical(self, chosen: int, steps: Sequence[Step]) -> list[bool]:
        """Say which unions can make the smallest class larger: those that all such classes are in.

        A smallest class without a value of the block stays as it is (Wang et al. 2004, Theorem 1).
        """
        books, choices = self._space.books(self.variables.string(chosen)[None])
        keys = np.stack(
            [
                book.block_of[choice][codes]
                for book, choice, codes in zip(
                    books, choices[0], self._problem.table.cell_codes, strict=True
                )
            ],
            axis=1,
        )
        _, first, of_cell = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        sizes = np.bincount(of_cell.ravel(), weights=self._problem.table.cell_sizes)
        smallest = first[sizes == sizes.min()]
        lowest = [int(values[smallest].min()) for values in self._values]
        highest = [int(values[smallest].max()) for values in self._values]
        return [
            step.first <= lowest[step.column] and highest[step.column] < step.end for step in steps
        ]

    def _step(self, fine: int, coarse: int, variable: int) -> Step:
        """Return what the parts of the block of a variable tell of the label."""
        known = self._of_nodes.get(variable)
        if known is not None:
            return known._replace(chosen=fine)
        bits = self.variables.bits[variable]
        q = next(q for q, c in enumerate(self._space.columns) if c.start <= bits[0] < c.end)
        column = self._space.columns[q]
        inside = slice(column.start, column.end)
        joined = np.flatnonzero(self.variables.string(coarse)[inside]) + 1
        place = bits[0] - column.start
        first = int(max((cut for cut in joined if cut <= place), default=0))
        end = int(min((cut for cut in joined if cut > place), default=column.bits + 1))
        # A node is only ever divided into its children, and joined when they are whole.
        cuts = [bit + 1 - column.start for bit in bits]
        counts = self._counts[q][first:end]
        parts = np.add.reduceat(counts, np.array([first, *cuts]) - first, axis=0)
        whole = counts.sum(axis=0, keepdims=True)
        rows = max(1.0, float(whole.sum()))
        told = float(entropies(whole)[0]) - float((parts.sum(axis=1) / rows) @ entropies(parts))
        mixed = int(np.count_nonzero(whole)) > 1
        step = Step(fine, max(0.0, told), mixed, q, first, end)
        if column.constrained:
            self._of_nodes[variable] = step
        return step
