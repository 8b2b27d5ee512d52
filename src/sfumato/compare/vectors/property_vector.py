"""The property vector: a property of every row, stored by groups of rows that share it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes, sealed_counts
from sfumato.classes.individuals import Individuals, Refined
from sfumato.compare.vectors.exact_sum import is_whole
from sfumato.errors import SettingsError
from sfumato.measures.measure import Direction
from sfumato.microdata.count_table import exact_bincount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Floats

_DENSE = 4
"""How many pairs of groups may be counted for each entry before only those that occur are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PropertyVector:
    """A property of every individual under one anonymization (Comparison def. 1).

    Group ``g`` of ``counts[g]`` rows has the value ``values[g]``; ``group_of`` has the group of
    every entry of ``individuals``. ``best`` and ``worst`` are the values that no individual can
    beat or fall below, where they are known. ``label`` is what sentences call the anonymization.

    >>> sizes = PropertyVector.of_rows([3, 3, 3, 4, 4, 4, 4], name="class-size")
    >>> sizes.rows, sizes.values.tolist()
    (7, [3, 3, 3, 4, 4, 4, 4])
    """

    name: str
    direction: Direction
    values: Counts | Floats
    counts: Counts
    group_of: Codes
    individuals: Individuals
    best: float | int | None = None
    worst: float | int | None = None
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "direction", _direction(self.direction))
        if self.values.ndim != 1 or self.values.shape != self.counts.shape:
            raise SettingsError(
                f"property vector {self.name!r} has values of shape {self.values.shape} and "
                f"counts of shape {self.counts.shape}",
                code="wrong-length",
                found=str(self.counts.shape),
                expected="one count for each value",
            )
        if not np.isfinite(self.values).all():
            raise SettingsError(
                f"property vector {self.name!r} has a value that is not a finite number",
                code="not-a-number",
                expected="a finite number for each row",
            )
        for array in (self.values, self.counts, self.group_of):
            array.flags.writeable = False

    @classmethod
    def of_groups(
        cls,
        values: Counts | Floats,
        group_of: Codes,
        individuals: Individuals,
        *,
        name: str,
        direction: Direction,
        best: float | int | None = None,
        worst: float | int | None = None,
        label: str = "",
    ) -> PropertyVector:
        """Return the vector of groups of a table's individuals; their rows are counted here."""
        counts: Counts = np.zeros(values.shape[0], dtype=np.int64)
        np.add.at(counts, group_of, individuals.counts)
        return cls(
            name=name,
            direction=direction,
            values=values,
            counts=counts,
            group_of=group_of,
            individuals=individuals,
            best=best,
            worst=worst,
            label=label,
        )

    @classmethod
    def of_rows(
        cls,
        values: Sequence[int] | Sequence[float] | Counts | Floats,
        *,
        name: str,
        direction: Direction | str = Direction.HIGHER,
        best: float | int | None = None,
        worst: float | int | None = None,
        label: str = "",
    ) -> PropertyVector:
        """Return the vector of a plain sequence, one value a row in the order of the rows.

        >>> PropertyVector.of_rows([0.5, 1.0], name="loss", direction="lower").direction
        <Direction.LOWER: 'lower'>
        """
        array = np.array(values)
        if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuf":
            found = f"an array of shape {array.shape} that holds {array.dtype}"
            raise SettingsError(
                f"property vector {name!r} is {found}",
                code="wrong-type",
                found=found,
                expected="one number for each row",
            )
        numbers: Counts | Floats
        numbers = array.astype(np.float64) if array.dtype.kind == "f" else array.astype(np.int64)
        individuals = Individuals.in_order(numbers.shape[0])
        return cls(
            name=name,
            direction=_direction(direction),
            values=numbers,
            counts=sealed_counts(individuals.counts),
            group_of=sealed_codes(np.arange(numbers.shape[0])),
            individuals=individuals,
            best=best,
            worst=worst,
            label=label,
        )

    @property
    def rows(self) -> int:
        """The number of individuals."""
        return self.individuals.rows

    @property
    def whole(self) -> bool:
        """Whether the values are whole numbers, so that sums and products of them are exact."""
        return is_whole(self.values)

    @property
    def words(self) -> str:
        """The property as a sentence names it."""
        return self.name.replace("-", " ")

    @cached_property
    def by_individual(self) -> Counts | Floats:
        """The value of every entry of ``individuals``."""
        found: Counts | Floats = self.values[self.group_of]
        found.flags.writeable = False
        return found

    def refined_with(self, other: PropertyVector) -> Refined:
        """Return the groups that have rows of a group of this and one of another vector.

        Found once for each two groupings: every comparator asks for them, and most properties
        group rows by the same classes.
        """
        return self.individuals.refinements.find(
            self.group_of, other.group_of, lambda: _refined(self, other)
        )

    def expanded(self) -> Counts | Floats:
        """Return the value of every row, N of them, in an order that all vectors of a table share.

        No comparison needs it.
        """
        return self.values[np.repeat(self.group_of, self.individuals.counts)]


def _refined(one: PropertyVector, other: PropertyVector) -> Refined:
    rows = one.individuals.counts
    groups = one.values.shape[0], other.values.shape[0]
    if max(groups) == rows.shape[0]:
        # One of them tells everybody apart already.
        return Refined(one.group_of.astype(np.int64), other.group_of.astype(np.int64), rows)
    packed = one.group_of.astype(np.int64) * groups[1] + other.group_of
    if groups[0] * groups[1] <= _DENSE * rows.shape[0]:
        totals: Counts = np.zeros(groups[0] * groups[1], dtype=np.int64)
        np.add.at(totals, packed, rows)
        parts = np.flatnonzero(totals)
        return Refined(parts // groups[1], parts % groups[1], totals[parts])
    parts, which = np.unique(packed, return_inverse=True)
    return Refined(
        parts // groups[1], parts % groups[1], exact_bincount(which, rows, parts.shape[0])
    )


def _direction(given: Direction | str) -> Direction:
    try:
        return Direction(given)
    except ValueError:
        raise SettingsError.unknown_choice("direction", given, Direction) from None
