"""All figures of one recoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, shown
from sfumato.measures.catalogue import every_measure, measure
from sfumato.measures.measure import Measure
from sfumato.study.measured_nodes import NodeMeasuring

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.recoding.suppression import Suppression
    from sfumato.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The figures of one recoding under the study's suppression policy.

    ``values`` has every measure by its text form. ``empty`` says that nothing is kept: then no
    figure says anything about a release.
    """

    levels: Mapping[str, int]
    values: Mapping[str, float]
    rows: int
    suppressed: int
    classes: int
    threshold: int
    empty: bool
    suppression: Suppression


def all_measures(problem: Problem) -> tuple[Measure, ...]:
    """Return all measures that the table supports, and the objectives that are not among them."""
    usual = every_measure(problem.table)
    return usual + tuple(m for m in problem.objectives if m not in usual)


def evaluate_node(
    problem: Problem,
    node: tuple[int, ...],
    *,
    measures: Sequence[Measure | str] | Measure | None = None,
    threshold: int | None = None,
) -> Evaluation:
    """Measure one node of the lattice: all measures that the table supports, or those given."""
    if measures is None:
        chosen = all_measures(problem)
    else:
        given = (measures,) if isinstance(measures, str | Measure) else measures
        chosen = tuple(measure(m) if isinstance(m, str) else m for m in given)
    for one in chosen:
        if not isinstance(one, Measure):
            raise SettingsError(f"a measure is {shown(one)}; write 'k', for example")
    table = problem.table
    measuring = NodeMeasuring.of(table, measures=chosen, suppression=problem.suppression)
    measured = measuring.measure([node], thresholds=[threshold])
    candidates, position = measured.candidates, int(measured.positions[0])
    return Evaluation(
        levels=dict(zip(table.names, node, strict=True)),
        values=measured.figures(0),
        rows=table.rows,
        suppressed=int(candidates.suppressed_rows[position]),
        classes=int(candidates.kept_classes[position]),
        threshold=int(candidates.thresholds[position]),
        empty=bool(candidates.empty[position]),
        suppression=problem.suppression,
    )
