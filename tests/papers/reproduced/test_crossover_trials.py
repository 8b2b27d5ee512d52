"""Trials in step are single runs of GENITOR; the tables say what is in them."""

from __future__ import annotations

import dataclasses
import statistics
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.papers.reproduced.drawn import drawn, points_of
from tests.recoding.random_trees import WORKCLASS
from tests.search.small_spaces import partition_problem

from sfumato.classes.suppression import given_k
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.papers.crossover.claims import duplicate_claims, operator_claims
from sfumato.papers.crossover.figures import Curve, draw_curve, fig_5_plot
from sfumato.papers.crossover.tables import final_table, median_needed, name_of, rank_table
from sfumato.papers.crossover.trials import Trials, genitor_trials
from sfumato.search.control import SearchControl
from sfumato.search.evaluation.strings_place import read_strings
from sfumato.search.methods.genitor.genitor import genitor
from sfumato.search.methods.genitor.settings import GenitorSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.search.methods.genitor.settings import Operator

AGE = Intervals(low=20, high=31, widths=(2, 4)).build([], column="age")
PROBLEM = partition_problem(
    [(AGE, False), (WORKCLASS, True)], rows=300, objectives=("loss",), suppression=given_k(5)
)
SETTINGS = GenitorSettings(population=20, evaluations=250)


@pytest.mark.parametrize("operator", ["new", "trad"])
@pytest.mark.parametrize("duplicates", [False, True])
def test_a_trial_in_step_is_a_run_of_genitor(operator: Operator, duplicates: bool) -> None:
    settings = dataclasses.replace(SETTINGS, operator=operator, duplicates=duplicates)
    trials = genitor_trials(PROBLEM, settings, (3, 8))
    assert trials.evaluations.tolist() == [20, 120, 220, 250]
    for place, seed in enumerate((3, 8)):
        whole = genitor(PROBLEM, settings=settings, control=SearchControl(seed=seed))
        assert trials.final[place] == min(s.values["loss"] for s in whole.front)
        for column, done in enumerate(trials.evaluations.tolist()[:-1]):
            stopped = genitor(
                PROBLEM,
                settings=settings,
                control=SearchControl(seed=seed, should_stop=_after(done)),
            )
            assert trials.best[place, column] == min(s.values["loss"] for s in stopped.front)
        if stopped.state is not None:
            # The populations are the same to the last string, too.
            shorter = dataclasses.replace(settings, evaluations=done)
            population = genitor_trials(PROBLEM, shorter, [seed]).populations[0]
            told = stopped.state["population"]
            assert list(population) == read_strings(str(told), PROBLEM.partitions.bits)


def _after(done: int):  # type: ignore[no-untyped-def]
    return lambda progress: progress.steps.done >= done


def trials_of(
    final: Sequence[float],
    *,
    operator: Operator = "new",
    population: int = 200,
    duplicates: bool = False,
    earlier: Sequence[Sequence[float]] = (),
) -> Trials:
    """Trials that ended with some losses, after other ones."""
    columns = [*earlier, final]
    best = np.array(columns, dtype=np.float64).T
    return Trials(
        settings=GenitorSettings(operator=operator, population=population, duplicates=duplicates),
        evaluations=np.arange(1, len(columns) + 1) * 100,
        best=best,
        populations=(),
        evaluated=7,
    )


def test_the_table_of_final_losses() -> None:
    new = trials_of((100, 100, 101, 104, 90), earlier=((200, 101, 200, 200, 200),))
    trad = trials_of((150, 102, 180, 120, 130), operator="trad")
    first, second = final_table("final", (new, trad)).records()
    assert first["setting"] == "NEW 200"
    assert first["median"] == statistics.median((100, 100, 101, 104, 90)) == 100
    assert (first["quartile"], first["quartile "]) == (100, 101)
    assert (first["least"], first["greatest"], first["spread"]) == (90, 104, 14)
    assert first["mean"] == 99
    # Within 1 % of the best median, 100, is 101: one trial at once, three more in the end.
    assert first["half within 1 % after"] == 200
    assert first["trials within 1 %"] == 4
    assert second["half within 1 % after"] is None
    assert second["trials within 1 %"] == 0
    assert new.needed(101) == [200, 100, 200, None, 200]
    assert median_needed(new, 99) is None


def test_curves_are_medians_with_quartiles() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    trials = trials_of((1, 2, 9), earlier=((4, 8, 12),))
    draw_curve(axes, Curve(trials=trials, name="NEW", colour="#000000"))
    (median,), (band,) = axes.lines, axes.collections
    assert points_of(median) == [(100, 8), (200, 2)]
    corners = {(x, y) for x, y in np.asarray(band.get_paths()[0].vertices).tolist()}
    assert corners == {(100, 6), (200, 1.5), (200, 5.5), (100, 10)}


def test_every_trial_is_a_dot_beside_its_box() -> None:
    pairs = [
        (trials_of((10, 11, 13), population=p), trials_of((12, 12, 19), population=p))
        for p in (200, 500, 1000)
    ]
    boxes = drawn(fig_5_plot(pairs)).axes[-1]
    dots = [line for line in boxes.lines if line.get_marker() == "."]
    assert [sorted(y for _, y in points_of(line)) for line in dots] == 3 * [[10, 11, 13]] + 3 * [
        [12, 12, 19]
    ]
    assert next(label.get_text() for label in boxes.get_xticklabels()) == "NEW 200"


def test_the_rank_tests_and_the_claims() -> None:
    pairs = [
        (
            trials_of((10, 10, 11), population=population, earlier=((early,) * 3,)),
            trials_of((20, 30, 40), operator="trad", population=population, earlier=((50,) * 3,)),
        )
        for population, early in ((200, 10), (500, 11), (1000, 12))
    ]
    row = rank_table("ranks", pairs).records()[0]
    assert (row["first"], row["second"]) == (name_of(pairs[0][0]), "TRAD 200")
    assert row["difference of medians"] == -20
    assert row["relative"] == pytest.approx(10 / 30 - 1)
    assert (row["U"], row["first is the lower"]) == (0, 1)
    assert row["p"] == pytest.approx(2 / 20)
    said = {row["claim"]: row["ours"] for row in operator_claims(pairs).records()}
    assert said["NEW comes within 1 % sooner than TRAD"] == "200, 500, 1,000"
    assert said["the median of NEW is the lower one"] == "200, 500, 1,000"
    assert said["the medians are close (within 1 %)"] == "nowhere"
    assert said["medians of NEW differ by at most"] == "0.00%"
    alone = [(trials_of((10,)), trials_of((12,)))]
    assert rank_table("ranks", alone).records()[0]["p"] is None
    turned = [(trad, new) for new, trad in pairs]
    said = {row["claim"]: row["ours"] for row in operator_claims(turned).records()}
    assert said["NEW comes within 1 % sooner than TRAD"] == "nowhere"
    assert said["NEW is less scattered (quartiles)"] == "nowhere"


def test_the_claims_about_duplicates() -> None:
    without = [trials_of((10, 10, 10), population=p) for p in (200, 500, 1000)]
    allowed = [
        trials_of(final, population=p, duplicates=True)
        for p, final in ((200, (10, 13, 19)), (500, (11, 12, 12)), (1000, (10, 10, 11)))
    ]
    table = duplicate_claims(list(zip(without, allowed, strict=True)))
    said = {row["claim"]: row["ours"] for row in table.records()}
    assert said["without duplicates the median is the lower one"] == "200, 500"
    assert said["with duplicates, smaller populations end at greater medians"] == "yes"
    assert said["with duplicates, the greatest spread is that of population"] == "200"
