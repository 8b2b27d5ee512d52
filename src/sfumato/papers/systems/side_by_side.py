"""Every system on one table, beside the exact optimum of its space and its suppression."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.classes.suppression import NO_SUPPRESSION, Suppression, given_k, limited
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.papers.reproduced import ReproducedTable
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl
from sfumato.search.methods.systems.iyengar import IyengarSettings
from sfumato.search.methods.systems.mu_argus import MuArgusSettings
from sfumato.search.problem import Problem
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.microdata.count_table import CountTable
    from sfumato.papers.reproduced import Cell
    from sfumato.search.result import Progress, SearchResult

LIMIT = 0.01
"""Samarati, MinGen and Incognito may suppress one row in a hundred."""
EVALUATIONS = 30_000
"""The evaluations of the Crossover paper, with the population of Iyengar."""
MOST_BOXES = 40_000
"""After so many boxes k-Optimize is stopped, and says how far the best can be."""


@dataclass(frozen=True, kw_only=True)
class System:
    """A system with its space and its suppression; ``exact`` ones are what others are held to."""

    method: str
    space: Space
    rule: str
    settings: Callable[[int], object] | None = None
    criteria: bool = True

    @property
    def exact(self) -> bool:
        """Whether it proves what it finds."""
        return self.method in ("exact", "k-optimize")

    def suppression(self, k: int) -> Suppression:
        """Return its policy at a k."""
        if self.rule == "below k":
            return given_k(k)
        policy = NO_SUPPRESSION
        if self.rule != "none":
            policy = limited(k if self.rule == "up to k rows" else LIMIT)
        criteria = (read_criterion(f"k>={k}"),) if self.criteria else ()
        return Suppression(policy=policy.policy, limit=policy.limit, criteria=criteria)


SYSTEMS: tuple[System, ...] = (
    System(method="exact", space=Space.LATTICE, rule="up to k rows"),
    System(method="exact", space=Space.LATTICE, rule="up to 1 %"),
    System(method="exact", space=Space.LATTICE, rule="none"),
    System(method="k-optimize", space=Space.PARTITIONS, rule="none"),
    System(method="k-optimize", space=Space.PARTITIONS, rule="below k"),
    System(method="datafly", space=Space.LATTICE, rule="up to k rows"),
    System(method="samarati", space=Space.LATTICE, rule="up to 1 %"),
    System(method="mingen", space=Space.LATTICE, rule="up to 1 %"),
    System(method="incognito", space=Space.LATTICE, rule="up to 1 %"),
    System(
        method="mu-argus",
        space=Space.LATTICE,
        rule="none",
        criteria=False,
        settings=lambda k: MuArgusSettings(k=k),
    ),
    System(method="tds", space=Space.PARTITIONS, rule="none"),
    System(method="bug", space=Space.PARTITIONS, rule="none"),
    System(
        method="iyengar",
        space=Space.PARTITIONS,
        rule="below k",
        settings=lambda _: IyengarSettings(evaluations=EVALUATIONS),
    ),
)


@dataclass(frozen=True, kw_only=True)
class SystemRun:
    """What a system found at a k: the least loss, and what no recoding can be below."""

    system: System
    k: int
    true_k: float
    suppressed: int
    loss: float
    proved: float
    evaluations: int
    seconds: float
    finished: bool


def run_system(
    table: CountTable,
    system: System,
    k: int,
    *,
    seed: int = 1,
    settings: object | None = None,
    most_boxes: int = MOST_BOXES,
) -> SystemRun:
    """Run a system on a table and return the recoding with the least loss that it found."""
    names = ("loss",) if system.rule == "below k" or system.exact else ("k", "loss")
    problem = Problem(
        table=table,
        objectives=tuple(map(measure, names)),
        suppression=system.suppression(k),
        space=system.space,
    )
    if settings is None and system.settings is not None:
        settings = system.settings(k)
    heard = 0

    def after_most_boxes(_: Progress) -> bool:
        nonlocal heard
        heard += 1
        return system.method == "k-optimize" and heard > most_boxes

    control = SearchControl(seed=seed, should_stop=after_most_boxes)
    began = time.perf_counter()
    found = method_named(system.method).run(problem, settings=settings, control=control)
    seconds = time.perf_counter() - began
    best = min(found.front, key=lambda solution: solution.values["loss"])
    return SystemRun(
        system=system,
        k=k,
        true_k=_true_k(problem, found, best.id),
        suppressed=best.suppressed,
        loss=best.values["loss"],
        proved=best.values["loss"] - _slack(found),
        evaluations=found.evaluated,
        seconds=seconds,
        finished=found.finished,
    )


def _slack(found: SearchResult) -> float:
    return 0.0 if found.guarantee is None else found.guarantee.slacks["loss"]


def _true_k(problem: Problem, found: SearchResult, chosen: int) -> float:
    """Return the size of the smallest class that is kept."""
    from sfumato.study.evaluation import evaluate_recoding

    solution = found.front.solutions[chosen]
    evaluated = evaluate_recoding(
        problem, solution.recoding, measures=(measure("k"),), threshold=solution.threshold
    )
    return evaluated.values["k"]


def side_by_side(
    title: str,
    table: CountTable,
    asked: Sequence[int],
    *,
    runs: Callable[[System, int], SystemRun],
) -> ReproducedTable:
    """Return a table of all systems at every k, the exact ones first."""
    cells = float(table.rows * len(table.quasi_identifiers))
    rows: list[tuple[Cell, ...]] = []
    for k in asked:
        done = [runs(system, k) for system in SYSTEMS]
        rows.extend(_rows(done, cells))
    return ReproducedTable(
        title=title,
        columns=(
            ("k", ""),
            ("system", ""),
            ("space", ""),
            ("suppressed by rule", ""),
            ("rows suppressed", ","),
            ("true k", ",.0f"),
            ("loss", ".4f"),
            ("above its optimum, at most", ".1%"),
            ("above the best partition", ".1%"),
            ("evaluations", ","),
            ("seconds", ".1f"),
        ),
        rows=tuple(rows),
    )


def _rows(done: Sequence[SystemRun], cells: float) -> Iterator[tuple[Cell, ...]]:
    proved = {(r.system.space, r.system.rule): r.proved for r in done if r.system.exact}
    best = min(r.loss for r in done if (r.system.space, r.system.rule) == BEST)
    for run in done:
        system = run.system
        optimum = proved[(system.space, system.rule)]
        # What misses k is no solution, however little it loses.
        meets = run.true_k >= run.k
        yield (
            run.k,
            system.method if run.finished else f"{system.method}, stopped",
            system.space.value,
            system.rule,
            run.suppressed,
            run.true_k,
            run.loss / cells,
            _above(run.loss, optimum) if meets else None,
            _above(run.loss, best) if meets else None,
            run.evaluations,
            run.seconds,
        )


BEST = (Space.PARTITIONS, "below k")


def _above(loss: float, optimum: float) -> float:
    return 0.0 if loss <= optimum or not optimum else loss / optimum - 1
