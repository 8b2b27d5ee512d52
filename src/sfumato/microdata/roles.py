"""The role of a column in a release, and the settings that go with it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engines.messages.block_statistics import Statistic
from sfumato.engines.messages.coarsening import CoarseDates, CoarseNumbers
from sfumato.errors import SettingsError, located, shown
from sfumato.errors.listing import listed
from sfumato.microdata.output import Output
from sfumato.microdata.spelling import normal_form, spellings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.messages.coarsening import Coarsening
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.ground_distance import GroundDistance
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


MOST_DIGITS = 12
"""The most digits after the point that a mean can be written with."""


class Role(enum.StrEnum):
    """What a column can tell about a person; the class label is a flag beside it."""

    IDENTIFYING = "identifying"
    QUASI_IDENTIFYING = "quasi-identifying"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """A column of the microdata with its role.

    A column has a hierarchy, or admissible partitions in its place, exactly if it is
    quasi-identifying. A sensitive column may carry the ground distance of its values for
    t-closeness; equal distances are the default. At most one column is the class label of the
    classification metric; it may have any role but identifying. A ``constrained`` quasi-identifier
    is only cut along its hierarchy, also where a search may cut others between any two
    neighbouring values. No recoding goes below the level ``minimum_level`` of a quasi-identifier:
    its rows are counted by the blocks of that level. In a microaggregated release a
    quasi-identifier shows the ``statistic`` of each block, the one that suits its values if None
    (`default_statistic`); a mean is rounded to ``digits`` after the point. ``output`` says what its
    labels are in a local recoding, those that suit its values if None. A sensitive or insensitive
    column may be coarsened: it is counted and released by what the rule ``coarsen`` makes of its
    values. With ``normalize``, values of a sensitive column that differ in spelling alone are one:
    their normal form, or the spelling that it lists.
    All columns with ``person`` together are the person key: rows that agree in them are about one
    person, and measures of privacy then count people.

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
    output: Output | None = None
    coarsen: Coarsening | None = None
    normalize: bool | tuple[str, ...] = False
    person: bool = False

    def __post_init__(self) -> None:
        # Help is shown without NumPy, and needs the roles.
        from sfumato.arrays import plain_numbers

        plain_numbers(self)
        if not isinstance(self.name, str) or not self.name:
            raise SettingsError.wrong_setting(
                "name", self.name, "a text that is not empty", code="not-a-name"
            )
        with located(column=self.name):
            self._check_role()
            self._check_hierarchy()
            self._check_of_quasi_identifiers()
            self._check_statistic()
            self._check_output()
            self._check_minimum_level()
            self._check_coarsening()

    def _check_role(self) -> None:
        try:
            object.__setattr__(self, "role", Role(self.role))
        except ValueError:
            raise SettingsError.unknown_choice("role", self.role, Role) from None
        if self.ground_distance is not None and self.role is not Role.SENSITIVE:
            raise self._conflict("ground_distance", "a ground distance", only="a sensitive column")
        if self.label and self.role is Role.IDENTIFYING:
            raise SettingsError(
                f"column {self.name!r} is identifying and cannot be the class label",
                code="conflicting-settings",
                key="label",
                found="True",
                remedy="an identifying column never leaves the reader",
            )
        if not isinstance(self.weight, int | float) or not 0 <= self.weight < float("inf"):
            raise SettingsError.wrong_setting(
                "weight", self.weight, "a finite number from 0 up", code="out-of-range"
            )
        if not isinstance(self.constrained, bool):
            raise SettingsError.wrong_setting(
                "constrained", self.constrained, "True or False", code="wrong-type"
            )
        if not isinstance(self.person, bool):
            raise SettingsError.wrong_setting(
                "person", self.person, "True or False", code="wrong-type"
            )

    def _check_hierarchy(self) -> None:
        given = self.hierarchy
        if given is None:
            if self.role is Role.QUASI_IDENTIFYING:
                raise SettingsError(
                    f"column {self.name!r} is quasi-identifying and has no hierarchy",
                    code="missing-setting",
                    key="hierarchy",
                )
            return
        if self.role is not Role.QUASI_IDENTIFYING:
            raise self._conflict("hierarchy", "a hierarchy")
        if isinstance(given, type):
            raise SettingsError(
                code="not-a-hierarchy",
                key="hierarchy",
                found=f"the class {given.__name__}",
                expected=f"an instance: {given.__name__}(…)",
            )
        if not hasattr(given, "build") and not hasattr(given, "levels"):
            made = "read_hierarchy_csv(…)" if isinstance(given, str | Path) else "a Hierarchy"
            raise SettingsError.wrong_setting(
                "hierarchy",
                given,
                f"{made}, or a builder like Flat(), Prefixes() or Intervals(widths=(5, 10))",
                code="not-a-hierarchy",
            )

    def _check_of_quasi_identifiers(self) -> None:
        """Refuse settings that only a quasi-identifying column has."""
        if self.role is Role.QUASI_IDENTIFYING:
            return
        if self.constrained:
            raise self._conflict("constrained", "constrained = True")
        if self.statistic is not None:
            raise self._conflict("statistic", f"statistic = {shown(self.statistic)}")
        if self.digits is not None:
            raise self._conflict("digits", f"digits = {shown(self.digits)}")
        if self.output is not None:
            raise self._conflict("output", f"output = {shown(self.output)}")

    def _check_statistic(self) -> None:
        if self.statistic is not None:
            try:
                object.__setattr__(self, "statistic", Statistic(self.statistic))
            except ValueError:
                raise SettingsError.unknown_choice("statistic", self.statistic, Statistic) from None
        if self.digits is None:
            return
        whole = isinstance(self.digits, int) and not isinstance(self.digits, bool)
        if not whole or not 0 <= self.digits <= MOST_DIGITS:
            raise SettingsError.wrong_setting(
                "digits",
                self.digits,
                f"0 to {MOST_DIGITS}, the digits of a mean after the point",
                code="out-of-range",
            )
        if self.statistic in (Statistic.MEDIAN, Statistic.MODE):
            raise SettingsError(
                f"digits says how a mean is rounded, and the statistic is {self.statistic}",
                code="conflicting-settings",
                key="digits",
                found=str(self.digits),
                remedy="leave digits out",
            )

    def _check_output(self) -> None:
        if self.output is not None:
            try:
                object.__setattr__(self, "output", Output(self.output))
            except ValueError:
                raise SettingsError.unknown_choice("output", self.output, Output) from None

    def _check_minimum_level(self) -> None:
        level = self.minimum_level
        if not isinstance(level, int) or isinstance(level, bool) or level < 0:
            raise SettingsError.wrong_setting(
                "minimum_level",
                level,
                "a level: a whole number from 0 (the values themselves) up",
                code="out-of-range",
            )
        if level and self.role is not Role.QUASI_IDENTIFYING:
            raise self._conflict("minimum_level", f"the minimum level {level}")
        if level and self.label:
            raise SettingsError(
                f"column {self.name!r} is the class label, which is counted by its values, and "
                f"has the minimum level {level}",
                code="conflicting-settings",
                key="minimum_level",
                found=str(level),
                remedy="leave out one of the two",
            )

    def _check_coarsening(self) -> None:
        if self.coarsen is not None:
            if not isinstance(self.coarsen, CoarseNumbers | CoarseDates):
                raise SettingsError.wrong_setting(
                    "coarsen",
                    self.coarsen,
                    "CoarseNumbers(round=100) or CoarseDates(unit='month')",
                    code="wrong-type",
                )
            if self.role not in (Role.SENSITIVE, Role.INSENSITIVE):
                only = "a sensitive or insensitive column"
                raise self._conflict("coarsen", f"a coarsening ({self.coarsen})", only=only)
        if not isinstance(self.normalize, bool):
            object.__setattr__(self, "normalize", self._listed_spellings(self.normalize))
        if self.normalize and self.role is not Role.SENSITIVE:
            raise self._conflict("normalize", "normalize = True", only="a sensitive column")
        if self.normalize and self.coarsen is not None:
            raise SettingsError(
                f"column {self.name!r} is coarsened, and numbers and dates have one spelling",
                code="conflicting-settings",
                key="normalize",
                found=str(self.normalize),
                remedy="leave out normalize",
            )

    def _listed_spellings(self, given: object) -> tuple[str, ...]:
        """Return the spellings that are released, or refuse two of one value."""
        named = tuple(given) if isinstance(given, list | tuple) else ()
        if not named or not all(isinstance(each, str) and normal_form(each) for each in named):
            raise SettingsError.wrong_setting(
                "normalize", given, "True, False or a list like ['HIV', 'Flu']", code="wrong-type"
            )
        for group in spellings(named):
            raise SettingsError(
                f"column {self.name!r} lists spellings of one value: {listed(group)}",
                code="conflicting-settings",
                key="normalize",
                found=repr(group[1]),
                remedy="list the one that is to be released",
            )
        return named

    def _conflict(
        self, key: str, setting: str, *, only: str = "a quasi-identifying column"
    ) -> SettingsError:
        """Return the error for a setting that columns of this role do not have."""
        return SettingsError(
            f"column {self.name!r} is {self.role.value} and has {setting}",
            code="conflicting-settings",
            key=key,
            remedy=f"only {only} has one" if key != "constrained" else f"only {only} can be",
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
    output: Output | str | None = None,
    person: bool = False,
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
        output=output,  # type: ignore[arg-type]  # here too
        person=person,
    )


def sensitive(
    name: str,
    *,
    ground_distance: GroundDistance | None = None,
    label: bool = False,
    coarsen: Coarsening | None = None,
    normalize: bool | Sequence[str] = False,
    person: bool = False,
) -> Attribute:
    """Return a sensitive column: what must not be learnt about a person."""
    return Attribute(
        name=name,
        role=Role.SENSITIVE,
        ground_distance=ground_distance,
        label=label,
        coarsen=coarsen,
        normalize=normalize,  # type: ignore[arg-type]  # a list becomes a tuple
        person=person,
    )


def insensitive(
    name: str,
    *,
    label: bool = False,
    coarsen: Coarsening | None = None,
    person: bool = False,
) -> Attribute:
    """Return a column that is released as it is, or as its coarsening makes it."""
    return Attribute(name=name, role=Role.INSENSITIVE, label=label, coarsen=coarsen, person=person)


def identifying(name: str, *, person: bool = False) -> Attribute:
    """Return a column that never gets past the reader; it may be the person key, or part of it."""
    return Attribute(name=name, role=Role.IDENTIFYING, person=person)


def person_columns(attributes: Sequence[Attribute]) -> tuple[str, ...]:
    """Return the columns of the person key, by name: their order means nothing.

    >>> person_columns([identifying("name", person=True), identifying("born", person=True)])
    ('born', 'name')
    """
    return tuple(sorted(attribute.name for attribute in attributes if attribute.person))
