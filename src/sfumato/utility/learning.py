"""Learning from a release: trained on released rows, tested on originals that it has not seen.

The rows are divided into folds at random, each with about the same share of every class. For each
fold the learner is trained on what the release shows of the rows of all other folds, and tested on
the original rows of this one, suppressed ones too: these are the people that an analyst wants to
predict. The publisher knows which released row is whose, so that no row is in both. The recoding
itself was found on all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.errors import SettingsError
from sfumato.microdata.count_table import exact_bincount
from sfumato.utility.features import FeatureColumn, feature_columns, features
from sfumato.utility.learners import LEARNERS, Learner, area_under_curve, learner
from sfumato.utility.released_table import unprotected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.utility.analysed_table import AnalysedTable
    from sfumato.utility.released_table import ReleasedTable

Told: TypeAlias = Callable[[str], None]
"""Who is told what is being trained."""
MOST_CLASSES = 50


@dataclass(frozen=True, kw_only=True)
class LearningSettings:
    """What is learnt and how: ``learners`` by name, ``folds``, and at most so many ``rows``.

    Of more rows as many are drawn at random. With ``widths`` the width of a label is a feature.
    """

    learners: tuple[str, ...] = LEARNERS
    folds: int = 5
    rows: int = 100_000
    seed: int = 1
    widths: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "learners", tuple(self.learners))
        if not self.learners:
            raise SettingsError(
                code="too-few", key="learners", found="empty", expected="at least one learner"
            )
        for name in self.learners:
            if name not in LEARNERS:
                raise SettingsError.unknown_choice("learners", name, LEARNERS)
        for key, least in (("folds", 2), ("rows", 10), ("seed", 0)):
            number = getattr(self, key)
            if not isinstance(number, int) or isinstance(number, bool) or number < least:
                raise SettingsError.wrong_setting(
                    key, number, f"a whole number from {least} up", code="out-of-range"
                )


class Score(Record):
    """How good a learner is on rows that it has not seen, in the mean over the folds."""

    learner: str = Field(description="The learner.")
    accuracy: float = Field(description="The share of rows that it classifies rightly.")
    accuracy_deviation: float = Field(description="The standard deviation over the folds.")
    auc: float | None = Field(
        default=None, description="The area under the ROC curve; none where it is not defined."
    )


class TargetScores(Record):
    """What can be learnt about one column, from the originals and from a release."""

    target: str = Field(description="The column that is predicted.")
    classes: int = Field(description="How many values it has.")
    rows: int = Field(description="How many rows were divided into folds.")
    folds: int = Field(description="How many folds there are.")
    majority: float = Field(description="The accuracy of always saying the most frequent value.")
    original: tuple[Score, ...] = Field(description="Trained on the originals.")
    released: tuple[Score, ...] = Field(default=(), description="Trained on the release.")


def silent(what: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Learning:
    """A target with its folds: the same ones for the originals and for every release.

    ``by_fold`` has the rows of every group in every fold.
    """

    table: AnalysedTable
    place: int
    by_fold: Counts
    columns: tuple[FeatureColumn, ...]
    settings: LearningSettings

    @classmethod
    def of(
        cls,
        table: AnalysedTable,
        target: str,
        *,
        others: Sequence[str] = (),
        settings: LearningSettings,
    ) -> Learning:
        """Divide the rows into folds; no other target is a feature."""
        place = table.place(target)
        column = table.columns[place]
        occurring = int(np.unique(column.codes).size)
        if column.recoded:
            raise SettingsError(
                f"the target {target!r} is a quasi-identifier, so that a release has groups of "
                "values and not its classes",
                code="conflicting-settings",
                key="target",
                column=target,
                expected="a column that is released as it is: sensitive, insensitive, or the "
                "class label",
            )
        if not 2 <= occurring <= MOST_CLASSES:
            raise SettingsError(
                f"the target {target!r} has {occurring:,} different values",
                code="out-of-range",
                key="target",
                column=target,
                found=str(occurring),
                expected=f"2 to {MOST_CLASSES} classes",
            )
        if table.rows < settings.folds:
            raise SettingsError(
                code="out-of-range",
                key="folds",
                found=str(settings.folds),
                expected=f"at most {table.rows}, the number of rows",
            )
        return cls(
            table=table,
            place=place,
            by_fold=_folds(column.codes, table.counts, settings),
            columns=feature_columns(table, without=(target, *others), widths=settings.widths),
            settings=settings,
        )

    @property
    def target(self) -> str:
        """The column that is predicted."""
        return self.table.columns[self.place].name

    def scores_of_originals(self, told: Told = silent) -> TargetScores:
        """Return what is learnt from the originals, and the share of the most frequent value."""
        column = self.table.columns[self.place]
        rows = self.by_fold.sum(axis=1)
        by_value = exact_bincount(column.codes, rows, len(column.leaves))
        return TargetScores(
            target=self.target,
            classes=int(np.count_nonzero(by_value)),
            rows=int(rows.sum()),
            folds=self.settings.folds,
            majority=self._majority(),
            original=self.scores(unprotected(self.table), told, "the originals"),
        )

    def scores(
        self, released: ReleasedTable, told: Told = silent, what: str = "the release"
    ) -> tuple[Score, ...]:
        """Return what is learnt from a release, by every learner."""
        every = np.arange(self.table.counts.shape[0])
        shown = features(self.columns, released.columns, every)
        originals = features(self.columns, unprotected(self.table).columns, every)
        found = []
        for name in self.settings.learners:
            told(f"{self.target}: {name} on {what}")
            train = learner(name)
            tests = [
                self._fold(train, shown, originals, released, fold)
                for fold in range(self.settings.folds)
            ]
            accuracies = np.array([accuracy for accuracy, _ in tests])
            areas = [area for _, area in tests if area is not None]
            found.append(
                Score(
                    learner=name,
                    accuracy=float(accuracies.mean()),
                    accuracy_deviation=float(accuracies.std()),
                    auc=float(np.mean(areas)) if areas else None,
                )
            )
        return tuple(found)

    def _fold(
        self,
        train: Learner,
        shown: Floats,
        originals: Floats,
        released: ReleasedTable,
        fold: int,
    ) -> tuple[float, float | None]:
        """Return accuracy and area on the originals of one fold."""
        column = self.table.columns[self.place]
        seen = self.by_fold.sum(axis=1) - self.by_fold[:, fold]
        seen = np.where(released.kept, seen, 0)
        unseen = self.by_fold[:, fold]
        training, test = np.flatnonzero(seen), np.flatnonzero(unseen)
        weights = unseen[test].astype(np.float64)
        truth = column.codes[test]
        by_value = exact_bincount(column.codes[training], seen[training], len(column.leaves))
        chances = np.zeros((test.shape[0], len(column.leaves)))
        if np.count_nonzero(by_value) < 2:
            # There is nothing to learn from; without a row any value is as good as another.
            chances[:, int(by_value.argmax())] = 1.0
        else:
            trained = train(
                shown[training],
                column.codes[training],
                seen[training].astype(np.float64),
                seed=self.settings.seed,
            )
            chances[:, trained.classes] = trained.probabilities(originals[test])
        right = chances.argmax(axis=1) == truth
        accuracy = float(weights[right].sum() / weights.sum())
        return accuracy, area_under_curve(truth, chances, weights)

    def _majority(self) -> float:
        """Return the mean over the folds of the share of what is most frequent in the others."""
        column = self.table.columns[self.place]
        found = []
        for fold in range(self.settings.folds):
            unseen = exact_bincount(column.codes, self.by_fold[:, fold], len(column.leaves))
            seen = exact_bincount(
                column.codes,
                self.by_fold.sum(axis=1) - self.by_fold[:, fold],
                len(column.leaves),
            )
            found.append(float(unseen[int(seen.argmax())] / unseen.sum()))
        return float(np.mean(found))


def _folds(target: Codes, counts: Counts, settings: LearningSettings) -> Counts:
    """Return the rows of every group in every fold: every row is in one, classes dealt evenly."""
    rng = np.random.default_rng(settings.seed)
    group_of_row = np.repeat(np.arange(counts.shape[0]), counts)
    order = rng.permutation(group_of_row.shape[0])[: settings.rows]
    groups = group_of_row[order]
    groups = groups[np.argsort(target[groups], kind="stable")]
    folds = np.arange(groups.shape[0]) % settings.folds
    places = groups * np.int64(settings.folds) + folds
    found = np.bincount(places, minlength=counts.shape[0] * settings.folds)
    return found.reshape(counts.shape[0], settings.folds)
