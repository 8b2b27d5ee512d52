"""Hierarchies of two levels: the value itself and the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import located
from sfumato.hierarchies.builders.builder import check_list, domain_values
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Flat:
    """Every value is released as it is or as ``*``.

    >>> Flat().build(["Male", "Female"], column="sex").labels
    (('Female', 'Male'), ('*',))
    >>> Flat(values=["Male", "Female"]).build([], column="sex").labels
    (('Male', 'Female'), ('*',))
    """

    values: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.values is not None:
            check_list(self.values, setting="values", example="('yes', 'no')")
            object.__setattr__(self, "values", tuple(self.values))

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever values occur."""
        return self.values is not None

    @property
    def kind_is_declared(self) -> bool:
        """Whether the values are numbers, dates or categories whatever values occur."""
        return self.values is not None

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the declared values, or else of those that occur."""
        rows = [(value, TOP) for value in domain_values(self.values, values, column=column)]
        with located(column=column, key="values"):
            hierarchy = Hierarchy.from_rows(rows)
        check_covers(hierarchy, values, column=column, add_to="the declared values")
        return hierarchy
