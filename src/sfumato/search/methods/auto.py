"""The method that is taken unless another one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.methods.exact import lattice_front
from sfumato.search.methods.local.ruin_and_recreate import RuinAndRecreateSettings
from sfumato.search.methods.nsga_ii import NsgaIISettings
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


def auto(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front of the lattice or the admissible recodings; see `lattice_front`."""
    return lattice_front(problem, control=control)


METHOD = SearchMethod(
    name="auto",
    summary=(
        "an exact search, or one that can be stopped on huge lattices; NSGA-II for partitions, "
        "from the exact front of the lattice on; ruin and recreate for local recodings"
    ),
    search=auto,
    capabilities=SearchCapabilities(
        spaces=tuple(Space),
        criteria=CriteriaUse.KEPT,
        resumable=True,
    ),
    # Beyond the chapter's settings: so no solution of the lattice dominates what it finds, and
    # constrained columns, which the chapter never mutates, get new cuts.
    instead={
        Space.PARTITIONS: ("nsga-ii", NsgaIISettings(start="lattice", random_crossover=0.1)),
        Space.LOCAL: ("ruin-and-recreate", RuinAndRecreateSettings()),
    },
)
