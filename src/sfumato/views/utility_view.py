"""What the terminal shows of the utility of a release: rows of tables, and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.utility.value_numbers import ValueKind
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.study.runs.run_utility import RunUtility
    from sfumato.utility.count_queries import QueryErrors
    from sfumato.utility.distributions import ColumnPicture, Statistic
    from sfumato.utility.learning import Score

MOST_GROUPS = 5
MOST_PAIRS = 8


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table of texts: its title, the heads of its columns, its rows, what is right-aligned."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...]
    note: str = ""


def utility_tables(found: RunUtility) -> tuple[TextTable, ...]:
    """Return the tables that tell of a utility, those that have something to tell."""
    tables = (
        _columns(found),
        _pairs(found),
        _groups(found),
        _queries(found),
        *_learning(found),
        *_along(found),
    )
    return tuple(table for table in tables if table.rows)


def number_text(value: float, kind: ValueKind) -> str:
    """Return a number, or the date that it stands for.

    >>> number_text(38.4379, ValueKind.NUMBER), number_text(730000.2, ValueKind.DATE)
    ('38.44', '1999-09-03')
    """
    if kind is ValueKind.DATE:
        return date.fromordinal(max(1, round(value))).isoformat()
    return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def _columns(found: RunUtility) -> TextTable:
    return TextTable(
        title="Columns, before and after",
        heads=("column", "total variation", "Jensen-Shannon", "mean", "median"),
        rows=tuple(
            (
                each.name,
                share_text(each.total_variation, 1),
                f"{each.jensen_shannon:.4f}",
                _statistic(each, "mean"),
                _statistic(each, "0.5"),
            )
            for each in found.utility.columns
        ),
        right=("total variation", "Jensen-Shannon"),
        note="Rows are spread evenly over the values of their label. Means and medians after are "
        "those of the middles of labels; in brackets what the labels prove.",
    )


def _statistic(column: ColumnPicture, name: str) -> str:
    told: Statistic | None = next((s for s in column.statistics if s.name == name), None)
    if told is None:
        return "–"
    before, after, low, high = (
        number_text(value, column.kind) for value in (told.before, told.after, told.low, told.high)
    )
    return f"{before} → {after} [{low}, {high}]" if low != high else f"{before} → {after}"


def _pairs(found: RunUtility) -> TextTable:
    pairs = sorted(found.utility.pairs, key=lambda p: -abs(p.cramers_v_after - p.cramers_v_before))[
        :MOST_PAIRS
    ]
    return TextTable(
        title="Associations that changed most",
        heads=("columns", "Cramér's V", "after", "correlation", "after "),
        rows=tuple(
            (
                f"{each.first} × {each.second}",
                f"{each.cramers_v_before:.3f}",
                f"{each.cramers_v_after:.3f}",
                _number(each.correlation_before),
                _number(each.correlation_after),
            )
            for each in pairs
        ),
        right=("Cramér's V", "after", "correlation", "after "),
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _groups(found: RunUtility) -> TextTable:
    return TextTable(
        title="Groups whose picture is distorted most",
        heads=("group", "rows", "suppressed", "distortion", "most in"),
        rows=tuple(
            (
                f"{each.column} = {each.value}",
                f"{each.rows:,}",
                f"{each.suppressed:,}",
                share_text(each.distortion, 1),
                f"{each.worst} ({share_text(each.worst_distortion, 1)})",
            )
            for each in found.utility.groups[:MOST_GROUPS]
        ),
        right=("rows", "suppressed", "distortion"),
    )


def errors_text(errors: QueryErrors) -> str:
    """Return the errors of a workload in a sentence."""
    said = counted(errors.queries, "query", "queries")
    if errors.median is None or errors.ninety is None:
        return f"{said}, none of which any original row meets"
    aside = "" if not errors.none else f"; {errors.none:,} that no original meets are apart"
    return (
        f"{said}: the median relative error is {share_text(errors.median, 1)}, and 90 % are "
        f"off by at most {share_text(errors.ninety, 1)}{aside}"
    )


def _queries(found: RunUtility) -> TextTable:
    return TextTable(
        title="Queries",
        heads=("query", "originals", "release", "relative error"),
        rows=tuple(
            (
                each.query,
                f"{each.before:,}",
                f"{each.after:,.1f}",
                "–" if each.error is None else share_text(each.error, 1),
            )
            for each in found.utility.queries
        ),
        right=("originals", "release", "relative error"),
    )


def _learning(found: RunUtility) -> list[TextTable]:
    return [
        TextTable(
            title=f"Learning {each.target} ({counted(each.classes, 'class', 'classes')}, "
            f"{each.folds} folds of {each.rows:,} rows)",
            heads=("learner", "originals", "release", "AUC, originals", "AUC, release"),
            rows=tuple(
                (before.learner, *_accuracies(before, after), *_areas(before, after))
                for before, after in zip(each.original, each.released, strict=True)
            ),
            right=("originals", "release", "AUC, originals", "AUC, release"),
            note=f"Always saying the most frequent value is right for "
            f"{share_text(each.majority, 1)}.",
        )
        for each in found.utility.targets
    ]


def _accuracies(*scores: Score) -> tuple[str, ...]:
    return tuple(f"{100 * each.accuracy:.2f} %" for each in scores)


def _areas(*scores: Score) -> tuple[str, ...]:
    return tuple(_number(each.auc) for each in scores)


def _along(found: RunUtility) -> list[TextTable]:
    """Return the solutions along the front: accuracies by target, or errors where none is."""
    targets = [(each.target, each.original, each.majority) for each in found.utility.targets]
    if not found.curve:
        return []
    measured = TextTable(
        title="Along the front",
        heads=("recoding", "k ≥", "k", "solution", "loss", "total variation", "median query error"),
        rows=tuple(
            (
                each.freedom,
                f"{each.mark:,}",
                f"{each.k:,.0f}",
                str(each.solution),
                share_text(each.loss, 1),
                share_text(each.total_variation, 1),
                "–" if each.query_error is None else share_text(each.query_error, 1),
            )
            for each in found.curve
        ),
        right=("k ≥", "k", "solution", "loss", "total variation", "median query error"),
    )
    return [measured, *(_accuracy_table(found, *target) for target in targets)]


def _accuracy_table(
    found: RunUtility, target: str, original: Sequence[Score], majority: float
) -> TextTable:
    learners = tuple(score.learner for score in original)
    return TextTable(
        title=f"Accuracy for {target} along the front",
        heads=("trained on", "k ≥", *learners),
        rows=(
            ("originals", "", *_accuracies(*original)),
            *(
                (each.freedom, f"{each.mark:,}", *_accuracies(*each.scores[target]))
                for each in found.curve
            ),
            ("majority", "", *(share_text(majority, 1) for _ in learners)),
        ),
        right=("k ≥", *learners),
    )
