"""The risk of a table as ``sfumato risk``, its page and its JSON show it: counts, no values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.risk.assessment.risk_distribution import band_names
from sfumato.views.finding_view import finding_views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.risk.assessment.risk_distribution import RiskDistribution
    from sfumato.risk.assessment.table_risk import (
        EstimatedUniques,
        IndividualRisk,
        RiskSettings,
        TableRisk,
    )
    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.risk.identifying.special_uniques import SpecialUniques
    from sfumato.study.risk_assessment import RiskAssessment
    from sfumato.views.finding_view import FindingView

MOST_SCORES = 10
MOST_SETS = 10


@dataclass(frozen=True, kw_only=True)
class RiskFigures:
    """The risk of ``everybody``: the highest and how many have it, the mean, and those above.

    ``by_band`` has how many are in classes of each band of sizes. ``sizes`` and ``people`` are the
    whole distribution: the risk of ``people[i]`` is one over ``sizes[i]``.
    """

    everybody: int
    highest: float
    at_highest: int
    mean: float
    above: Mapping[str, int]
    by_band: tuple[int, ...]
    sizes: tuple[int, ...]
    people: tuple[int, ...]

    def share_above(self, threshold: str) -> float:
        """Return the share of people whose risk is above a threshold."""
        return self.above[threshold] / max(1, self.everybody)


@dataclass(frozen=True, kw_only=True)
class UniquesView:
    """How many people are unique in the population, by each model; ``chosen`` is the one to trust.

    Between ``low`` and ``high`` lies so large a share, ``level``, of the bootstrap estimates.
    """

    fraction: float
    population: float
    uniques: float
    share: float
    chosen: str
    models: Mapping[str, float | None]
    low: float | None
    high: float | None
    level: float | None


@dataclass(frozen=True, kw_only=True)
class ScoreView:
    """A score of SUDA2, how many rows have it, and their fewest columns that single them out."""

    score: int
    rows: int
    fewest_columns: int


@dataclass(frozen=True, kw_only=True)
class SpecialView:
    """Special uniques: rows that few columns single out.

    ``by_size`` counts the minimal sample uniques of each number of columns, ``by_set`` those of
    the sets with most rows, ``by_column`` the share of all scores to which a column contributes.
    ``dis`` is the probability that a match with a unique row is right, if the sampling fraction is
    known.
    """

    rows: int
    largest: int
    by_size: Mapping[int, int]
    by_column: Mapping[str, float]
    by_set: tuple[tuple[tuple[str, ...], int], ...]
    scores: tuple[ScoreView, ...]
    dis: float | None


@dataclass(frozen=True, kw_only=True)
class TableRiskView:
    """The risk of a table. ``whole_table_mean`` counts suppressed rows, which nobody finds."""

    label: str
    rows: int
    suppressed: int
    classes: int
    prosecutor: RiskFigures
    whole_table_mean: float | None
    journalist: RiskFigures | None
    marketer: float | None
    uniques: UniquesView | None
    individual: IndividualRisk | None
    subsets: tuple[IdentifyingSubset, ...]
    special: SpecialView


@dataclass(frozen=True, kw_only=True)
class RiskView:
    """The risk of a source before and after, with what is known of the population in words."""

    source: str
    columns: tuple[str, ...]
    counts_people: bool
    largest: int
    thresholds: tuple[str, ...]
    bands: tuple[str, ...]
    population: str
    before: TableRiskView
    after: TableRiskView | None
    findings: tuple[FindingView, ...]

    @property
    def sides(self) -> tuple[TableRiskView, ...]:
        """Both tables, or the one there is."""
        return (self.before,) if self.after is None else (self.before, self.after)


def risk_view(assessment: RiskAssessment, *, source: str) -> RiskView:
    """Return what is shown of a risk; ``source`` is the name of the table."""
    settings, people = assessment.settings, assessment.counts_people
    after = assessment.after
    return RiskView(
        source=source,
        columns=assessment.columns,
        counts_people=people,
        largest=assessment.before.special.largest,
        thresholds=_threshold_texts(settings.thresholds),
        bands=band_names(),
        population=_population_text(assessment),
        before=_table(assessment.before, settings, people=people),
        after=None if after is None else _table(after, settings, people=people),
        findings=finding_views(assessment.findings),
    )


def _population_text(assessment: RiskAssessment) -> str:
    population, before = assessment.population, assessment.before
    if population is None:
        return (
            "Nothing is said of the population, so the journalist risk and the number of people "
            "who are unique in it are not known."
        )
    if population.table is not None:
        return "Counted in a table of the population: exact, whatever was suppressed."
    if population.weights is not None:
        return (
            f"Sampling weights in column {population.weights!r}: journalist risks are estimated by "
            "Benedetti and Franconi's exact formula."
        )
    found = before.uniques
    sure = "" if found is None or found.interval is None else " with intervals by bootstrap"
    return (
        f"A size or a sampling fraction: uniques are estimated{sure}, and journalist risks by "
        "Benedetti and Franconi's exact formula, as if everybody stood for as many people."
    )


def _threshold_texts(thresholds: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{100 * threshold:g} %" for threshold in thresholds)


def _table(found: TableRisk, settings: RiskSettings, *, people: bool) -> TableRiskView:
    journalist = None if found.journalist is None else _figures(found.journalist, settings)
    everybody = found.prosecutor.everybody
    whole = everybody + found.suppressed
    return TableRiskView(
        label=found.label,
        rows=found.rows,
        suppressed=found.suppressed,
        classes=found.classes,
        prosecutor=_figures(found.prosecutor, settings),
        whole_table_mean=None if people or not whole else found.prosecutor.mean * everybody / whole,
        journalist=journalist,
        marketer=None if journalist is None else journalist.mean,
        uniques=None if found.uniques is None else _uniques(found.uniques),
        individual=found.individual,
        subsets=found.subsets,
        special=_special(found.special),
    )


def _figures(found: RiskDistribution, settings: RiskSettings) -> RiskFigures:
    return RiskFigures(
        everybody=found.everybody,
        highest=found.highest,
        at_highest=found.at_highest,
        mean=found.mean,
        above={
            text: found.above(threshold)
            for text, threshold in zip(
                _threshold_texts(settings.thresholds), settings.thresholds, strict=True
            )
        },
        by_band=found.by_band(),
        sizes=found.sizes,
        people=found.people,
    )


def _uniques(found: EstimatedUniques) -> UniquesView:
    estimate, interval = found.estimate, found.interval
    return UniquesView(
        fraction=found.fraction,
        population=found.population,
        uniques=estimate.uniques,
        share=estimate.uniques / found.population,
        chosen=estimate.chosen,
        models={
            "pitman": estimate.pitman,
            "zayatz": estimate.zayatz,
            "slide-negative-binomial": estimate.slide_negative_binomial,
        },
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        level=None if interval is None else interval.level,
    )


def _special(found: SpecialUniques) -> SpecialView:
    scores: dict[int, list[int]] = {}
    for score, fewest in zip(found.scores.tolist(), found.fewest.tolist(), strict=True):
        scores.setdefault(score, []).append(fewest)
    ranked = sorted(scores.items(), reverse=True)[:MOST_SCORES]
    sets = sorted(found.by_subset.items(), key=lambda each: (-each[1], len(each[0]), each[0]))
    return SpecialView(
        rows=int(found.cells.shape[0]),
        largest=found.largest,
        by_size=found.by_size,
        by_column=found.by_column,
        by_set=tuple(sets[:MOST_SETS]),
        scores=tuple(
            ScoreView(score=score, rows=len(fewest), fewest_columns=min(fewest))
            for score, fewest in ranked
        ),
        dis=found.dis,
    )
