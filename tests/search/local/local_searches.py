"""The methods of local recoding, and a table for tests of what all of them keep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.search.local.local_problems import local_problem

from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.output import Output
from sfumato.search.catalogue import search_methods
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.classes.suppression import Suppression
    from sfumato.search.problem import Problem

NAMES = sorted(
    name
    for name, method in search_methods().items()
    if method.capabilities.spaces == (Space.LOCAL,)
)
METHODS = pytest.mark.parametrize("name", NAMES)
ANY_TABLE = pytest.mark.parametrize("name", [name for name in NAMES if name != "mdav"])


def settings_of(name: str, least: int, largest: int) -> object:
    """Return the settings of a method that makes recodings for some k."""
    made = search_methods()[name].settings
    assert made is not None
    return made(least_k=least, largest_k=largest)  # type: ignore[call-arg]


def numbers(rows: int = 120, *, seed: int = 1, suppression: Suppression | None = None) -> Problem:
    """Return a numeric table with a sensitive column."""
    rng = np.random.default_rng(seed)
    columns = [(40 * rng.random(rows) ** power).astype(int).tolist() for power in (1, 2)]
    tree = Intervals(widths=(5, 20), low=0, high=40).build([], column="q")
    problem = local_problem(
        [tree, tree],
        columns,
        outputs=[Output.INTERVAL, Output.HIERARCHY],
        values=rng.choice(3, rows, p=(0.5, 0.3, 0.2)).tolist(),
    )
    return problem if suppression is None else replace(problem, suppression=suppression)
