"""The problem that every search solves: a table, a policy and objectives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.class_batch import SeenFrom
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import NO_SUPPRESSION, Policy, Suppression
from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.recoding.admissible_space import AdmissibleSpace
from sfumato.recoding.partition_space import PartitionSpace
from sfumato.search.points import Points
from sfumato.search.space import Space, space_named

if TYPE_CHECKING:
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.measures.measure import Direction, Measure
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """Find the Pareto-optimal recodings of a table in some objectives.

    The recodings are the nodes of the lattice, the partitions of the ordered domains, the
    admissible recodings, or the assignments of cells to classes. If the suppression policy has
    criteria, only recodings that meet them count.
    """

    table: CountTable
    objectives: tuple[Measure, ...]
    suppression: Suppression = NO_SUPPRESSION
    space: Space = Space.LATTICE

    def __post_init__(self) -> None:
        if not self.objectives:
            raise SettingsError(
                "a search needs at least one objective",
                code="missing-setting",
                key="objectives",
                expected="measures, like ['k', 'normalized-loss']",
            )
        names = [str(objective) for objective in self.objectives]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise SettingsError(
                f"objective {', '.join(map(repr, twice))} is given more than once",
                code="duplicate",
                key="objectives",
                found=", ".join(twice),
            )
        object.__setattr__(self, "space", space_named(self.space))
        for identifier in self.table.quasi_identifiers:
            if self.space is not Space.ADMISSIBLE and not isinstance(
                identifier.hierarchy, Hierarchy
            ):
                raise SettingsError(
                    f"column {identifier.name!r} has admissible partitions and no hierarchy, and "
                    f"the space is {self.space.value!r}",
                    code="conflicting-settings",
                    column=identifier.name,
                    key="space",
                    found=repr(self.space.value),
                    expected="space = 'admissible'",
                )
        if self.space is Space.LOCAL and self.suppression.policy is Policy.BELOW_WEIGHTED_K:
            raise SettingsError(
                "suppression policy 'below-weighted-k' would suppress most classes of a local "
                "recoding: they are made as small as they may be",
                code="conflicting-settings",
                key="policy",
                found=repr(Policy.BELOW_WEIGHTED_K.value),
                remedy="use 'limit' or 'none', or search the space 'lattice' or 'partitions'",
            )
        for criterion in self.suppression.criteria:
            criterion.check(self.table)
        for objective in self.objectives:
            objective.check(self.table)
            if objective.needs_levels and self.space in (Space.PARTITIONS, Space.LOCAL):
                raise SettingsError(
                    f"objective {objective.name!r} is about levels, and recodings in the space "
                    f"{self.space.value!r} have none",
                    code="conflicting-settings",
                    key="objectives",
                    found=repr(objective.name),
                    remedy="use 'loss' instead, or search the space 'lattice'",
                )

            if objective.seen_from is SeenFrom.PARTITIONS and self.space is Space.LOCAL:
                raise SettingsError(
                    f"objective {objective.name!r} is about the partition of every column, and the "
                    "labels of local recodings differ from class to class",
                    code="conflicting-settings",
                    key="objectives",
                    found=repr(objective.name),
                    remedy="use 'loss' instead, or search the space 'lattice' or 'partitions'",
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The objectives in their text form."""
        return tuple(str(objective) for objective in self.objectives)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The direction of every objective."""
        return tuple(objective.direction for objective in self.objectives)

    @cached_property
    def tables(self) -> ClassTables:
        """The maker of class tables, carrying what the objectives need."""
        carried = dict.fromkeys(
            column for objective in self.objectives for column in objective.carries(self.table)
        )
        carried |= dict.fromkeys(self.suppression.carries(self.table))
        return ClassTables(table=self.table, carries=tuple(carried))

    @cached_property
    def partitions(self) -> PartitionSpace:
        """The partitions of the ordered domains."""
        return PartitionSpace.of(self.table)

    @cached_property
    def admissible(self) -> AdmissibleSpace:
        """The admissible recodings: of hierarchies, their different levels."""
        return AdmissibleSpace.of(self.table)

    @cached_property
    def budget(self) -> int | None:
        """The greatest number of rows that can be suppressed; None if there is no bound."""
        return self.suppression.budget(self.table.rows)

    @property
    def bounds_need_finest(self) -> bool:
        """Whether the bound of an objective looks at the finest corner of a box."""
        return any(objective.bound_needs_finest for objective in self.objectives)

    def points(self, batch: ClassBatch) -> Points:
        """Evaluate all candidates of a batch in all objectives; those that meet the criteria."""
        candidates = Classes.of(batch, self.suppression)
        points = self.points_of(candidates)
        return points.where(candidates.meets) if self.suppression.criteria else points

    def points_of(self, candidates: Classes) -> Points:
        """Evaluate candidates in all objectives, whether they meet the criteria or not."""
        values = np.empty((candidates.count, len(self.objectives)), dtype=np.float64)
        for position, objective in enumerate(self.objectives):
            values[:, position] = objective.evaluate(candidates)
        return Points(
            levels=candidates.batch.choices[candidates.recoding],
            thresholds=candidates.thresholds,
            suppressed=candidates.suppressed_rows,
            values=values,
        )
