"""Two vectors of one property on the common refinement of their groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sfumato.compare.vectors.exact_sum import is_whole
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError, shown
from sfumato.measures.measure import Direction

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.individuals import Refined

Vectors: TypeAlias = PropertyVector | Sequence[PropertyVector]
"""One property vector, or those of an r-property anonymization in a fixed order."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CommonRefinement:
    """Vectors of the same property under two anonymizations, checked to be comparable.

    ``first_values[i]`` and ``second_values[i]`` are shared by ``counts[i]`` rows: the groups are
    what a group of the first and one of the second vector have in common. Indices of one vector
    read ``first`` and ``second``, which have fewer groups still.

    >>> a = PropertyVector.of_rows([2, 2, 3], name="class-size")
    >>> b = PropertyVector.of_rows([1, 3, 3], name="class-size")
    >>> CommonRefinement.of(a, b).gains.tolist()
    [1, -1, 0]
    """

    first: PropertyVector
    second: PropertyVector

    @classmethod
    def of(cls, first: PropertyVector, second: PropertyVector) -> CommonRefinement:
        """Pair two vectors, or say why they cannot be compared."""
        for vector in (first, second):
            if not isinstance(vector, PropertyVector):
                raise SettingsError(
                    f"a comparison is made of property vectors and got {shown(vector)}",
                    code="wrong-type",
                    found=shown(vector),
                    remedy="make one with PropertyVector.of_rows([…], name='class-size')",
                )
        if first.name != second.name:
            raise SettingsError(
                f"{first.name!r} cannot be compared with {second.name!r}",
                code="other-property",
                found=repr(second.name),
                expected="the same property of both anonymizations, in the same order",
            )
        if first.direction is not second.direction:
            raise SettingsError(
                f"{first.direction.value} values of {first.name!r} are better in one vector and "
                f"{second.direction.value} ones in the other",
                code="conflicting-settings",
                found=repr(second.direction.value),
                expected="the same direction of both",
            )
        if not first.individuals.same_as(second.individuals):
            raise _others(first, second)
        return cls(first=first, second=second)

    @property
    def rows(self) -> int:
        """The number of individuals."""
        return self.first.rows

    @property
    def direction(self) -> Direction:
        """Which values of the property are better."""
        return self.first.direction

    @cached_property
    def _groups(self) -> Refined:
        return self.first.refined_with(self.second)

    @property
    def counts(self) -> Counts:
        """The number of rows of every group."""
        return self._groups.counts

    @property
    def first_values(self) -> Counts | Floats:
        """The values of the first vector."""
        return self.first.values[self._groups.first]

    @property
    def second_values(self) -> Counts | Floats:
        """The values of the second vector."""
        return self.second.values[self._groups.second]

    @property
    def first_groups(self) -> Counts:
        """The group of the first vector that every group lies in."""
        return self._groups.first

    @property
    def second_groups(self) -> Counts:
        """The group of the second vector that every group lies in."""
        return self._groups.second

    @cached_property
    def gains(self) -> Counts | Floats:
        """By how much every group is better off in the first; negative where it is worse off."""
        return gains_of(self.first_values, self.second_values, self.direction)

    @cached_property
    def mirrored(self) -> CommonRefinement:
        """The same with the second vector first."""
        return CommonRefinement(first=self.second, second=self.first)


def gains_of(
    first: Counts | Floats, second: Counts | Floats, direction: Direction
) -> Counts | Floats:
    """Return first - second, turned so that what is positive is better.

    >>> import numpy as np
    >>> gains_of(np.array([0.5]), np.array([0.75]), Direction.LOWER).tolist()
    [0.25]
    """
    better, other = (first, second) if direction is Direction.HIGHER else (second, first)
    whole = is_whole(better) and is_whole(other)
    if whole and max(abs(int(end)) for s in (better, other) for end in (s.min(), s.max())) >= 2**62:
        raise SettingsError(
            "a property vector has values beyond 2^62, whose differences do not fit 64 bits",
            code="out-of-range",
            remedy="give them as floating-point numbers",
        )
    difference: Counts | Floats = better - other
    return difference


def paired(first: Vectors, second: Vectors) -> tuple[CommonRefinement, ...]:
    """Pair the vectors of two anonymizations property by property."""
    left = (first,) if isinstance(first, PropertyVector) else tuple(first)
    right = (second,) if isinstance(second, PropertyVector) else tuple(second)
    if not left or len(left) != len(right):
        raise SettingsError(
            f"one anonymization has {len(left)} property vectors and the other {len(right)}",
            code="wrong-length",
            found=f"{len(left)} and {len(right)}",
            expected="the same properties of both, at least one",
        )
    return tuple(CommonRefinement.of(a, b) for a, b in zip(left, right, strict=True))


def _others(first: PropertyVector, second: PropertyVector) -> SettingsError:
    if first.rows != second.rows:
        return SettingsError(
            f"one vector of {first.name!r} has {first.rows:,} rows and the other {second.rows:,}",
            code="other-rows",
            found=f"{first.rows:,} and {second.rows:,}",
            remedy="compare anonymizations of one table, with the suppressed rows as a class",
        )
    return SettingsError(
        f"the two vectors of {first.name!r} are about different tables, so that their rows cannot "
        "be matched",
        code="other-rows",
        remedy="make both from the same study or count table",
    )
