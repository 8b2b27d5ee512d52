"""μ-Argus: combinations of a few columns are made frequent, and not those of all.

Hundepool and Willenborg, *μ- and τ-ARGUS: software for statistical disclosure control*, 1996, as
Sweeney (2002, section 5) describes it: values, pairs and triples of values must be frequent. So
combinations of all columns can be rarer than k. Where the source leaves the choice to its user,
the column in the most rare combinations goes up; its suppression of single values is left out.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sfumato.search.catalogue import SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.result import Progress, SearchResult
from sfumato.search.setting_checks import check_whole

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class MuArgusSettings:
    """How often a combination must occur, and how many columns are combined at most."""

    k: Annotated[int, "How many rows must have every combination that is checked."] = 5
    size: Annotated[int, "Combinations of up to so many columns are checked."] = 3

    def __post_init__(self) -> None:
        check_whole("k", self.k, least=2)
        check_whole("size", self.size, least=1)


DEFAULT_SETTINGS = MuArgusSettings()


def mu_argus(
    problem: Problem,
    *,
    settings: MuArgusSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the node at which all combinations of up to ``size`` columns have k rows.

    The front says its true k. Single values are made frequent first, then pairs, and so on.
    """
    lattice = problem.tables.lattice
    columns = len(lattice.heights)
    node, tested, going = lattice.bottom, 1, True
    for size in range(1, min(settings.size, columns) + 1):
        while going:
            rare = _rare_combinations(problem, node, size, settings.k)
            movable = [level < top for level, top in zip(node, lattice.top, strict=True)]
            rare = np.where(movable, rare, 0)
            if not rare.any():
                break
            column = int(np.argmax(rare))
            node = tuple(level + (q == column) for q, level in enumerate(node))
            tested += 1
            going = control.goes_on(
                Progress(settled=tested, nodes=lattice.nodes, evaluated=tested, front_size=1)
            )
    found = EvaluatedPoints(problem)
    found.evaluate([node])
    checked = f"combinations of up to {settings.size} columns have at least {settings.k} rows"
    reason = (
        f"all {checked}; those of all columns may have fewer, and then the recoding misses k"
        if going
        else f"the search was stopped before all {checked}"
    )
    return SearchResult(
        front=found.front(),
        method=METHOD.name,
        exact=False,
        evaluated=tested,
        nodes=lattice.nodes,
        reason=reason,
        finished=going,
    )


def _rare_combinations(problem: Problem, node: tuple[int, ...], size: int, k: int) -> Counts:
    """Return in how many rare combinations of ``size`` columns every column is."""
    tables = problem.tables
    columns = len(node)
    subsets = list(itertools.combinations(range(columns), size))
    nodes = np.tile(np.array(tables.lattice.top, dtype=np.int64), (len(subsets), 1))
    for row, subset in enumerate(subsets):
        nodes[row, list(subset)] = [node[q] for q in subset]
    batch = tables.group(nodes)
    rare = np.bincount(batch.recoding_of[batch.units < k], minlength=len(subsets))
    total: Counts = np.zeros(columns, dtype=np.int64)
    for count, subset in zip(rare.tolist(), subsets, strict=True):
        total[list(subset)] += count
    return total


METHOD = SearchMethod(
    name="mu-argus",
    summary="μ-Argus: combinations of a few columns are made frequent; it may miss k",
    search=mu_argus,
    settings=MuArgusSettings,
    capabilities=SearchCapabilities(),
)
