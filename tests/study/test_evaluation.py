"""One recoding with all metrics, which are those that a search found for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.measures.catalogue import every_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY = sf.Suppression(policy="limit", limit=0.2, threshold="every")  # type: ignore[arg-type]
POLICIES = {
    "none": sf.NO_SUPPRESSION,
    "limit": sf.limited(0.1),
    "every": EVERY,
    "given-k": sf.given_k(3),
    "given-k that empties much": sf.given_k(60),
    "below-weighted-k": sf.BELOW_WEIGHTED_K,
}
TABLE = study_of_people().count_table
ALL = tuple(map(str, every_measure(TABLE)))
OBJECTIVES = {
    "k-loss": ("k", "loss"),
    "t-entropy": ("t", "entropy-l", "entropy-loss"),
    "recursive": ("recursive-l(c=2)", "s-l(column=income)", "c-avg", "cm"),
    "all": ALL,
}


@pytest.mark.parametrize(
    "objectives",
    [
        pytest.param(chosen, id=name, marks=() if name == "all" else pytest.mark.slow)
        for name, chosen in OBJECTIVES.items()
    ],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_evaluate_gives_the_metrics_of_the_front(policy: str, objectives: Sequence[str]) -> None:
    if policy == "none":
        # A loss by suppression where nothing is suppressed is refused.
        objectives = [name for name in objectives if name != "sl"]
    study = study_of_people(objectives=objectives, suppression=POLICIES[policy])
    front = study.search().front
    assert len(front) > 0
    step = 1 + len(front) // 20
    for solution in front.solutions[::step]:
        evaluation = study.evaluate(solution.levels, threshold=solution.threshold)
        assert {name: evaluation.values[name] for name in objectives} == solution.values
        assert evaluation.threshold == solution.threshold
        assert evaluation.suppressed == solution.suppressed
        assert evaluation.levels == solution.levels
        assert evaluation.rows == 80
        assert evaluation.suppression == study.suppression
        assert evaluation.empty == (evaluation.suppressed == 80) == (evaluation.classes == 0)
        few = study.evaluate(solution.levels, threshold=solution.threshold, measures=objectives)
        assert few.values == solution.values


def test_all_measures_are_there() -> None:
    study = study_of_people(
        objectives=["recursive-l(c=3)", "information-gain(column=illness)", "k"]
    )
    assert {"secure", "sf", "sf-ql"}.isdisjoint(
        study.evaluate({"age": 1, "zip": 3, "sex": 0}).values
    )
    study = replace(study, statements="illness = gout")
    evaluation = study.evaluate({"age": 1, "zip": 3, "sex": 0})
    # All that need no setting, s-l once for each sensitive column, and the study's own.
    names = {name.split("(")[0] for name in evaluation.values}
    of_population = {"k-map", "journalist-risk", "mean-journalist-risk", "delta-presence"}
    of_settings = {"level", "gain-per-anonymity", "query-error"}
    assert names == set(sf.measure_names()) - of_population - of_settings
    assert {"s-l(column=illness)", "s-l(column=income)", "recursive-l(c=3)"} <= set(
        evaluation.values
    )
    assert all(type(value) is float for value in evaluation.values.values())


def test_measures_are_those_asked_for() -> None:
    study = study_of_people()
    top = study.evaluate({"age": 3, "zip": 5, "sex": 1}, measures=["k", sf.measure("s-k")])
    assert top.values == {"k": 80.0, "s-k": 6400.0}
    assert (top.classes, top.suppressed, top.empty) == (1, 0, False)
    single = study.evaluate({"age": 3, "zip": 5, "sex": 1}, measures="weighted-k")
    assert single.values == {"weighted-k": 80.0}
    with raises(sf.SettingsError, code="unknown-measure", suggestion="weighted-k"):
        study.evaluate({"age": 3, "zip": 5, "sex": 1}, measures=["wieghted-k"])


def test_every_threshold_can_be_chosen_and_the_largest_is_the_default() -> None:
    study = study_of_people(suppression=EVERY)
    levels = {"age": 2, "zip": 4, "sex": 0}
    largest = study.evaluate(levels)
    with raises(sf.SettingsError, code="unknown-choice", key="threshold", found="1000") as e:
        study.evaluate(levels, threshold=1000)
    possible = [int(text) for text in e.value.expected or ()]
    assert len(possible) > 1
    assert possible == sorted(possible)
    assert largest.threshold == possible[-1]
    for threshold in possible:
        chosen = study.evaluate(levels, threshold=threshold)
        assert chosen.values["k"] == chosen.threshold == threshold
        assert chosen.suppressed <= 16
    assert study.evaluate(levels, threshold=possible[0]).suppressed == 0


def test_a_threshold_needs_a_study_that_allows_it() -> None:
    levels = {"age": 2, "zip": 4, "sex": 0}
    for suppression in (sf.NO_SUPPRESSION, sf.limited(0.2), sf.given_k(5)):
        study = study_of_people(suppression=suppression)
        own = study.evaluate(levels).threshold
        assert study.evaluate(levels, threshold=own).threshold == own
        with raises(sf.SettingsError, code="conflicting-settings", key="threshold"):
            study.evaluate(levels, threshold=own + 1)


def test_an_empty_release_is_marked() -> None:
    study = study_of_people(suppression=sf.given_k(81))
    evaluation = study.evaluate({"age": 3, "zip": 5, "sex": 1})
    assert evaluation.empty
    assert evaluation.values["k"] == 0.0
    assert (evaluation.classes, evaluation.suppressed) == (0, 80)


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({"age": 0, "zip": 0, "sex": 0, "illness": 0}, "'illness' is not a quasi-identifier"),
        ({"age": 0, "sex": 0}, "'zip' has no level; give one level for each of age, zip, sex"),
        ({"age": 4, "zip": 0, "sex": 0}, "level 4 of column 'age' does not exist; .* to 3"),
        ({"age": -1, "zip": 0, "sex": 0}, "level -1 of column 'age' does not exist"),
        ({"age": 0, "zip": 0, "sex": True}, "level True of column 'sex' does not exist"),
        ({"age": 0, "zip": 1.5, "sex": 0}, "level 1.5 of column 'zip' does not exist"),
    ],
)
def test_wrong_levels_teach(levels: dict[str, int], said: str) -> None:
    with pytest.raises(sf.SettingsError, match=said):
        study_of_people().evaluate(levels)


def test_a_row_of_the_fronts_table_can_be_evaluated() -> None:
    study = study_of_people()
    table = study.search().front.to_pandas()
    row = table.loc[len(table) - 1, :]
    levels = {name: table[f"level:{name}"].iloc[-1] for name in ("age", "zip", "sex")}
    assert isinstance(levels["age"], np.int64)
    assert study.evaluate(levels).values["k"] == row["k"]
