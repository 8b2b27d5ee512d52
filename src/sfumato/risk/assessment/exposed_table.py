"""A table as an intruder meets it: its classes, the people in them, and what labels tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.measures.risk.kept_sizes import kept_sizes
from sfumato.risk.assessment.risk_distribution import RiskDistribution
from sfumato.risk.identifying.counted_cells import CountedCells

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.anonymization import Anonymization
    from sfumato.risk.attacks.labelled_classes import LabelledClasses


@dataclass(frozen=True, kw_only=True, eq=False)
class ExposedTable:
    """What is released of a table, whoever made it.

    ``cells`` are its classes as combinations of labels. ``units`` are whom every class protects,
    ``population`` the people of the population whom its labels cover, ``weights`` the sum of the
    sampling weights of its rows; both only where they are known. ``prosecutor`` says how many
    people are in a smallest class of which size. ``suppressed`` rows are not among them.
    """

    label: str
    cells: CountedCells
    units: Counts
    prosecutor: RiskDistribution
    suppressed: int
    population: Counts | None = None
    weights: Floats | None = None

    @property
    def rows(self) -> int:
        """The rows that are released."""
        return self.cells.rows

    @property
    def journalist(self) -> RiskDistribution | None:
        """How many people are in classes of which size of the population, if it is known."""
        if self.population is None:
            return None
        return RiskDistribution.of(self.population, self.units)

    @classmethod
    def of_anonymization(
        cls, found: Anonymization, *, label: str, weights: Floats | None = None
    ) -> ExposedTable:
        """Return what a recoding makes of a count table; ``weights`` are those of its cells."""
        table = found.table
        classes = found.carrying(())
        kept = classes.kept_of(0)
        smallest = kept_sizes(classes)
        first = found.first_entry[found.kept]
        sums: Floats | None = None
        if weights is not None:
            of_cell = found.class_of[table.entry_starts[:-1]]
            sums = np.bincount(of_cell, weights, found.classes).astype(np.float64)[found.kept]
        return cls(
            label=label,
            cells=CountedCells(
                names=table.names,
                codes=np.stack([column.codes[first] for column in found.labels]),
                sizes=found.sizes[found.kept],
            ),
            units=classes.batch.units[kept],
            prosecutor=RiskDistribution.of(smallest.values.astype(np.int64), smallest.units),
            suppressed=found.suppressed_rows,
            population=None
            if table.population is None or not found.originals
            else classes.batch.population_units[kept],
            weights=sums,
        )

    @classmethod
    def of_file(
        cls, found: LabelledClasses, *, label: str, population: Counts | None = None
    ) -> ExposedTable:
        """Return what a file shows, each row being a person; ``population`` is that by class."""
        return cls(
            label=label,
            cells=CountedCells(names=found.names, codes=found.labels, sizes=found.sizes),
            units=found.sizes,
            prosecutor=RiskDistribution.of(found.sizes, found.sizes),
            suppressed=found.starred,
            population=population,
        )
