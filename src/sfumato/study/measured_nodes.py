"""Many recodings measured at once, each at a threshold of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.grouped_recodings import group_recodings
from sfumato.classes.suppression import Threshold
from sfumato.errors import SettingsError
from sfumato.measures.evaluation import evaluate
from sfumato.recoding.levels import Levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.suppression import Suppression
    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.recoding import Recoding

ENTRIES_A_BATCH = 4_000_000
"""How many counts of values the class tables of one batch hold at most (unless one node has more):
about a hundred bytes of working memory for each."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredNodes:
    """Candidates of a batch with their metrics; node ``n`` of the question is ``positions[n]``."""

    candidates: Classes
    positions: Counts
    values: Mapping[str, Floats]

    def metrics(self, node: int) -> dict[str, float]:
        """Return the metrics of a node by the text of the measure."""
        position = self.positions[node]
        return {name: float(metrics[position]) for name, metrics in self.values.items()}


@dataclass(frozen=True, kw_only=True, eq=False)
class NodeMeasuring:
    """Measures recodings of a table under a suppression policy."""

    tables: ClassTables
    measures: tuple[Measure, ...]
    suppression: Suppression

    @classmethod
    def of(
        cls, table: CountTable, *, measures: Sequence[Measure], suppression: Suppression
    ) -> NodeMeasuring:
        """Return what measures a table: its class tables carry what the measures need."""
        carried = dict.fromkeys(column for m in measures for column in m.carries(table))
        carried |= dict.fromkeys(suppression.carries(table))
        tables = ClassTables(table=table, carries=tuple(carried))
        return cls(tables=tables, measures=tuple(measures), suppression=suppression)

    @cached_property
    def nodes_a_batch(self) -> int:
        """How many nodes to measure at once, so that memory stays bounded."""
        table = self.tables.table
        entries = int(table.carried(self.tables.carries).counts.shape[0])
        return max(1, ENTRIES_A_BATCH // max(1, entries, table.cells))

    def measure(
        self, nodes: Sequence[tuple[int, ...]], *, thresholds: Sequence[int | None]
    ) -> MeasuredNodes:
        """Measure nodes at thresholds: None is the largest one that the policy allows."""
        names = self.tables.table.names
        recodings = [Levels.of(dict(zip(names, node, strict=True))) for node in nodes]
        return self.measure_recodings(recodings, thresholds=thresholds)

    def measure_recodings(
        self, recodings: Sequence[Recoding], *, thresholds: Sequence[int | None]
    ) -> MeasuredNodes:
        """Measure recodings at thresholds; measures that they lack something for are left out."""
        # A recoding can come several times, with other thresholds: it is grouped once.
        batch, which = group_recodings(self.tables, recodings)
        candidates = Classes.of(batch, self.suppression)
        # Candidates of one recoding are neighbours.
        ends = np.searchsorted(candidates.recoding, np.arange(batch.recodings), side="right")
        positions: Counts = np.array(
            [
                _position(candidates, end, threshold, self.suppression)
                for end, threshold in zip(ends[which], thresholds, strict=True)
            ],
            dtype=np.int64,
        )
        metrics = evaluate(self.measures, candidates)
        return MeasuredNodes(candidates=candidates, positions=positions, values=metrics.values)


def _position(
    candidates: Classes, end: int, threshold: int | None, suppression: Suppression
) -> int:
    if threshold is None:
        return int(end) - 1
    start = int(np.searchsorted(candidates.recoding, candidates.recoding[end - 1], side="left"))
    possible = candidates.thresholds[start:end]
    # By rising threshold.
    position = start + int(np.searchsorted(possible, threshold))
    if position == end or candidates.thresholds[position] != threshold:
        if suppression.threshold is not Threshold.EVERY:
            own = int(possible[-1])
            kept = f"classes from the size {own} up" if own > 1 else "all classes"
            raise SettingsError(
                f"the threshold {threshold} cannot be chosen: the study keeps {kept} in this "
                "recoding",
                code="conflicting-settings",
                key="threshold",
                found=str(threshold),
                remedy='to choose, set threshold = "every" under [suppression], with policy = '
                '"limit" and a limit',
            )
        raise SettingsError(
            f"the threshold {threshold} is not possible for this recoding",
            code="unknown-choice",
            key="threshold",
            found=str(threshold),
            expected=tuple(map(str, possible.tolist())),
        )
    return position
