"""All figures of one recoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError, shown
from sfumato.measures.catalogue import every_measure, measure
from sfumato.measures.measure import Measure
from sfumato.recoding.candidates import Candidates
from sfumato.recoding.class_tables import ClassTables

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


def evaluate_node(
    problem: Problem,
    node: tuple[int, ...],
    *,
    measures: Sequence[Measure | str] | Measure | None = None,
    threshold: int | None = None,
) -> Evaluation:
    """Measure one node of the lattice: all measures that the table supports, or those given."""
    table = problem.table
    if measures is None:
        chosen = every_measure(table)
        chosen += tuple(m for m in problem.objectives if m not in chosen)
    else:
        given = (measures,) if isinstance(measures, str | Measure) else measures
        chosen = tuple(measure(m) if isinstance(m, str) else m for m in given)
    for one in chosen:
        if not isinstance(one, Measure):
            raise SettingsError(f"a measure is {shown(one)}; write 'k', for example")
    carried = dict.fromkeys(column for m in chosen for column in m.carries(table))
    tables = ClassTables(table=table, carries=tuple(carried))
    batch = tables.group(np.array([node], dtype=np.int64))
    candidates = Candidates.of(batch, problem.suppression)
    position = candidates.count - 1
    if threshold is not None:
        matching = np.flatnonzero(candidates.thresholds == threshold)
        if matching.size == 0:
            possible = ", ".join(map(str, candidates.thresholds.tolist()))
            raise SettingsError(
                f"threshold {threshold} is not possible for this recoding; choose from {possible}"
            )
        position = int(matching[0])
    return Evaluation(
        levels=dict(zip(table.names, node, strict=True)),
        values={str(m): float(m.evaluate(candidates)[position]) for m in chosen},
        rows=table.rows,
        suppressed=int(candidates.suppressed_rows[position]),
        classes=int(candidates.kept_classes[position]),
        threshold=int(candidates.thresholds[position]),
        empty=bool(candidates.empty[position]),
        suppression=problem.suppression,
    )
