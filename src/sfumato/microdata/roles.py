"""What a column is to the release: its role, and what the role brings with it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engines.messages.statistic import Statistic
from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.ground_distance import GroundDistance
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


MOST_DIGITS = 12
"""The most digits after the point that a mean can be written with."""


class Role(enum.StrEnum):
    """The roles of SPEC §1. A class label is a flag beside the role, see `Attribute.label`."""

    IDENTIFYING = "identifying"
    QUASI_IDENTIFYING = "quasi-identifying"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """A column of the microdata with its role.

    A column has a hierarchy, or admissible partitions in its place, exactly if it is
    quasi-identifying. A sensitive column may carry the
    ground distance of its values for t-closeness (equal distances unless said otherwise). At
    most one column is the class label of the classification metric; it may have any role but
    identifying. A ``constrained`` quasi-identifier is only ever cut along its hierarchy, also
    where a search may cut others between any two neighbouring values. No recoding goes below the
    level ``minimum_level`` of a quasi-identifier: its rows are counted by the blocks of that
    level. In a microaggregated release a quasi-identifier shows the ``statistic`` of each block,
    the one that suits its values if None (`default_statistic`); a mean is rounded to ``digits``
    after the point.

    >>> Attribute(name="name", role=Role.IDENTIFYING).role
    <Role.IDENTIFYING: 'identifying'>
    """

    name: str
    role: Role
    hierarchy: PartitionedDomain | HierarchyBuilder | None = None
    ground_distance: GroundDistance | None = None
    label: bool = False
    weight: float = 1.0
    constrained: bool = False
    minimum_level: int = 0
    statistic: Statistic | None = None
    digits: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise SettingsError(f"a column needs a name that is a text; got {self.name!r}")
        try:
            object.__setattr__(self, "role", Role(self.role))
        except ValueError:
            raise SettingsError(
                f"column {self.name!r} cannot be {self.role!r}; choose one of "
                f"{', '.join(role.value for role in Role)}"
            ) from None
        if (self.hierarchy is not None) != (self.role is Role.QUASI_IDENTIFYING):
            raise SettingsError(
                f"column {self.name!r} is {self.role.value} and "
                f"{'has a' if self.hierarchy is not None else 'has no'} hierarchy; exactly the "
                "quasi-identifying columns have one"
            )
        if self.hierarchy is not None:
            self._check_hierarchy()
        if self.ground_distance is not None and self.role is not Role.SENSITIVE:
            raise SettingsError(
                f"column {self.name!r} is {self.role.value}; only a sensitive column has a "
                "ground distance"
            )
        if self.label and self.role is Role.IDENTIFYING:
            raise SettingsError(
                f"column {self.name!r} is identifying and cannot be the class label; an "
                "identifying column never leaves the reader"
            )
        if not isinstance(self.weight, int | float) or not 0 <= self.weight < float("inf"):
            raise SettingsError(
                f"the weight of column {self.name!r} is {self.weight!r}; it must be a number >= 0"
            )

        if not isinstance(self.constrained, bool):
            raise SettingsError(
                f"constrained of column {self.name!r} is {shown(self.constrained)}; say True or "
                "False"
            )
        if self.constrained and self.role is not Role.QUASI_IDENTIFYING:
            raise SettingsError(
                f"column {self.name!r} is {self.role.value} and cannot be constrained: it has no "
                "tree of values; only a quasi-identifying column has one"
            )
        self._check_statistic()
        self._check_minimum_level()

    def _check_statistic(self) -> None:
        for setting, given in (("statistic", self.statistic), ("digits", self.digits)):
            if given is not None and self.role is not Role.QUASI_IDENTIFYING:
                raise SettingsError(
                    f"column {self.name!r} is {self.role.value} and has {setting} = {given!r}; "
                    "only a quasi-identifying column is microaggregated"
                )
        if self.statistic is not None:
            try:
                object.__setattr__(self, "statistic", Statistic(self.statistic))
            except ValueError:
                raise SettingsError(
                    f"the statistic of column {self.name!r} is {shown(self.statistic)}; choose one "
                    f"of {', '.join(each.value for each in Statistic)}"
                ) from None
        if self.digits is None:
            return
        whole = isinstance(self.digits, int) and not isinstance(self.digits, bool)
        if not whole or not 0 <= self.digits <= MOST_DIGITS:
            raise SettingsError(
                f"digits of column {self.name!r} is {shown(self.digits)}; write how many digits a "
                f"mean has after the point, 0 to {MOST_DIGITS}"
            )
        if self.statistic in (Statistic.MEDIAN, Statistic.MODE):
            raise SettingsError(
                f"digits of column {self.name!r} says how a mean is rounded, and its statistic is "
                f"{self.statistic}; leave digits out"
            )

    def _check_minimum_level(self) -> None:
        if (
            not isinstance(self.minimum_level, int)
            or isinstance(self.minimum_level, bool)
            or self.minimum_level < 0
        ):
            raise SettingsError(
                f"the minimum level of column {self.name!r} is {shown(self.minimum_level)}; it "
                f"is a level, a whole "
                "number from 0 (the values themselves) on"
            )
        if self.minimum_level and self.role is not Role.QUASI_IDENTIFYING:
            raise SettingsError(
                f"column {self.name!r} is {self.role.value} and has no minimum level: it has no "
                f"levels; "
                "only a quasi-identifying column has them"
            )
        if self.minimum_level and self.label:
            raise SettingsError(
                f"column {self.name!r} is the class label, which is counted by its values, and "
                f"has the minimum level {self.minimum_level}; leave out one of the two"
            )

    def _check_hierarchy(self) -> None:
        given = self.hierarchy
        if isinstance(given, type):
            raise SettingsError(
                f"the hierarchy of column {self.name!r} is the class {given.__name__}; call it: "
                f"{given.__name__}(…)"
            )
        if not hasattr(given, "build") and not hasattr(given, "levels"):
            hint = "read_hierarchy_csv(…)" if isinstance(given, str | Path) else "Hierarchy"
            raise SettingsError(
                f"the hierarchy of column {self.name!r} is {shown(given)}; give {hint}, or a "
                "builder such as Flat(), Prefixes() or Intervals(widths=(5, 10))"
            )


def quasi_identifying(
    name: str,
    hierarchy: PartitionedDomain | HierarchyBuilder,
    *,
    weight: float = 1.0,
    label: bool = False,
    constrained: bool = False,
    minimum_level: int = 0,
    statistic: Statistic | str | None = None,
    digits: int | None = None,
) -> Attribute:
    """Return a quasi-identifying column: what a linking attack can know, so it is recoded."""
    return Attribute(
        name=name,
        role=Role.QUASI_IDENTIFYING,
        hierarchy=hierarchy,
        weight=weight,
        label=label,
        constrained=constrained,
        minimum_level=minimum_level,
        statistic=statistic,  # type: ignore[arg-type]  # a name is taken for what it names
        digits=digits,
    )


def sensitive(
    name: str, *, ground_distance: GroundDistance | None = None, label: bool = False
) -> Attribute:
    """Return a sensitive column: what must not be learnt about a person."""
    return Attribute(name=name, role=Role.SENSITIVE, ground_distance=ground_distance, label=label)


def insensitive(name: str, *, label: bool = False) -> Attribute:
    """Return a column that is released as it is."""
    return Attribute(name=name, role=Role.INSENSITIVE, label=label)


def identifying(name: str) -> Attribute:
    """Return a column that never gets past the reader."""
    return Attribute(name=name, role=Role.IDENTIFYING)
