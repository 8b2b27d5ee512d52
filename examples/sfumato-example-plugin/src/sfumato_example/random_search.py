"""Random search: the front of nodes of the lattice that are drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.search.catalogue import SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.result import Progress, SearchResult

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

_STEP = 10


@dataclass(frozen=True, kw_only=True)
class RandomSearchSettings:
    """How many nodes are drawn; some may be drawn twice."""

    draws: int = 200

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise SettingsError(f"draws is {self.draws}; it must be at least 1")


DEFAULT_SETTINGS = RandomSearchSettings()


def random_search(
    problem: Problem,
    *,
    settings: RandomSearchSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of all nodes that were drawn."""
    lattice = problem.tables.lattice
    rng = np.random.default_rng(control.seed)
    evaluated = EvaluatedPoints(problem)
    drawn, going = 0, True
    while drawn < settings.draws and going:
        count = min(_STEP, settings.draws - drawn)
        nodes = rng.integers(
            lattice.minimum_levels,
            np.array(lattice.heights) + 1,
            size=(count, len(lattice.heights)),
        )
        evaluated.evaluate(tuple(node) for node in nodes.tolist())
        drawn += count
        going = control.goes_on(
            Progress(
                settled=len(evaluated),
                nodes=lattice.nodes,
                evaluated=len(evaluated),
                front_size=len(evaluated.best),
            )
        )
    finished = drawn == settings.draws
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=False,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason=f"the best of {drawn} of {settings.draws} random draws",
        finished=finished,
    )


METHOD = SearchMethod(
    name="example-random",
    summary="the front of recodings that are drawn at random",
    search=random_search,
    settings=RandomSearchSettings,
)
