"""The tables of figs 4 and 5 of the Crossover paper: the set-up, final losses and rank tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.papers.crossover.runs import (
    CONSTRAINED_BITS,
    LOG_OF_SPACE,
    ROWS,
    UNCONSTRAINED_BITS,
)
from sfumato.papers.rank_sum_test import rank_sum_test
from sfumato.papers.reproduced import ReproducedTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.crossover.trials import Trials
    from sfumato.papers.reproduced import Cell
    from sfumato.search.problem import Problem


NEAR, ROUGHLY = 0.01, 0.05
"""So near to the best median counts as being there, and as being roughly there."""


def name_of(trials: Trials) -> str:
    """Return how a setting is called."""
    settings = trials.settings
    duplicates = ", duplicates" if settings.duplicates else ""
    start = "" if settings.start == "trees" else ", repaired"
    return f"{settings.operator.upper()} {settings.population:,}{start}{duplicates}"


def quartiles(trials: Trials) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third quartile of the final losses."""
    first, median, third = np.quantile(trials.final, (0.25, 0.5, 0.75)).tolist()
    return first, median, third


def median_of(trials: Trials) -> float:
    """Return the median of the final losses."""
    return quartiles(trials)[1]


def nearness(runs: Sequence[Trials], share: float = NEAR) -> float:
    """Return the loss that counts as near the best: 1 % above the best median unless given."""
    return (1 + share) * min(map(median_of, runs))


def median_needed(trials: Trials, loss: float) -> int | None:
    """Return after how many evaluations half of the trials were at a loss; None if never."""
    needed = sorted(math.inf if each is None else each for each in trials.needed(loss))
    middle = needed[(len(needed) - 1) // 2]
    return None if math.isinf(middle) else int(middle)


def space_table(problem: Problem) -> ReproducedTable:
    """Return the set-up beside the paper's."""
    space = problem.partitions
    bound = int(space.constrained_bits.sum())
    return ReproducedTable(
        title="The set-up",
        columns=(("", ""), ("ours", ","), ("paper", ",")),
        rows=(
            ("rows", problem.table.rows, ROWS),
            ("quasi-identifiers", len(space.columns), 8),
            ("bits of unconstrained ones", space.bits - bound, UNCONSTRAINED_BITS),
            ("bits of constrained ones", bound, CONSTRAINED_BITS),
            (
                "valid strings",
                f"about 2^{math.log2(space.size):.1f}",
                f"on the order of 2^{LOG_OF_SPACE}",
            ),
        ),
    )


def final_table(title: str, runs: Sequence[Trials]) -> ReproducedTable:
    """Return the final losses of every setting, and how soon it was near the best median."""
    near, roughly = nearness(runs), nearness(runs, ROUGHLY)
    rows: list[tuple[Cell, ...]] = []
    for trials in runs:
        first, median, third = quartiles(trials)
        final = trials.final
        rows.append(
            (
                name_of(trials),
                float(final.min()),
                first,
                median,
                third,
                float(final.max()),
                float(final.mean()),
                third - first,
                float(np.ptp(final)),
                median_needed(trials, roughly),
                median_needed(trials, near),
                sum(each is not None for each in trials.needed(near)),
                trials.evaluated,
            )
        )
    return ReproducedTable(
        title=title,
        columns=(
            ("setting", ""),
            ("least", ",.0f"),
            ("quartile", ",.0f"),
            ("median", ",.0f"),
            ("quartile ", ",.0f"),
            ("greatest", ",.0f"),
            ("mean", ",.0f"),
            ("between quartiles", ",.0f"),
            ("spread", ",.0f"),
            ("half within 5 % after", ","),
            ("half within 1 % after", ","),
            ("trials within 1 %", ","),
            ("different strings", ","),
        ),
        rows=tuple(rows),
    )


def rank_table(title: str, pairs: Sequence[tuple[Trials, Trials]]) -> ReproducedTable:
    """Return the rank sum tests of pairs of settings; of one trial, none.

    They compare the final losses, the evaluations until 5 % above the best median (a trial that
    never came there counts as the latest), and the scatter: how far the final losses of a setting
    are from their own median.
    """
    roughly = nearness([trials for pair in pairs for trials in pair], ROUGHLY)
    rows: list[tuple[Cell, ...]] = []
    for one, other in pairs:
        test: tuple[Cell, ...] = (None,) * 5
        if len(one.final) > 1:
            found = rank_sum_test(one.final.tolist(), other.final.tolist())
            sooner = rank_sum_test(_times(one, roughly), _times(other, roughly))
            nearer = rank_sum_test(_deviations(one), _deviations(other))
            test = (found.u, found.lower, found.p, sooner.p, nearer.p)
        rows.append(
            (
                name_of(one),
                name_of(other),
                median_of(one) - median_of(other),
                median_of(one) / median_of(other) - 1,
                *test,
            )
        )
    return ReproducedTable(
        title=title,
        columns=(
            ("first", ""),
            ("second", ""),
            ("difference of medians", "+,.0f"),
            ("relative", "+.2%"),
            ("U", ",.1f"),
            ("first is the lower", ".2f"),
            ("p", ".2g"),
            ("p of the time", ".2g"),
            ("p of the scatter", ".2g"),
        ),
        rows=tuple(rows),
    )


def _times(trials: Trials, loss: float) -> list[float]:
    never = 1 + float(trials.evaluations[-1])
    return [never if each is None else float(each) for each in trials.needed(loss)]


def _deviations(trials: Trials) -> list[float]:
    deviations: list[float] = np.abs(trials.final - np.median(trials.final)).tolist()
    return deviations
