"""The methods of local recoding, and tables for tests of what all of them keep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.search.local.local_problems import local_problem

from sfumato.classes.suppression import Suppression
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.output import Output
from sfumato.search.catalogue import search_methods
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.search.problem import Problem

NAMES = sorted(
    name
    for name, method in search_methods().items()
    if method.capabilities.spaces == (Space.LOCAL,)
)
METHODS = pytest.mark.parametrize("name", NAMES)
ANY_TABLE = pytest.mark.parametrize("name", [name for name in NAMES if name != "mdav"])


CELLS, VALUES = 8, 6
OUTPUTS = {
    "hierarchy": (Output.HIERARCHY, Output.HIERARCHY),
    "interval": (Output.INTERVAL, Output.INTERVAL),
    "set": (Output.SET, Output.SET),
    "mixed": (Output.HIERARCHY, Output.SET),
}


def settings_of(name: str, least: int, largest: int) -> object:
    """Return the settings of a method that makes recodings for some k."""
    made = search_methods()[name].settings
    assert made is not None
    return made(least_k=least, largest_k=largest)  # type: ignore[call-arg]


def numbers(
    rows: int = 120,
    *,
    seed: int = 1,
    values_seed: int | None = None,
    suppression: Suppression | None = None,
) -> Problem:
    """Return a numeric table with a sensitive column, whose values may have their own seed."""
    rng = np.random.default_rng(seed)
    columns = [(40 * rng.random(rows) ** power).astype(int).tolist() for power in (1, 2)]
    tree = Intervals(widths=(5, 20), low=0, high=40).build([], column="q")
    rng = rng if values_seed is None else np.random.default_rng(values_seed)
    problem = local_problem(
        [tree, tree],
        columns,
        outputs=[Output.INTERVAL, Output.HIERARCHY],
        values=rng.choice(3, rows, p=(0.5, 0.3, 0.2)).tolist(),
    )
    return problem if suppression is None else replace(problem, suppression=suppression)


def numeric_problem(output: str, criterion: str | None, seed: int) -> Problem:
    """Return a table of eight cells of one to three rows in two weighted columns."""
    rng = np.random.default_rng(seed)
    tree = Intervals(widths=(2,), low=0, high=VALUES - 1).build([], column="q")
    rows = np.repeat(rng.choice(VALUES**2, CELLS, replace=False), rng.integers(1, 4, CELLS))
    return local_problem(
        [tree, tree],
        [(rows // VALUES).tolist(), (rows % VALUES).tolist()],
        outputs=OUTPUTS[output],
        weights=(1.0, (1.0, 0.5, 3.0)[seed % 3]),
        values=rng.integers(0, 3, rows.shape[0]).tolist(),
        suppression=Suppression(criteria=() if criterion is None else (read_criterion(criterion),)),
    )
