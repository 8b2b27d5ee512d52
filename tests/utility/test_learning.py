"""Learning: folds, no row in training and test, scores as scikit-learn computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError
from sfumato.study.analysed_study import AnalysedStudy, UtilityQuestion
from sfumato.utility import learners
from sfumato.utility.features import features
from sfumato.utility.learners import area_under_curve
from sfumato.utility.learning import LearningSettings
from sfumato.utility.released_table import unprotected
from sfumato.utility.workload import Workload

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Floats

pytest.importorskip("sklearn")


def study(rows: int = 300) -> sf.Study:
    rng = np.random.default_rng(5)
    age = rng.integers(20, 60, rows)
    frame = pd.DataFrame(
        {
            "row": [f"r{n:04}" for n in range(rows)],
            "age": age,
            "town": rng.choice(["Aachen", "Bonn", "Celle"], rows),
            "ill": np.where(age + rng.normal(0, 8, rows) > 40, "yes", "no"),
            "coin": rng.choice(["heads", "tails"], rows),
        }
    )
    return sf.Study(
        source=frame,
        attributes=[
            sf.insensitive("row"),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=59, widths=(5, 10))),
            sf.quasi_identifying(
                "town", sf.Groups(levels=[{"west": ["Aachen", "Bonn"], "east": ["Celle"]}])
            ),
            sf.sensitive("ill"),
            sf.insensitive("coin"),
        ],
        suppression=sf.limited(0.2),
    )


def analysed(settings: LearningSettings, *targets: str) -> AnalysedStudy:
    question = UtilityQuestion.of(
        workload=Workload(random=None), targets=targets, learning=settings, by=None
    )
    return AnalysedStudy.of(study(), question)


def test_every_row_is_in_one_fold_and_classes_are_dealt_evenly() -> None:
    made = analysed(LearningSettings(learners=("logistic-regression",), folds=4), "ill")
    (learning,) = made.learning
    assert (learning.by_fold.sum(axis=1) == made.table.counts).all()
    column = made.table.column("ill")
    for code in range(2):
        in_fold = learning.by_fold[column.codes == code].sum(axis=0)
        assert in_fold.max() - in_fold.min() <= 1


class Memory:
    """Knows the rows that it was trained on, and nothing else: the name of a row is a feature."""

    def __init__(self, features: Floats, target: Codes) -> None:
        self.seen = {row.tobytes(): int(code) for row, code in zip(features, target, strict=True)}
        self.classes = np.arange(2, dtype=np.int32)
        self.known: list[bool] = []

    def probabilities(self, features: Floats) -> Floats:
        found = [self.seen.get(row.tobytes()) for row in features]
        self.known += [code is not None for code in found]
        return np.array([[1.0, 0.0] if not code else [0.0, 1.0] for code in found])


def test_no_row_is_in_training_and_test(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Memory] = []

    def remember(features: Floats, target: Codes, weights: Floats, *, seed: int) -> Memory:
        assert weights.min() > 0
        assert seed == 1
        made.append(Memory(features, target))
        return made[-1]

    monkeypatch.setattr("sfumato.utility.features.MOST_FEATURES", 400)
    monkeypatch.setitem(learners._LEARNERS, "logistic-regression", remember)
    settings = LearningSettings(learners=("logistic-regression",), folds=3)
    found = analysed(settings, "coin")
    released = found.released({"age": 1, "town": 1})
    found.scores(released)
    assert len(made) == 6
    # Every row has a name of its own, so that one that was seen would be known again.
    assert not any(known for memory in made for known in memory.known)
    assert sum(len(memory.known) for memory in made[:3]) == found.table.rows
    kept = released.rows
    assert sum(len(memory.seen) for memory in made[3:]) == 2 * kept


def test_scores_are_those_of_a_plain_loop_over_rows() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import StandardScaler

    settings = LearningSettings(learners=("logistic-regression",), folds=3)
    made = analysed(settings, "ill")
    released = made.released({"age": 2, "town": 1})
    (told,) = made.scores(released)
    (learning,) = made.learning
    every = np.arange(made.table.counts.shape[0])
    shown = features(learning.columns, released.columns, every)
    plain = features(learning.columns, unprotected(made.table).columns, every)
    target = made.table.column("ill").codes
    accuracies, areas = [], []
    for fold in range(3):
        train = [
            group
            for group in every
            if released.kept[group]
            for other in range(3)
            if other != fold
            for _ in range(learning.by_fold[group, other])
        ]
        test = [g for g in every for _ in range(learning.by_fold[g, fold])]
        scaler = StandardScaler().fit(shown[train])
        model = LogisticRegression(solver="newton-cholesky", max_iter=300)
        model.fit(scaler.transform(shown[train]), target[train])
        chances = model.predict_proba(scaler.transform(plain[test]))[:, 1]
        accuracies.append(np.mean((chances > 0.5) == (target[test] == 1)))
        areas.append(roc_auc_score(target[test], chances))
    assert told.released[0].accuracy == pytest.approx(np.mean(accuracies))
    assert told.released[0].accuracy_deviation == pytest.approx(np.std(accuracies))
    # Rounding decides about predictions that are nearly equal.
    assert told.released[0].auc == pytest.approx(np.mean(areas), abs=1e-3)
    assert told.original[0].accuracy > told.majority + 0.1


@pytest.mark.parametrize("classes", [2, 4])
def test_area_under_the_curve_is_that_of_scikit_learn(classes: int) -> None:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(classes)
    target = rng.integers(0, classes, 200).astype(np.int32)
    chances = rng.dirichlet(np.ones(classes), 200).round(1)
    chances /= chances.sum(axis=1, keepdims=True)
    weights = rng.integers(1, 4, 200).astype(float)
    if classes == 2:
        expected = roc_auc_score(target, chances[:, 1], sample_weight=weights)
    else:
        areas = [roc_auc_score(target == c, chances[:, c], sample_weight=weights) for c in range(4)]
        rows = [weights[target == c].sum() for c in range(4)]
        expected = np.average(areas, weights=rows)
    assert area_under_curve(target, chances, weights) == pytest.approx(expected)


def test_features_of_labels() -> None:
    made = analysed(LearningSettings(learners=("logistic-regression",), widths=True), "ill")
    (learning,) = made.learning
    by_name = {each.column.name: each for each in learning.columns}
    released = made.released({"age": 1, "town": 1})
    age = by_name["age"].of_labels(released.columns[by_name["age"].place])
    assert age[0].tolist() == [22.0, 4.0]
    town = by_name["town"].of_labels(released.columns[by_name["town"].place])
    # Aachen, Bonn, Celle; west, east.
    assert town.tolist() == [[0.5, 0.5, 0, 1, 0], [0, 0, 1, 0, 1]]
    plain = by_name["town"].of_labels(unprotected(made.table).columns[by_name["town"].place])
    assert plain[1].tolist() == [0, 1, 0, 1, 0]


def test_targets_that_cannot_be_learnt() -> None:
    settings = LearningSettings(learners=("logistic-regression",))
    with raises(SettingsError, code="conflicting-settings", column="town"):
        analysed(settings, "town")
    with raises(SettingsError, code="out-of-range", column="row"):
        analysed(settings, "row")
    with raises(SettingsError, code="unknown-column", found="'il'", suggestion="ill"):
        analysed(settings, "il")
    with raises(SettingsError, code="unknown-choice", key="learners"):
        LearningSettings(learners=("oracle",))
