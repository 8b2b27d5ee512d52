"""All metrics of one recoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.measures.catalogue import every_measure, measure
from sfumato.measures.measure import Measure, SeenFrom
from sfumato.measures.value_text import measured_text
from sfumato.pages.notebook import notebook_table
from sfumato.recoding.levels import Levels
from sfumato.recoding.recoding import ColumnRecoding
from sfumato.search.space import Space
from sfumato.study.description import must_be
from sfumato.study.measured_nodes import RecodingMeasuring

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.front.front import Front
    from sfumato.recoding.recoding import Recoding
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True, repr=False)
class Evaluation:
    """The metrics of one recoding under the study's suppression policy.

    ``values`` has every measure by its text form. ``empty`` says that nothing is kept: then no
    value says anything about a release. ``meets`` says whether the criteria of the study are met.
    """

    recoding: Recoding
    values: Mapping[str, float]
    rows: int
    suppressed: int
    classes: int
    threshold: int
    empty: bool
    suppression: Suppression
    meets: bool = True

    def __repr__(self) -> str:
        texts = ", ".join(f"{name} {measured_text(name, v)}" for name, v in self.values.items())
        return f"<Evaluation of {self.recoding}: {self.suppressed:,} suppressed, {texts}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return notebook_table(
            f"{self.rows - self.suppressed:,} of {self.rows:,} rows kept, in {self.classes:,} "
            "classes",
            ("measure", "value"),
            [(name, measured_text(name, value)) for name, value in self.values.items()],
            notes=[] if self.meets else ["It does not meet the criteria of the study."],
            most=None,
        )

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of every quasi-identifier; empty if the recoding has none."""
        return self.recoding.levels


def all_measures(problem: Problem) -> tuple[Measure, ...]:
    """Return all measures that the table supports, and those of objectives and criteria besides.

    Those about levels or partitions of columns only where recodings have some.
    """
    default = tuple(m for m in every_measure(problem.table) if m not in _without(problem))
    asked = [c.measure for c in problem.suppression.criteria if isinstance(c, MeasureCriterion)]
    besides = {m: None for m in (*problem.objectives, *asked) if m not in default}
    return (*default, *besides)


def _without(problem: Problem) -> tuple[Measure, ...]:
    """Return the measures that recodings of a space have too little for."""
    if problem.space is Space.LATTICE:
        return ()
    local = problem.space is Space.LOCAL
    return tuple(
        one
        for one in every_measure(problem.table)
        if one.needs_levels or (local and one.seen_from is SeenFrom.PARTITIONS)
    )


def front_metrics(problem: Problem, front: Front) -> tuple[Mapping[str, float], ...]:
    """Return all metrics of the solutions of a front, as rules that pick ask for them."""
    measuring = RecodingMeasuring.of(
        problem.table, measures=all_measures(problem), suppression=problem.suppression
    )
    return tuple(each.metrics for batch in measuring.batches(front.solutions) for each in batch)


def evaluate_node(
    problem: Problem,
    node: tuple[int, ...],
    *,
    measures: Sequence[Measure | str] | Measure | None = None,
    threshold: int | None = None,
) -> Evaluation:
    """Measure one node of the lattice: all measures that the table supports, or those given."""
    recoding = Levels.of(dict(zip(problem.table.names, node, strict=True)))
    return evaluate_recoding(problem, recoding, measures=measures, threshold=threshold)


def evaluate_recoding(
    problem: Problem,
    recoding: Recoding,
    *,
    measures: Sequence[Measure | str] | Measure | None = None,
    threshold: int | None = None,
) -> Evaluation:
    """Measure one recoding: all measures that fit it, or those given."""
    if measures is None:
        chosen = all_measures(problem)
    else:
        given = (measures,) if isinstance(measures, str | Measure) else measures
        chosen = tuple(measure(m) if isinstance(m, str) else m for m in given)
    for one in chosen:
        must_be(one, Measure, "measures", "names of measures like 'k', or measures")
        if measures is not None and one.needs_levels and not recoding.levels:
            raise SettingsError(
                f"measure {one.name!r} is about levels, and this recoding has none",
                code="needs-levels",
                key="measures",
                found=repr(one.name),
                remedy="leave it out, or take 'loss' instead",
            )
        by_column = isinstance(recoding, ColumnRecoding)
        if measures is not None and one.seen_from is SeenFrom.PARTITIONS and not by_column:
            raise SettingsError(
                f"measure {one.name!r} is about the partition of every column, and the labels of a "
                "local recoding differ from class to class",
                code="needs-partitions",
                key="measures",
                found=repr(one.name),
                remedy="leave it out, or take 'loss' instead",
            )
    table = problem.table
    measuring = RecodingMeasuring.of(table, measures=chosen, suppression=problem.suppression)
    (measured,) = measuring.measure([recoding], thresholds=[threshold])
    candidates, position = measured.recoded.classes, measured.recoded.position
    return Evaluation(
        recoding=recoding,
        values=measured.metrics,
        rows=table.rows,
        suppressed=int(candidates.suppressed_rows[position]),
        classes=int(candidates.kept_classes[position]),
        threshold=int(candidates.thresholds[position]),
        empty=bool(candidates.empty[position]),
        suppression=problem.suppression,
        meets=bool(candidates.meets[position]),
    )
