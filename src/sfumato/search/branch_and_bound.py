"""Branch and bound: the exact front without looking at most of the lattice.

A *box* is all nodes between a finest and a coarsest corner. The bounds of the objectives (each
proved in docs/method.md) say what the best node of a box could at most be; a box is discarded if
the front already holds a point at least as good as all bounds and strictly better in one, so that
ties are never lost. Boxes are taken by the least loss that they could have, and split by cutting
off the top level of the column that spans the most loss.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.front.dominance import as_costs
from sfumato.measures.loss import finest_cells
from sfumato.measures.measure import Box, Direction
from sfumato.recoding.candidates import Candidates
from sfumato.search.catalogue import search_method
from sfumato.search.points import Points
from sfumato.search.result import Listener, Progress, SearchResult, silent

if TYPE_CHECKING:
    from sfumato.data.arrays import Floats
    from sfumato.search.problem import Problem

Node = tuple[int, ...]


def unbounded_objectives(problem: Problem) -> list[str]:
    """Return the objectives for which no bound is proved under the problem's policy."""
    return [
        str(objective)
        for objective in problem.objectives
        if not objective.has_bound(problem.tables, problem.budget)
    ]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Corner:
    """An evaluated node: its evidence for every objective's bound."""

    evidence: tuple[Floats | None, ...]


class _Evaluations:
    """The nodes evaluated so far, each once, and the front of their points."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.corners: dict[Node, _Corner] = {}
        self.points: list[Points] = []
        self.costs: Floats = np.empty((0, len(problem.objectives)), dtype=np.float64)

    def corner(self, node: Node) -> _Corner:
        """Return an evaluated corner, evaluating it if it is new."""
        if node not in self.corners:
            problem = self.problem
            batch = problem.tables.group(np.array([node], dtype=np.int64))
            self._add(problem.points(batch))
            unsuppressed = Candidates.of(batch)
            budget = problem.table.rows if problem.budget is None else problem.budget
            self.corners[node] = _Corner(
                evidence=tuple(
                    objective.evidence(unsuppressed, budget)[0]
                    if objective.bound_needs_finest or objective.bound_needs_coarsest
                    else None
                    for objective in problem.objectives
                )
            )
        return self.corners[node]

    def _add(self, points: Points) -> None:
        directions = self.problem.directions
        for position, cost in enumerate(as_costs(points.values, directions)):
            if self.beats(cost):
                continue
            worse = (self.costs >= cost).all(axis=1) & (self.costs > cost).any(axis=1)
            if worse.any():
                self.costs = self.costs[~worse]
                self.points = [p for p, w in zip(self.points, worse, strict=True) if not w]
            self.costs = np.concatenate((self.costs, cost[None, :]))
            self.points.append(points.where(np.array([position])))

    def beats(self, cost: Floats) -> bool:
        """Say whether a point of the front dominates ``cost``."""
        as_good = (self.costs <= cost).all(axis=1)
        return bool((as_good & (self.costs < cost).any(axis=1)).any())


@search_method("branch-and-bound", "the exact front without looking at most of the lattice")
def branch_and_bound(
    problem: Problem,
    *,
    threads: int | None = None,  # noqa: ARG001
    listener: Listener = silent,
) -> SearchResult:
    """Return the exact front, or refuse if an objective has no proved bound."""
    lacking = unbounded_objectives(problem)
    if lacking:
        raise SettingsError(
            f"branch and bound needs a bound for every objective, and none is proved for "
            f"{', '.join(map(repr, lacking))} under suppression policy "
            f"{problem.suppression.policy.value!r}; use method 'sweep' or 'auto'"
        )
    found = bounded_search(problem, listener=listener)
    assert found is not None
    return found


def bounded_search(
    problem: Problem, *, listener: Listener = silent, most_evaluations: int | None = None
) -> SearchResult | None:
    """Run branch and bound; return None if it needs more than ``most_evaluations`` nodes."""
    tables = problem.tables
    lattice = tables.lattice
    objectives = problem.objectives
    budget = problem.table.rows if problem.budget is None else problem.budget
    signs = [-1.0 if d is Direction.HIGHER else 1.0 for d in problem.directions]
    needs_finest = any(objective.bound_needs_finest for objective in objectives)
    evaluations = _Evaluations(problem)
    spans = _loss_by_level(problem)

    def bounds(finest: Node, coarsest: Node, low: _Corner | None, high: _Corner | None) -> Floats:
        return np.array(
            [
                sign
                * objective.bound(
                    Box(
                        finest_levels=finest,
                        coarsest_levels=coarsest,
                        finest=None if low is None else low.evidence[i],
                        coarsest=None if high is None else high.evidence[i],
                        budget=budget,
                    ),
                    tables,
                )
                for i, (sign, objective) in enumerate(zip(signs, objectives, strict=True))
            ]
        )

    def size(finest: Node, coarsest: Node) -> int:
        return int(np.prod([b - a + 1 for a, b in zip(finest, coarsest, strict=True)]))

    settled = 0
    # A box with the corner whose evidence bounds it until its own is evaluated.
    heap: list[tuple[float, Node, Node, _Corner | None]] = [
        (0.0, lattice.bottom, lattice.top, None)
    ]
    while heap:
        if most_evaluations is not None and len(evaluations.corners) > most_evaluations:
            return None
        _, finest, coarsest, inherited = heapq.heappop(heap)
        low = evaluations.corners.get(finest) if needs_finest else None
        discarded = evaluations.beats(bounds(finest, coarsest, low, inherited))
        if not discarded:
            high = evaluations.corner(coarsest)
            discarded = evaluations.beats(bounds(finest, coarsest, low, high))
        if not discarded and needs_finest and low is None:
            low = evaluations.corner(finest)
            discarded = evaluations.beats(bounds(finest, coarsest, low, high))
        if discarded or finest == coarsest:
            settled += size(finest, coarsest)
            listener(
                Progress(
                    settled=settled,
                    nodes=lattice.nodes,
                    evaluated=len(evaluations.corners),
                    front_size=len(evaluations.points),
                )
            )
            continue
        q = max(
            (q for q in range(len(finest)) if coarsest[q] > finest[q]),
            key=lambda q: (spans[q][coarsest[q]] - spans[q][finest[q]], -q),
        )
        above = (*finest[:q], coarsest[q], *finest[q + 1 :])
        below = (*coarsest[:q], coarsest[q] - 1, *coarsest[q + 1 :])
        heapq.heappush(heap, (finest_cells(tables, finest), finest, below, high))
        heapq.heappush(heap, (finest_cells(tables, above), above, coarsest, high))
    points = Points.together(evaluations.points)
    return SearchResult(
        front=points.front(problem.table.names, problem.names, problem.directions),
        method="branch-and-bound",
        exact=True,
        evaluated=len(evaluations.corners),
        nodes=lattice.nodes,
        reason="every node that was not evaluated is excluded by a proved bound",
    )


def _loss_by_level(problem: Problem) -> list[list[float]]:
    """Return the unsuppressed loss of every level of every column."""
    columns = []
    for q, book in enumerate(problem.tables.level_books):
        width = max(1, book.leaves - 1)
        weight = problem.table.quasi_identifiers[q].weight
        columns.append([weight * float(extent) / width for extent in book.extents])
    return columns
