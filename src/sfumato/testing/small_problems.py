"""A small search problem in every space, large enough for a search to take several steps."""

from __future__ import annotations

import functools
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.classes.suppression import given_k, limited
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.prefixes import Prefixes
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying
from sfumato.search.problem import Problem
from sfumato.search.space import Space

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable

_ROWS = 80


@functools.cache
def small_problem(
    space: Space = Space.LATTICE, *, criteria: tuple[str, ...] = (), numbers_only: bool = False
) -> Problem:
    """Return a problem with the objectives k and loss; the column zip has a minimum level.

    >>> small_problem().tables.lattice.nodes, small_problem().table.minimum_levels
    (320, (0, 1, 0, 0, 0, 0))
    """
    suppression = given_k(3) if space is Space.PARTITIONS else limited(0.1)
    return Problem(
        table=_numbers() if numbers_only else _people(),
        objectives=(measure("k"), measure("loss")),
        suppression=replace(suppression, criteria=tuple(map(read_criterion, criteria))),
        space=space,
    )


@functools.cache
def _people() -> CountTable:
    rng = random.Random(7)
    flat = {
        "sex": ("F", "M"),
        "illness": ("flu", "flu", "cold", "gout"),
        "income": ("1", "2", "3"),
        "smokes": ("yes", "no"),
    }
    columns: dict[str, list[str | None]] = {
        "age": [str(20 + int(20 * rng.random() ** 2)) for _ in range(_ROWS)],
        "zip": [f"241{int(30 * rng.random() ** 2):02}" for _ in range(_ROWS)],
        **{name: [rng.choice(values) for _ in range(_ROWS)] for name, values in flat.items()},
    }
    return build_count_table(
        GroupedCounts.of_rows(columns),
        [
            quasi_identifying("age", Intervals(low=20, high=39, widths=(5, 10))),
            quasi_identifying("zip", Prefixes(), minimum_level=1),
            *(quasi_identifying(name, Flat()) for name in flat),
        ],
    )


@functools.cache
def _numbers() -> CountTable:
    rng = random.Random(7)
    columns: dict[str, list[str | None]] = {
        name: [str(int(20 * rng.random() ** 2)) for _ in range(_ROWS)] for name in ("age", "weight")
    }
    tree = Intervals(low=0, high=19, widths=(5, 10))
    return build_count_table(
        GroupedCounts.of_rows(columns),
        [quasi_identifying(name, tree) for name in columns],
    )
