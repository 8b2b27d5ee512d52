"""MDAV: local recodings of numeric tables by maximum distance to the average vector.

Domingo-Ferrer, Mateo-Sanz, *Practical data-oriented microaggregation for statistical disclosure
control*, IEEE TKDE 14 (2002); Hundepool et al., *Statistical disclosure control* (2012). While 3k
rows are left, a group of k rows is formed around the one that is farthest from the average, and
one around the row that is farthest from that one; of 2k rows, one such group and the rest. Values
are standardized. Here whole cells move, where the published algorithm splits rows that are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.recoding.local import Local
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.local.asked_sizes import AskedSizes
from sfumato.search.local.each_size import recode_for_each_size
from sfumato.search.local.loading import load_mdav_kernels
from sfumato.search.local.numeric_points import squared_errors, standardized_points
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.search.local.solver import LocalSolver
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


@dataclass(frozen=True, kw_only=True)
class MdavSettings(AskedSizes):
    """For which k recodings are made."""


DEFAULT_SETTINGS = MdavSettings()


def mdav(
    problem: Problem,
    *,
    settings: MdavSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of the recodings that MDAV makes for every k."""
    points = standardized_points(problem.table, asker="mdav")
    sizes = problem.table.cell_units

    def make(solver: LocalSolver, k: int) -> Counts:  # noqa: ARG001
        classes: Counts = load_mdav_kernels().mdav(points, sizes, k)
        return classes

    found = recode_for_each_size(
        problem,
        make,
        method=METHOD.name,
        way="by maximum distance to the average vector",
        asked=settings,
        control=control,
    )
    shares = [
        relative_squared_error(problem, each.recoding)
        for each in found.front
        if isinstance(each.recoding, Local)
    ]
    if not shares:
        return found
    spread = " to ".join(f"{share:.2%}" for share in sorted({min(shares), max(shares)}))
    return replace(found, reason=f"{found.reason}; SSE/SST {spread}")


def relative_squared_error(problem: Problem, recoding: Local) -> float:
    """Return SSE/SST: the squared errors of a recoding, as a share of those of one single class.

    Values are standardized, so that SST is the number of rows times that of columns that vary.
    """
    points = standardized_points(problem.table, asker="mdav")
    sizes = problem.table.cell_sizes
    total = float((sizes[:, None] * points**2).sum())
    kept = recoding.classes >= 0
    error = squared_errors(points[kept], sizes[kept], recoding.classes[kept])
    # A row that is suppressed tells as little as one of a single class.
    error += float((sizes[~kept, None] * points[~kept] ** 2).sum())
    return error / total if total else 0.0


METHOD = SearchMethod(
    name="mdav",
    summary="local recodings of numeric tables for every k: groups around the outermost rows",
    search=mdav,
    settings=MdavSettings,
    capabilities=SearchCapabilities(
        spaces=(Space.LOCAL,), criteria=CriteriaUse.KEPT, numbers_only=True
    ),
)
