"""The method that is taken unless another one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.search.catalogue import CriteriaUse, search_method
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.methods.exact import lattice_front
from sfumato.search.methods.nsga_ii.settings import NsgaIISettings
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@search_method(
    "auto",
    "the best search for the problem: an exact one, or one that can be stopped on huge lattices; "
    "NSGA-II for partitions, from the exact front of the lattice on",
    resumable=True,
    spaces=(Space.LATTICE, Space.PARTITIONS, Space.ADMISSIBLE),
    # Beyond the chapter's settings: so no solution of the lattice beats what it finds, and
    # constrained columns, which the chapter never mutates, get new cuts.
    instead={Space.PARTITIONS: ("nsga-ii", NsgaIISettings(start="lattice", random_crossover=0.1))},
    criteria=CriteriaUse.KEPT,
)
def auto(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return the exact front of the lattice or the admissible recodings; see `lattice_front`."""
    return lattice_front(problem, control=control)
