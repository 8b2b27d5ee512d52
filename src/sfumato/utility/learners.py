"""The learners: what is trained, and how it is told from the rest (extra ``utility``)."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Codes, Floats


class Classifier(Protocol):
    """A learner after it was trained: the classes that it knows, and their probabilities."""

    classes: Codes

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability of every known class: a row a row."""
        ...


class Learner(Protocol):
    """Trains a classifier on weighted rows."""

    def __call__(
        self, features: Floats, target: Codes, weights: Floats, *, seed: int
    ) -> Classifier:
        """Return the classifier; the same seed gives the same one."""
        ...


class _Trained:
    """A model of scikit-learn."""

    def __init__(self, model: object) -> None:
        self._model = model
        self.classes: Codes = np.asarray(model.classes_, dtype=np.int32)  # type: ignore[attr-defined]

    def probabilities(self, features: Floats) -> Floats:
        found: Floats = self._model.predict_proba(features)  # type: ignore[attr-defined]
        return found


def _logistic(
    features: Floats,
    target: Codes,
    weights: Floats,
    *,
    seed: int,  # noqa: ARG001
) -> Classifier:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # Of two classes Newton's method needs few passes, however many rows there are.
    solver = "newton-cholesky" if np.unique(target).size == 2 else "lbfgs"
    model = make_pipeline(StandardScaler(), LogisticRegression(solver=solver, max_iter=300))
    model.fit(
        features,
        target,
        standardscaler__sample_weight=weights,
        logisticregression__sample_weight=weights,
    )
    return _Trained(model)


def _forest(features: Floats, target: Codes, weights: Floats, *, seed: int) -> Classifier:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(
        n_estimators=50, min_samples_leaf=5, max_features="sqrt", random_state=seed, n_jobs=1
    )
    model.fit(features, target, sample_weight=weights)
    return _Trained(model)


def _boosting(features: Floats, target: Codes, weights: Floats, *, seed: int) -> Classifier:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed)
    model.fit(features, target, sample_weight=weights)
    return _Trained(model)


_LEARNERS: dict[str, Callable[..., Classifier]] = {
    "logistic-regression": _logistic,
    "random-forest": _forest,
    "gradient-boosting": _boosting,
}
LEARNERS = tuple(_LEARNERS)
"""The names of all learners."""


def learner(name: str) -> Learner:
    """Return a learner by its name, or say that it, or what it needs, is not there."""
    if name not in _LEARNERS:
        raise SettingsError.unknown_choice("learners", name, LEARNERS)
    if importlib.util.find_spec("sklearn") is None:
        raise SettingsError(
            "learning needs scikit-learn, which is not installed",
            code="missing-package",
            key="targets",
            remedy="pip install 'sfumato[utility]'",
        )
    return _LEARNERS[name]


def area_under_curve(target: Codes, probabilities: Floats, weights: Floats) -> float | None:
    """Return the area under the ROC curve; of several classes the mean, weighted by their rows.

    It is the probability that a row of the class is given a higher one than a row of another class;
    equal ones count half. None where all rows are of one class.

    >>> target, weights = np.array([0, 1], dtype=np.int32), np.ones(2)
    >>> area_under_curve(target, np.array([[0.9, 0.1], [0.2, 0.8]]), weights)
    1.0
    """
    found, rows = 0.0, 0.0
    for code in range(probabilities.shape[1]):
        own = np.where(target == code, weights, 0.0)
        positive, negative = own.sum(), weights.sum() - own.sum()
        if positive <= 0 or negative <= 0:
            continue
        _, rank = np.unique(probabilities[:, code], return_inverse=True)
        of_class = np.bincount(rank, weights=own)
        of_others = np.bincount(rank, weights=weights - own)
        below = np.cumsum(of_others) - of_others / 2
        found += positive * float((of_class * below).sum() / (positive * negative))
        rows += positive
    return float(found / rows) if rows else None
