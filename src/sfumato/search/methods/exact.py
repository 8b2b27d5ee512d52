"""Choosing between the two exact searches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.methods.anytime.anytime import anytime
from sfumato.search.methods.branch_and_bound import bounded_search, unbounded_objectives
from sfumato.search.methods.sweep import sweep
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

# Below this a sweep is over before a proof would pay.
SMALL_LATTICE = 1_000
# Branch and bound spends several times as long on a node as the sweep does: if it has not
# finished after this share of the lattice, sweeping the whole of it is the quicker way.
WORTHWHILE_SHARE = 0.12
# Above this many nodes a sweep takes too long.
SWEEPABLE = 20_000_000


def exact(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front: with bounds where they are proved and pay, else by the sweep.

    Bounds are those of the lattice: where admissible partitions are not levels, it is the sweep.
    """
    nodes = problem.tables.lattice.nodes
    if nodes <= SMALL_LATTICE or _no_levels(problem):
        return sweep(problem, control=control)
    lacking = unbounded_objectives(problem)
    if lacking:
        swept = sweep(problem, control=control)
        return replace(
            swept,
            reason=f"{swept.reason}; no bound is proved for {', '.join(lacking)} under "
            f"suppression policy {problem.suppression.policy.value!r}",
        )
    most = int(WORTHWHILE_SHARE * nodes) if nodes <= SWEEPABLE else None
    found = bounded_search(problem, control=control, most_evaluations=most)
    if found is not None:
        return found
    swept = sweep(problem, control=control)
    return replace(
        swept,
        reason=f"{swept.reason}; branch and bound had not finished after {most} of them",
    )


def lattice_front(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front of the lattice, or of the admissible recodings.

    Where a lattice is too large to be swept, only branch and bound can finish, and nobody knows
    when: there it is the anytime search, which says what it has proved if it is stopped, and can
    go on from there.
    """
    if control.resume is None and _no_levels(problem):
        return sweep(problem, control=control)
    huge = problem.tables.lattice.nodes > SWEEPABLE and not unbounded_objectives(problem)
    if huge or control.resume is not None:
        return anytime(problem, control=control)
    return exact(problem, control=control)


def _no_levels(problem: Problem) -> bool:
    return problem.space is Space.ADMISSIBLE and not problem.admissible.is_lattice_of_levels


METHOD = SearchMethod(
    name="exact",
    summary="the exact front, by branch and bound or by sweep, whichever fits",
    search=exact,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.KEPT
    ),
)
