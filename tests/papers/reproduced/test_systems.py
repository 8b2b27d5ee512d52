"""The systems side by side on a small table, and the optimum of the Crossover paper's set-up."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import insensitive, quasi_identifying
from sfumato.papers.catalogue import reproductions
from sfumato.papers.crossover.runs import crossover_problem
from sfumato.papers.systems.side_by_side import (
    SYSTEMS,
    System,
    SystemRun,
    run_system,
    side_by_side,
)
from sfumato.search.catalogue import method_named
from sfumato.search.methods.systems.iyengar import IyengarSettings

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.microdata.count_table import CountTable


def small_table() -> CountTable:
    rng = random.Random(2)
    columns: dict[str, list[str | None]] = {
        name: [str(int(8 * rng.random() ** 2)) for _ in range(300)] for name in "abc"
    }
    columns["label"] = [rng.choice("xxy") for _ in range(300)]
    tree = Intervals(low=0, high=7, widths=(2, 4))
    return build_count_table(
        GroupedCounts.of_rows(columns),
        [
            quasi_identifying("a", tree, constrained=True),
            quasi_identifying("b", tree, constrained=True),
            quasi_identifying("c", tree),
            insensitive("label", label=True),
        ],
    )


def test_no_system_is_below_the_optimum_of_its_space_and_rule() -> None:
    table = small_table()
    done: list[SystemRun] = []

    def run(system: System, k: int) -> SystemRun:
        small = IyengarSettings(population=20, evaluations=100)
        done.append(
            run_system(table, system, k, settings=small if system.method == "iyengar" else None)
        )
        return done[-1]

    found = side_by_side("small", table, (3, 6), runs=run)
    assert len(found.rows) == 2 * len(SYSTEMS)
    proved = {(r.system.space, r.system.rule, r.k): r.loss for r in done if r.system.exact}
    for each in done:
        assert each.finished
        if each.true_k >= each.k:
            assert each.loss >= proved[each.system.space, each.system.rule, each.k] * (1 - 1e-9)
    for row, each in zip(found.records(), done, strict=True):
        assert (row["above its optimum, at most"] is None) == (each.true_k < each.k)
        assert row["system"] == each.system.method
    # What is looked at is true: nothing is suppressed where nothing may be.
    assert all(each.suppressed == 0 for each in done if each.system.rule == "none")
    assert "systems" in reproductions()


@pytest.mark.slow
def test_the_best_of_genitor_on_the_crossover_set_up_is_the_optimum(adult_path: Path) -> None:
    """Crossover §4: among about 2^48 partitions of 15,000 rows none loses less at k = 15."""
    found = method_named("k-optimize").run(crossover_problem(adult_path))
    assert found.finished
    assert found.guarantee is not None
    assert found.guarantee.slacks == {"loss": 0.0}
    assert found.front.solutions[0].values["loss"] == pytest.approx(30_352.582326)
