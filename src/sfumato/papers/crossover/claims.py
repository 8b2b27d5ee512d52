"""What the Crossover paper reads off its figures, said of our trials."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.papers.crossover.tables import (
    ROUGHLY,
    median_needed,
    median_of,
    nearness,
    quartiles,
)
from sfumato.papers.reproduced import ReproducedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.papers.crossover.trials import Trials
    from sfumato.papers.reproduced import Cell

Pair = tuple["Trials", "Trials"]
EVERYWHERE = "200, 500, 1,000"


def claims_table(rows: Sequence[tuple[str, str, str]], *, of: str = "") -> ReproducedTable:
    """Return claims with what the paper says and what ours say, those of some trials."""
    cells: tuple[tuple[Cell, ...], ...] = tuple(rows)
    return ReproducedTable(
        title=f"What the paper finds, and where ours agree (population sizes){of}",
        columns=(("claim", ""), ("paper", ""), ("ours", "")),
        rows=cells,
    )


def operator_claims(pairs: Sequence[Pair], *, of: str = "") -> ReproducedTable:
    """Return the claims of fig. 4 about NEW and TRAD, a pair for every population size."""
    everyone = [trials for pair in pairs for trials in pair]
    near, roughly = nearness(everyone), nearness(everyone, ROUGHLY)
    news, trads = [new for new, _ in pairs], [trad for _, trad in pairs]
    return claims_table(
        (
            ("NEW comes within 5 % sooner than TRAD", EVERYWHERE, _where(pairs, _sooner(roughly))),
            ("NEW comes within 1 % sooner than TRAD", EVERYWHERE, _where(pairs, _sooner(near))),
            ("the median of NEW is the lower one", EVERYWHERE, _where(pairs, _lower)),
            ("the medians are close (within 1 %)", "200, 1,000", _where(pairs, _close)),
            ("NEW is less scattered (quartiles)", EVERYWHERE, _where(pairs, _narrower)),
            ("NEW is less scattered (extremes)", EVERYWHERE, _where(pairs, _less_spread)),
            ("medians of NEW differ by at most", "nearly nothing", _range(news)),
            ("medians of TRAD differ by at most", "no pattern", _range(trads)),
            ("NEW: larger populations come within 5 % later", "yes", _later(news, roughly)),
            ("TRAD: larger populations come within 5 % later", "yes", _later(trads, roughly)),
        ),
        of=of,
    )


def duplicate_claims(pairs: Sequence[Pair], *, of: str = "") -> ReproducedTable:
    """Return the claims of fig. 5, a pair without and with duplicates for every population."""
    everyone = [trials for pair in pairs for trials in pair]
    near, roughly = nearness(everyone), nearness(everyone, ROUGHLY)
    allowed = [duplicates for _, duplicates in pairs]
    medians = [median_of(trials) for trials in allowed]
    falls = all(small >= large for small, large in pairwise(medians))
    return claims_table(
        (
            ("without duplicates within 5 % sooner", EVERYWHERE, _where(pairs, _sooner(roughly))),
            ("without duplicates within 1 % sooner", EVERYWHERE, _where(pairs, _sooner(near))),
            ("without duplicates the median is the lower one", EVERYWHERE, _where(pairs, _lower)),
            ("the medians are close (within 1 %)", EVERYWHERE, _where(pairs, _close)),
            (
                "with duplicates, smaller populations end at greater medians",
                "yes",
                "yes" if falls else "no",
            ),
            (
                "with duplicates, the greatest spread is that of population",
                "200",
                f"{max(allowed, key=_spread).settings.population:,}",
            ),
        ),
        of=of,
    )


def _where(pairs: Sequence[Pair], holds: Callable[[Trials, Trials], bool]) -> str:
    found = [f"{one.settings.population:,}" for one, other in pairs if holds(one, other)]
    return ", ".join(found) or "nowhere"


def _sooner(near: float) -> Callable[[Trials, Trials], bool]:
    def sooner(one: Trials, other: Trials) -> bool:
        return _time(one, near) < _time(other, near)

    return sooner


def _time(trials: Trials, near: float) -> float:
    needed = median_needed(trials, near)
    return math.inf if needed is None else needed


def _lower(one: Trials, other: Trials) -> bool:
    return median_of(one) < median_of(other)


def _close(one: Trials, other: Trials) -> bool:
    return abs(median_of(one) / median_of(other) - 1) <= 0.01


def _narrower(one: Trials, other: Trials) -> bool:
    return _between_quartiles(one) < _between_quartiles(other)


def _less_spread(one: Trials, other: Trials) -> bool:
    return _spread(one) < _spread(other)


def _between_quartiles(trials: Trials) -> float:
    first, _, third = quartiles(trials)
    return third - first


def _spread(trials: Trials) -> float:
    return float(trials.final.max() - trials.final.min())


def _range(runs: Sequence[Trials]) -> str:
    medians = [median_of(trials) for trials in runs]
    return f"{max(medians) / min(medians) - 1:.2%}"


def _later(runs: Sequence[Trials], near: float) -> str:
    times = [_time(trials, near) for trials in runs]
    rising = all(small < large for small, large in pairwise(times))
    return "yes" if rising else "no"
