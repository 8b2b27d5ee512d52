"""Many recodings measured at once, each at a threshold of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.recoded import recode
from sfumato.measures.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.classes.recoded import Recoded
    from sfumato.classes.suppression import Suppression
    from sfumato.front.front import Solution
    from sfumato.measures.evaluation import Metrics
    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.recoding import Recoding

ENTRIES_A_BATCH = 4_000_000
"""How many counts of values the class tables of one batch hold at most (unless one node has more):
about a hundred bytes of working memory for each."""


class MeasuredRecoding(NamedTuple):
    """A recoding after suppression, and its metrics by the text of the measure."""

    recoded: Recoded
    metrics: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class RecodingMeasuring:
    """Measures recodings of a table under a suppression policy."""

    tables: ClassTables
    measures: tuple[Measure, ...]
    suppression: Suppression

    @classmethod
    def of(
        cls, table: CountTable, *, measures: Sequence[Measure], suppression: Suppression
    ) -> RecodingMeasuring:
        """Return what measures a table: its class tables carry what the measures need."""
        carried = dict.fromkeys(column for m in measures for column in m.carries(table))
        carried |= dict.fromkeys(suppression.carries(table))
        tables = ClassTables(table=table, carries=tuple(carried))
        return cls(tables=tables, measures=tuple(measures), suppression=suppression)

    @cached_property
    def recodings_a_batch(self) -> int:
        """How many recodings to measure at once, so that memory stays bounded."""
        table = self.tables.table
        entries = int(table.carried(self.tables.carries).counts.shape[0])
        return max(1, ENTRIES_A_BATCH // max(1, entries, table.cells))

    def batches(self, solutions: Sequence[Solution]) -> Iterator[list[MeasuredRecoding]]:
        """Measure solutions at their thresholds, in their order, so many at once."""
        step = self.recodings_a_batch
        for start in range(0, len(solutions), step):
            batch = solutions[start : start + step]
            yield self.measure(
                [solution.recoding for solution in batch],
                thresholds=[solution.threshold for solution in batch],
            )

    def measure(
        self, recodings: Sequence[Recoding], *, thresholds: Sequence[int | None]
    ) -> list[MeasuredRecoding]:
        """Measure recodings at thresholds; measures that they lack something for are left out."""
        known: dict[int, Metrics] = {}
        found = []
        for each in recode(
            self.tables, recodings, thresholds=thresholds, suppression=self.suppression
        ):
            if id(each.classes) not in known:
                known[id(each.classes)] = evaluate(self.measures, each.classes)
            found.append(MeasuredRecoding(each, known[id(each.classes)].of(each.position)))
        return found
