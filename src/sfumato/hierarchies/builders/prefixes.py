"""Hierarchies of codes whose last characters are masked one by one: ZIP codes, diagnoses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.builder import check_list, domain_values
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

MASK = "*"


@dataclass(frozen=True, kw_only=True)
class Prefixes:
    """Every level keeps the first n characters and masks the rest.

    ``length`` demands that every value has that many characters, and labels have them too. With
    ``values`` they are padded to the longest of these. Without either, one mask stands for all
    that may follow, and shorter values keep what they have: the longest value that occurs may be
    that of somebody who is suppressed, and must not show in the labels of others. ``keep`` chooses
    the prefix lengths that become levels, from long to short; without it all do.

    >>> zips = ["24126", "24127", "24300"]
    >>> [names[0] for names in Prefixes(length=5).build(zips, column="zip").labels]
    ['24126', '2412*', '241**', '24***', '2****', '*']
    >>> Prefixes(keep=(3,)).build([*zips, "7"], column="zip").labels[1]
    ('241*', '243*', '7')
    """

    length: int | None = None
    keep: Sequence[int] | None = None
    values: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise SettingsError.wrong_setting(
                "length", self.length, "at least 1", code="out-of-range"
            )
        if self.values is not None:
            check_list(self.values, setting="values", example="('24120', '24126')")
            object.__setattr__(self, "values", tuple(self.values))
        if self.keep is not None:
            check_list(self.keep, setting="keep", example="(3, 1)")
            object.__setattr__(self, "keep", tuple(self.keep))
            falling = all(longer > shorter for longer, shorter in pairwise(self.keep))
            if not self.keep or self.keep[-1] < 1 or not falling:
                raise SettingsError(
                    code="wrong-order",
                    key="keep",
                    found=str(self.keep),
                    expected="lengths of prefixes from long to short, each at least 1, like (3, 1)",
                    remedy="the top '*' is added",
                )

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever values occur."""
        return self.values is not None

    @property
    def levels_are_declared(self) -> bool:
        """Whether there are as many levels whatever values occur."""
        return self.keep is not None or self.length is not None or self.values is not None

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the declared values, or else of those that occur."""
        chosen = domain_values(self.values, values, column=column)
        self._check_masks(chosen, column)
        longest = self._longest(chosen, column)
        kept = range(longest - 1, 0, -1) if self.keep is None else self.keep
        if kept and kept[0] >= longest:
            raise HierarchyError(
                f"keep starts with {kept[0]}, and no value is longer than "
                f"{counted(longest, 'character')}, so that nothing would be merged",
                code="out-of-range",
                column=column,
                key="keep",
                found=str(kept[0]),
                expected=f"at most {longest - 1}",
            )
        padded = longest if self.length is not None or self.values is not None else None
        rows = [(value, *(_masked(value, size, padded) for size in kept), TOP) for value in chosen]
        with located(column=column, key="values"):
            hierarchy = Hierarchy.from_rows(rows)
        check_covers(hierarchy, values, column=column, add_to="the declared values")
        return hierarchy

    def _check_masks(self, chosen: Sequence[str], column: str) -> None:
        """Refuse codes that look masked where the values that occur decide the levels.

        The code ``24*`` and the label of ``241`` would need their levels to be told apart, and the
        number of a level depends on the longest code, which may be that of a suppressed person.
        """
        masked = [value for value in chosen if value.endswith(MASK)]
        if masked and not self.levels_are_declared:
            raise HierarchyError(
                f"column {column!r} has {counted(len(masked), 'value')} that end in {MASK!r}, like "
                f"the labels of masked codes: {listed(masked)}",
                code="masked-value",
                column=column,
                found=listed(masked),
                remedy="correct the data, or declare the levels by length, keep or values",
            )

    def _longest(self, chosen: Sequence[str], column: str) -> int:
        if self.length is None:
            return max(map(len, chosen))
        other = [value for value in chosen if len(value) != self.length]
        if other:
            raise HierarchyError(
                f"column {column!r} has {counted(len(other), 'value')} of another length than "
                f"{counted(self.length, 'character')}: {listed(other)}",
                code="wrong-length",
                column=column,
                key="length",
                found=str(self.length),
                remedy="correct the data, or leave out length to allow unequal ones",
            )
        return self.length


def _masked(value: str, size: int, padded: int | None) -> str:
    """Return the label of a value at a prefix length, which no value but its own decides."""
    if padded is not None:
        return value[:size].ljust(padded, MASK)
    return value[:size] + MASK if len(value) >= size else value
