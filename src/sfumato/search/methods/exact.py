"""Choosing between the two exact searches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.methods.anytime.anytime import anytime
from sfumato.search.methods.branch_and_bound import METHOD as BRANCH_AND_BOUND
from sfumato.search.methods.branch_and_bound import bounded_search, unbounded_objectives
from sfumato.search.methods.sweep import METHOD as SWEEP
from sfumato.search.methods.sweep import sweep
from sfumato.search.resuming import named_part, resumed_part
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

# Below this a sweep is over before a proof would pay.
SMALL_LATTICE = 1_000
# Above this many nodes a sweep takes too long.
SWEEPABLE = 20_000_000


def exact(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front: with bounds where they are proved and pay, else by the sweep.

    Bounds are those of the lattice: where admissible partitions are not levels, it is the sweep.
    Its state is that of the search that was stopped, with its name.
    """
    by, control = resumed_part(control, methods=(BRANCH_AND_BOUND.name, SWEEP.name))
    nodes = problem.tables.lattice.nodes
    if nodes <= SMALL_LATTICE or _no_levels(problem):
        return named_part(sweep(problem, control=control))
    lacking = unbounded_objectives(problem)
    if lacking:
        swept = sweep(problem, control=control)
        why = (
            f"no bound is proved for {', '.join(lacking)} under suppression policy "
            f"{problem.suppression.policy.value!r}"
        )
        return named_part(replace(swept, reason=f"{swept.reason}; {why}"))
    if by != SWEEP.name:
        bounded = control.in_phase("branch and bound")
        found = bounded_search(problem, control=bounded, chosen=nodes > SWEEPABLE)
        if found is not None:
            return named_part(found)
        # Its own state, if it had one, is used up.
        control = replace(control, resume=None)
    swept = sweep(problem, control=control.in_phase("sweep"))
    why = "by branch and bound it would have taken longer"
    return named_part(replace(swept, reason=f"{swept.reason}; {why}"))


def lattice_front(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front of the lattice, or of the admissible recodings.

    Where a lattice is too large to be swept, only branch and bound can finish, and nobody knows
    when: there it is the anytime search, which says what it has proved if it is stopped.
    """
    if _no_levels(problem):
        return exact(problem, control=control)
    if problem.tables.lattice.nodes > SWEEPABLE and not unbounded_objectives(problem):
        return anytime(problem, control=control)
    return exact(problem, control=control)


def _no_levels(problem: Problem) -> bool:
    return problem.space is Space.ADMISSIBLE and not problem.admissible.is_lattice_of_levels


METHOD = SearchMethod(
    name="exact",
    summary="the exact front, by branch and bound or by sweep, whichever fits",
    search=exact,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
