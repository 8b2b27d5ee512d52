"""Whether a hierarchy holds every value of its column, and a hint where it does not."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, joined, listed
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.domains.date_domain import DateDomain
from sfumato.hierarchies.domains.domain import MissingDomain
from sfumato.hierarchies.domains.exact_number import is_whole, parse_number, tidy_number
from sfumato.hierarchies.domains.number_domain import NumberDomain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

MOST_SHOWN = 10
MOST_COMPARED = 2_000
"""Spellings are compared with at most this many leaves; the search is slow on more."""


def check_covers(
    hierarchy: PartitionedDomain, values: Sequence[str], *, column: str, add_to: str
) -> None:
    """Refuse values that are not in a hierarchy; ``add_to`` says where they could be added.

    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> sex = Hierarchy.from_rows([("Male", "*"), ("Female", "*")], name="sex.csv")
    >>> check_covers(sex, ["Male", "female"], column="sex", add_to="sex.csv")
    Traceback (most recent call last):
    ...
    sfumato.errors.HierarchyError: column 'sex' has 1 value that is not in its hierarchy: \
'female' ('Female' in other case?); add it to sex.csv, or correct it in the data
    """
    codes = hierarchy.locate(values)
    lacking = [value for value, code in zip(values, codes.tolist(), strict=True) if code < 0]
    if not lacking:
        return
    hints = Hints(hierarchy.domain)
    shown = [f"{value!r}{hints.about(value)}" for value in lacking[:MOST_SHOWN]]
    are, them = ("is", "it") if len(lacking) == 1 else ("are", "them")
    raise HierarchyError(
        f"column {column!r} has {counted(len(lacking), 'value')} that {are} not in its hierarchy: "
        f"{joined(shown, total=len(lacking))}",
        code="value-not-in-hierarchy",
        column=column,
        remedy=f"add {them} to {add_to}, or correct {them} in the data",
    )


class Hints:
    """What may have gone wrong with a value that is not in a domain."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain.known if isinstance(domain, MissingDomain) else domain
        self._leaves = self._domain.leaves

    def about(self, value: str) -> str:
        """Return a remark in brackets, empty if nothing comes to mind."""
        remark = self._remark(value)
        return f" ({remark})" if remark else ""

    @cached_property
    def _plain(self) -> dict[str, str]:
        return {_plain(leaf): leaf for leaf in self._leaves}

    @cached_property
    def _numbers(self) -> dict[Decimal, str]:
        parsed = ((parse_number(leaf), leaf) for leaf in self._leaves)
        return {number: leaf for number, leaf in parsed if number is not None}

    def _remark(self, value: str) -> str:
        if isinstance(self._domain, NumberDomain):
            return _number_remark(self._domain, value)
        if isinstance(self._domain, DateDomain):
            return _date_remark(self._domain, value)
        leaf = self._plain.get(_plain(value))
        if leaf is not None:
            if leaf.strip() == value.strip():
                return f"{leaf!r} with other blanks?"
            return f"{leaf!r} in other case?"
        number = parse_number(value)
        if number is not None and number in self._numbers:
            return f"{self._numbers[number]!r} in other digits?"
        if len(self._leaves) <= MOST_COMPARED:
            close = closest(value, self._leaves, cutoff=0.75)
            return f"{close!r} misspelt?" if close is not None else ""
        return ""


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _number_remark(domain: NumberDomain, value: str) -> str:
    number = domain.style.parse(value)
    if number is None:
        return "not a number"
    if domain.whole and not is_whole(number) and domain.exact_low <= number < domain.exact_high:
        return "not whole; fractional = true or a finer unit would take it"
    last = domain.leaves[-1] if domain.whole else tidy_number(domain.exact_high)
    return f"outside {tidy_number(domain.exact_low)} to {last}"


def _date_remark(domain: DateDomain, value: str) -> str:
    if domain.reads(value):
        return f"outside {domain.leaves[0]} to {domain.leaves[-1]}"
    if domain.format is None:
        return "not an ISO date"
    formats = (domain.format,) if isinstance(domain.format, str) else domain.format
    return f"not a date as {listed(formats)}"
