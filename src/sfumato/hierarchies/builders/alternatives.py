"""Several hierarchies of one column as admissible partitions: widths of 5 beside widths of 7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.listing import counted
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.builders.builder import domain_is_declared
from sfumato.hierarchies.partitioned_domain import PartitionedDomain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.builders.builder import HierarchyBuilder


@dataclass(frozen=True, kw_only=True)
class Alternatives:
    """Builds the levels of several hierarchies over the same domain, each partition once.

    Levels of different hierarchies need not refine each other: an interval of width 5 can lie in
    two of width 7. A partition is named by the hierarchy and the level that it first comes from:
    ``2.1`` is level 1 of the second.

    >>> from sfumato.hierarchies.builders.intervals import Intervals
    >>> ages = Alternatives(
    ...     hierarchies=(
    ...         Intervals(low=0, high=11, widths=(2, 4)),
    ...         Intervals(low=0, high=11, widths=(3, 6)),
    ...     )
    ... ).build([], column="age")
    >>> ages.names, ages.order.successors[1:3]
    (('1.0', '1.1', '2.1', '1.2', '2.2', '1.3'), ((3, 4), (4,)))
    """

    hierarchies: Sequence[PartitionedDomain | HierarchyBuilder]

    def __post_init__(self) -> None:
        if isinstance(self.hierarchies, str) or not hasattr(self.hierarchies, "__iter__"):
            raise SettingsError.wrong_setting(
                "hierarchies", self.hierarchies, "a list of hierarchies", code="not-a-list"
            )
        object.__setattr__(self, "hierarchies", tuple(self.hierarchies))
        if len(self.hierarchies) < 2:
            raise SettingsError(
                f"the alternatives are {counted(len(self.hierarchies), 'tree')}",
                code="too-few",
                key="hierarchies",
                found=str(len(self.hierarchies)),
                expected="two hierarchies of the column or more",
                remedy="a single one is the hierarchy of the column itself",
            )

    @property
    def domain_is_declared(self) -> bool:
        """Whether the values that occur play no part."""
        return all(map(domain_is_declared, self.hierarchies))

    @property
    def levels_are_declared(self) -> bool:
        """Whether there are as many partitions whatever values occur: equal ones count once."""
        return self.domain_is_declared

    def build(self, values: Sequence[str], *, column: str) -> AdmissiblePartitions:
        """Return the admissible partitions of a column."""
        built = [
            each if isinstance(each, PartitionedDomain) else each.build(values, column=column)
            for each in self.hierarchies
        ]
        domain = built[0].domain
        found: dict[str, tuple[Codes, tuple[str, ...]]] = {}
        for number, partitions in enumerate(built, start=1):
            if partitions.domain != domain:
                raise HierarchyError(
                    f"the alternatives 1 and {number} are about different values",
                    code="different-domains",
                    column=column,
                    key="hierarchies",
                    found=str(number),
                    remedy="give them the same domain, for example the same low, high and unit",
                )
            for level, codes in enumerate(partitions.levels):
                if not any(np.array_equal(codes, known) for known, _ in found.values()):
                    found[f"{number}.{level}"] = (codes, partitions.labels[level])
        with located(column=column):
            return AdmissiblePartitions.completed(domain, found)
