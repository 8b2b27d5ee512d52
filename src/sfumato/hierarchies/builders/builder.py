"""What every builder of hierarchies offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from sfumato.errors import HierarchyError, SettingsError
from sfumato.errors.hint import Hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


class HierarchyBuilder(Protocol):
    """Builds the hierarchy, or the admissible partitions, of a column from a few settings.

    The domain is the declared one, or else that of the values that occur; a value outside a
    declared domain is an error.
    """

    def build(self, values: Sequence[str], *, column: str) -> PartitionedDomain:
        """Return the partitions of a column; ``values`` are its distinct texts, none missing."""


def domain_is_declared(hierarchy: PartitionedDomain | HierarchyBuilder | None) -> bool:
    """Say whether the values of a domain are the same whatever values occur."""
    return bool(getattr(hierarchy, "domain_is_declared", True))


def levels_are_declared(hierarchy: PartitionedDomain | HierarchyBuilder | None) -> bool:
    """Say whether a hierarchy has the same levels whatever values occur."""
    return bool(getattr(hierarchy, "levels_are_declared", True))


def kind_is_declared(hierarchy: PartitionedDomain | HierarchyBuilder | None) -> bool:
    """Say whether values are numbers, dates or categories whatever values occur."""
    return bool(getattr(hierarchy, "kind_is_declared", True))


def domain_values(
    declared: Sequence[str] | None, values: Sequence[str], *, column: str
) -> Sequence[str]:
    """Return the declared values, or else those that occur, sorted.

    >>> domain_values(None, ["b", "a"], column="letter")
    ['a', 'b']
    """
    chosen = declared if declared is not None else sorted(set(values))
    if not chosen:
        raise HierarchyError(
            "there are no values to build a hierarchy of",
            code="no-values",
            column=column,
            remedy=Hint(
                python="declare values=(…)",
                file="list the values in the hierarchy",
            ),
        )
    return chosen


def check_list(given: object, *, setting: str, example: str) -> None:
    """Refuse what is not a list: a bare text would be taken letter by letter.

    >>> check_list("day", setting="levels", example="('day', 'year')")
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: levels is 'day'; it must be a list like ('day', 'year')
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise SettingsError.wrong_setting(
            setting, given, f"a list like {example}", code="not-a-list"
        )
