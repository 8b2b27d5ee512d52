"""What a report shows of the utility of a solution: texts and numbers, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import listed
from sfumato.views.texts import share_text
from sfumato.views.utility_view import errors_text, number_text

if TYPE_CHECKING:
    from sfumato.study.runs.run_utility import RunUtility
    from sfumato.utility.distributions import ColumnPicture
    from sfumato.utility.utility import Utility

MOST_GROUPS = 8
MOST_QUERIES = 50
_SAME = 5e-4
"""Distributions that are nearer than this look the same."""


@dataclass(frozen=True, kw_only=True)
class DrawnColumn:
    """A column before and after: shares by bin, and its mean and median in words."""

    name: str
    distance: float
    bins: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class DrawnQuery:
    """A written query with both answers."""

    text: str
    before: int
    after: float
    error: float | None


@dataclass(frozen=True, kw_only=True)
class DrawnGroup:
    """A group of people and how far its picture is distorted."""

    name: str
    rows: int
    suppressed: int
    distortion: float
    worst: str


@dataclass(frozen=True, kw_only=True)
class DrawnPoint:
    """A solution along the front: its k, and accuracy and area of every learner."""

    freedom: str
    k: float
    solution: int
    accuracies: tuple[float, ...]
    areas: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class DrawnTarget:
    """What is learnt about a column: learners in order, from the originals and from releases."""

    name: str
    learners: tuple[str, ...]
    majority: float
    originals: tuple[float, ...]
    original_areas: tuple[float | None, ...]
    released: tuple[float, ...]
    released_areas: tuple[float | None, ...]
    points: tuple[DrawnPoint, ...]


@dataclass(frozen=True, kw_only=True)
class ReportUtility:
    """The utility of one solution.

    ``associations`` has Cramér's V of the originals and of the release by the places of two of the
    ``names``. ``same`` tells of the columns whose distributions did not move.
    """

    solution: int
    text: str
    columns: tuple[DrawnColumn, ...]
    same: str
    names: tuple[str, ...]
    associations: tuple[tuple[int, int, float, float], ...]
    correlations: tuple[str, ...]
    queries_text: tuple[str, ...]
    queries: tuple[DrawnQuery, ...]
    groups: tuple[DrawnGroup, ...]
    targets: tuple[DrawnTarget, ...]


def report_utility(found: RunUtility) -> ReportUtility:
    """Return what a report shows of a utility."""
    utility = found.utility
    names = tuple(each.name for each in utility.columns)
    place = {name: at for at, name in enumerate(names)}
    moved = [each for each in utility.columns if each.total_variation >= _SAME]
    same = [each.name for each in utility.columns if each.total_variation < _SAME]
    return ReportUtility(
        solution=found.solution,
        text=f"Solution {found.solution} releases {utility.released:,} of {utility.rows:,} "
        f"records, {found.values.value}. Records are spread evenly over the values of their label.",
        columns=tuple(map(_column, sorted(moved, key=lambda each: -each.total_variation))),
        same=f"The distribution is the same in {listed(same, most=12)}." if same else "",
        names=names,
        associations=tuple(
            (place[p.first], place[p.second], p.cramers_v_before, p.cramers_v_after)
            for p in utility.pairs
        ),
        correlations=tuple(
            f"{p.first} and {p.second}: {p.correlation_before:.2f} in the originals, "
            f"{p.correlation_after:.2f} in the release."
            for p in utility.pairs
            if p.correlation_before is not None and p.correlation_after is not None
        ),
        queries_text=_queries_text(utility),
        queries=tuple(
            DrawnQuery(text=q.query, before=q.before, after=q.after, error=q.error)
            for q in utility.queries[:MOST_QUERIES]
        ),
        groups=tuple(
            DrawnGroup(
                name=f"{g.column} = {g.value}",
                rows=g.rows,
                suppressed=g.suppressed,
                distortion=g.distortion,
                worst=f"{g.worst} ({share_text(g.worst_distortion, 1)})",
            )
            for g in utility.groups[:MOST_GROUPS]
        ),
        targets=tuple(_targets(found)),
    )


def _column(column: ColumnPicture) -> DrawnColumn:
    notes = []
    for told in column.statistics:
        if told.name not in ("mean", "0.5"):
            continue
        before, after, low, high = (
            number_text(value, column.kind)
            for value in (told.before, told.after, told.low, told.high)
        )
        name = "mean" if told.name == "mean" else "median"
        proved = "" if low == high else f", the labels prove {low} to {high}"
        notes.append(f"{name} {before}, now {after}{proved}")
    return DrawnColumn(
        name=column.name,
        distance=column.total_variation,
        bins=column.bins,
        before=column.before,
        after=column.after,
        notes=tuple(notes),
    )


def _queries_text(utility: Utility) -> tuple[str, ...]:
    told = (("Drawn at random", utility.random), ("Written by you", utility.asked))
    return tuple(f"{what}: {errors_text(errors)}." for what, errors in told if errors is not None)


def _targets(found: RunUtility) -> list[DrawnTarget]:
    return [
        DrawnTarget(
            name=each.target,
            learners=tuple(score.learner for score in each.original),
            majority=each.majority,
            originals=tuple(score.accuracy for score in each.original),
            original_areas=tuple(score.auc for score in each.original),
            released=tuple(score.accuracy for score in each.released),
            released_areas=tuple(score.auc for score in each.released),
            points=tuple(
                DrawnPoint(
                    freedom=point.freedom,
                    k=point.k,
                    solution=point.solution,
                    accuracies=tuple(score.accuracy for score in point.scores[each.target]),
                    areas=tuple(score.auc for score in point.scores[each.target]),
                )
                for point in found.curve
            ),
        )
        for each in found.utility.targets
    ]
