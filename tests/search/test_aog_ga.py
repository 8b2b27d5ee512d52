"""The genetic algorithm on AOG codes, and its operators."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.papers.granulation.fig_1 import example_study
from sfumato.search.control import after_evaluations
from sfumato.search.methods.aog_ga import AogGaSettings
from sfumato.search.operators.crossover import two_point
from sfumato.search.operators.selection import roulette_wheel


def test_it_finds_the_optimum_of_the_example() -> None:
    study = example_study("Health = 2", objectives=["sf-ql"])
    exact = study.search(method="sweep").front[0]
    # The product alone favours the identity.
    assert set(exact.levels.values()) == {0}
    found = study.search(method="aog-ga")
    assert found.front[0].values == exact.values
    assert not found.exact
    assert found.evaluated <= found.nodes == 120
    assert study.search(method="aog-ga") == found
    secure = example_study("Health = 2", objectives=["sf-ql"], criteria=["secure"])
    best = secure.search(method="sweep").front[0]
    assert best.values["sf-ql"] < exact.values["sf-ql"]
    assert secure.evaluate(best).values["secure"] == 1
    for seed in (1, 2, 3):
        run = secure.search(method="aog-ga", seed=seed).front
        assert all(secure.evaluate(solution).values["secure"] == 1 for solution in run)
        assert run[0].values["sf-ql"] <= best.values["sf-ql"]


def test_it_goes_on_where_it_was_stopped() -> None:
    study = example_study("Health = 2", objectives=["sf-ql", "k"])
    settings = AogGaSettings(population=8, generations=9)
    whole = study.search(method="aog-ga", settings=settings, seed=4)
    stopped = study.search(
        method="aog-ga", settings=settings, seed=4, should_stop=after_evaluations(15)
    )
    assert not stopped.finished
    state = json.loads(json.dumps(stopped.state))
    assert study.search(method="aog-ga", settings=settings, seed=4, resume=state) == whole
    del state["at"]["population"]
    with raises(sf.SettingsError, code="broken-state", key="resume"):
        study.search(method="aog-ga", settings=settings, seed=4, resume=state)


def test_the_fitness_is_an_objective_that_rises() -> None:
    study = example_study("Health = 2", objectives=["sf", "loss"])
    with raises(sf.SettingsError, code="missing-setting", found="'sf-ql'", expected=("sf", "loss")):
        study.search(method="aog-ga")
    with raises(sf.SettingsError, code="wrong-direction", key="fitness", found="'loss'"):
        study.search(method="aog-ga", settings=AogGaSettings(fitness="loss"))
    with pytest.raises(sf.SettingsError, match="did you mean"):
        study.search(method="aog-ga", settings=AogGaSettings(fitness="sf-qll"))
    assert study.search(method="aog-ga", settings=AogGaSettings(fitness="sf")).front


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"population": 1}, "out-of-range"),
        ({"generations": 0}, "out-of-range"),
        ({"crossover": 1.5}, "out-of-range"),
        ({"mutation": "x"}, "out-of-range"),
        ({"points": "three"}, "unknown-choice"),
        ({"fitness": 3}, "wrong-type"),
    ],
)
def test_settings_are_checked(given: dict[str, object], code: str) -> None:
    with raises(sf.SettingsError, code=code, key=next(iter(given))):
        AogGaSettings(**given)  # type: ignore[arg-type]


def test_the_roulette_wheel() -> None:
    rng = np.random.default_rng(1)
    drawn = roulette_wheel(np.array([0.0, 1.0, 3.0, 0.0]), count=4000, rng=rng)
    counts = np.bincount(drawn, minlength=4)
    assert counts[0] == counts[3] == 0
    assert 0.7 < counts[2] / 4000 < 0.8
    alike = roulette_wheel(np.zeros(3), count=300, rng=rng)
    assert set(alike.tolist()) == {0, 1, 2}
    for wrong in ([-1.0, 2.0], [np.inf, 1.0]):
        with raises(sf.SettingsError, code="out-of-range", key="fitness"):
            roulette_wheel(np.array(wrong), count=1, rng=rng)


def test_two_points() -> None:
    rng = np.random.default_rng(2)
    first, second = np.zeros((500, 5), dtype=np.bool_), np.ones((500, 5), dtype=np.bool_)
    crossed = np.arange(500) % 2 == 0
    one, other = two_point(first, second, crossed=crossed, rng=rng)
    assert (one ^ other).all()
    assert not one[~crossed].any()
    shapes = {"".join("01"[int(bit)] for bit in row) for row in one[crossed]}
    # A middle part, never the first bit; the last is only swapped with no second point after it.
    assert shapes == {"01000", "01100", "01110", "00100", "00110", "00010"}
    short = two_point(first[:, :2], second[:, :2], crossed=crossed, rng=rng)
    assert not short[0].any()
