"""Quasi-identifiers of drawn studies, and what their labels cover by rules of their own.

Only `hierarchy` speaks to sfumato. Domains and labels are read anew here, from what the pages say.
"""

from __future__ import annotations

import calendar
import datetime
import itertools
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

MISSING = "(missing)"
TOP = "*"
"""The label of everything, missing values included."""
_SUFFIX = re.compile(r"(.*) \((?:level|block|label) \d+\)", re.DOTALL)
_ITEM = re.compile(r'"((?:[^"]|"")*)"|([^,{}"]*)')
_PERIOD = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?|(\d{4})-Q([1-4])|(\d{3}0)s")

Leaf = int | str | None
"""A unit of numbers or dates, a category, or None for what is missing."""


@dataclass(frozen=True, kw_only=True)
class DrawnColumn(ABC):
    """A quasi-identifier: how its hierarchy is built, and what a label of it covers."""

    name: str
    declared: bool
    output: str | None = None
    minimum_level: int = 0

    @abstractmethod
    def hierarchy(self) -> object:
        """Return what the study is given."""

    @abstractmethod
    def leaf(self, value: str) -> Leaf:
        """Return the leaf of a value."""

    @abstractmethod
    def domain(self, values: Collection[str]) -> list[Leaf]:
        """Return the leaves, missing values apart; ``values`` are those that occur."""

    @abstractmethod
    def known_covers(self, label: str, domain: Sequence[Leaf]) -> Iterator[frozenset[Leaf]]:
        """Yield what a label can mean, missing values apart."""

    @abstractmethod
    def block(self, value: str) -> object:
        """Return what all values of a block of level 1 have in common."""

    def covers(self, label: str, values: Collection[str], *, missing: bool) -> set[frozenset[Leaf]]:
        """Return what a label can mean; ``missing`` says that the domain has missing values."""
        domain = self.domain(values)
        gap: frozenset[Leaf] = frozenset({None})
        everything = frozenset(domain) | (gap if missing else frozenset())
        found: set[frozenset[Leaf]] = set()
        texts = [label]
        match = _SUFFIX.fullmatch(label)
        if match:
            texts.append(match[1])
        for text in texts:
            if text == MISSING:
                found.add(gap)
            if text == TOP:
                found.add(everything)
            if text.endswith(f" or {MISSING}"):
                known = text.removesuffix(f" or {MISSING}")
                found |= {each | gap for each in self.known_covers(known, domain)}
                if known == "any value":
                    found.add(everything)
            if text == "any value":
                found.add(frozenset(domain))
            if text != TOP or text in domain:
                found |= set(self.known_covers(text, domain))
        return found


@dataclass(frozen=True, kw_only=True)
class NumberColumn(DrawnColumn):
    """Numbers in units, with intervals."""

    unit: Decimal
    widths: tuple[Decimal, ...]
    low: Decimal | None
    high: Decimal | None
    fractional: bool

    def hierarchy(self) -> object:
        """Return the builder."""
        return sf.Intervals(
            widths=tuple(map(str, self.widths)),
            unit=str(self.unit),
            low=None if self.low is None else str(self.low),
            high=None if self.high is None else str(self.high),
            fractional=self.fractional,
        )

    @property
    def whole(self) -> bool:
        """Whether leaves are whole numbers."""
        return self.unit == 1 and not self.fractional

    def _line(self, number: Decimal) -> int:
        return int((number / self.unit).to_integral_value(ROUND_FLOOR))

    @property
    def _closed(self) -> bool:
        return not self.whole and self.high is not None and self.high % self.unit == 0

    def leaf(self, value: str) -> Leaf:
        """Return the number of its unit."""
        number = Decimal(value)
        if self._closed and number == self.high:
            return self._line(number) - 1
        return self._line(number)

    def block(self, value: str) -> object:
        """Return the number of the interval of the first width."""
        leaf = self.leaf(value)
        assert isinstance(leaf, int)
        return (leaf * self.unit / self.widths[0]).to_integral_value(ROUND_FLOOR)

    def domain(self, values: Collection[str]) -> list[Leaf]:
        """Return all units from the least to the greatest."""
        numbers = list(map(Decimal, values))
        low = self._line(min(numbers) if self.low is None else self.low)
        high = self._line(max(numbers) if self.high is None else self.high)
        if self._closed:
            high -= 1
            low = min(low, high)
        return list(range(low, high + 1))

    def known_covers(self, label: str, domain: Sequence[Leaf]) -> Iterator[frozenset[Leaf]]:
        """Yield the units of an interval."""
        inside = range(int(domain[0] or 0), int(domain[-1] or 0) + 1)
        span: range | None = None
        try:
            if label.startswith("{") and label.endswith("}"):
                yield from self._listed(label, inside)
                return
            if label.startswith("[") and label[-1] in "])":
                low, high = map(Decimal, label[1:-1].split(", "))
                end = self._line(high) + (1 if label[-1] == "]" and self.whole else 0)
                span = range(self._line(low), end)
            elif label.startswith("under "):
                span = range(inside.start, self._line(Decimal(label.removeprefix("under "))))
            elif label.endswith(" and over"):
                span = range(self._line(Decimal(label.removesuffix(" and over"))), inside.stop)
            else:
                number = self.leaf(label)
                assert isinstance(number, int)
                span = range(number, number + 1)
        except (ValueError, ArithmeticError):
            return
        yield frozenset(each for each in span if each in inside)

    def _listed(self, label: str, inside: range) -> Iterator[frozenset[Leaf]]:
        """Yield a set of leaves, which may be intervals themselves."""
        covered: set[Leaf] = set()
        for item in set_items(label) or ():
            if item == MISSING:
                covered.add(None)
                continue
            if not item.startswith("["):
                covered.add(self.leaf(item))
                continue
            low, high = (self._line(Decimal(part)) for part in item[1:-1].split(", "))
            covered |= {each for each in range(low, high) if each in inside}
        yield frozenset(covered)


@dataclass(frozen=True, kw_only=True)
class DateColumn(DrawnColumn):
    """Days or months, with periods."""

    levels: tuple[str, ...]
    first: str | None
    last: str | None

    def hierarchy(self) -> object:
        """Return the builder."""
        return sf.Dates(levels=self.levels, first=self.first, last=self.last)  # type: ignore[arg-type]

    def _number(self, day: datetime.date) -> int:
        return day.toordinal() if self.levels[0] == "day" else day.year * 12 + day.month - 1

    def leaf(self, value: str) -> Leaf:
        """Return the number of the day or month."""
        return self._number(datetime.date.fromisoformat(value))

    def block(self, value: str) -> object:
        """Return the period of the second level."""
        day = datetime.date.fromisoformat(value)
        return {
            "month": (day.year, day.month),
            "quarter": (day.year, (day.month + 2) // 3),
            "year": day.year,
            "decade": day.year // 10,
        }[self.levels[1]]

    def domain(self, values: Collection[str]) -> list[Leaf]:
        """Return all days or months from the first to the last."""
        days = list(map(datetime.date.fromisoformat, values))
        first = min(days) if self.first is None else datetime.date.fromisoformat(self.first)
        last = max(days) if self.last is None else datetime.date.fromisoformat(self.last)
        return list(range(self._number(first), self._number(last) + 1))

    def known_covers(self, label: str, domain: Sequence[Leaf]) -> Iterator[frozenset[Leaf]]:
        """Yield the days or months of a period, or between two."""
        inside = range(int(domain[0] or 0), int(domain[-1] or 0) + 1)
        if label.startswith("{") and label.endswith("}"):
            parts = [self._period(item) for item in set_items(label) or () if item != MISSING]
            gap = {None} if MISSING in (set_items(label) or ()) else set()
            if all(parts):
                yield frozenset({e for p in parts if p for e in p if e in inside} | gap)
            return
        span = self._period(label)
        if " to " in label:
            begin, end = map(self._period, label.split(" to ", 1))
            span = range(begin.start, end.stop) if begin and end else None
        elif label.startswith("before "):
            period = self._period(label.removeprefix("before "))
            span = range(inside.start, period.start) if period else None
        elif label.startswith("from ") and label.endswith(" on"):
            period = self._period(label[5:-3])
            span = range(period.start, inside.stop) if period else None
        if span is not None:
            yield frozenset(each for each in span if each in inside)

    def _period(self, text: str) -> range | None:
        match = _PERIOD.fullmatch(text)
        if match is None:
            return None
        year, month, day, of_quarter, quarter, decade = match.groups()
        if decade:
            begin, end = (int(decade), 1), (int(decade) + 9, 12)
        elif quarter:
            begin, end = (
                (int(of_quarter), int(quarter) * 3 - 2),
                (int(of_quarter), int(quarter) * 3),
            )
        else:
            begin = (int(year), int(month or 1))
            end = (int(year), int(month or 12))
        first = datetime.date(*begin, int(day or 1))
        last = datetime.date(*end, int(day) if day else calendar.monthrange(*end)[1])
        return range(self._number(first), self._number(last) + 1)


@dataclass(frozen=True, kw_only=True)
class CategoryColumn(DrawnColumn):
    """Texts, with the groups that they are in, level by level, or prefixes of them.

    ``paths`` has the groups of every value of a declared tree; ``prefixes`` the lengths that are
    kept, None for all, of codes of ``length`` or of any.
    """

    kind: str
    values: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...] = ()
    keep: tuple[int, ...] | None = None
    length: int | None = None

    def hierarchy(self) -> object:
        """Return the builder, or the hierarchy of a file."""
        declared = self.values if self.declared else None
        if self.kind == "prefix":
            return sf.Prefixes(length=self.length, keep=self.keep, values=declared)
        if self.kind == "tree":
            rows = [
                (value, *path, "*") for value, path in zip(self.values, self.paths, strict=True)
            ]
            return sf.Hierarchy.from_rows(rows, name=self.name)
        if self.kind == "groups":
            groups: dict[str, list[str]] = {}
            for value, (group,) in zip(self.values, self.paths, strict=True):
                groups.setdefault(group, []).append(value)
            return sf.Groups(levels=(groups,))
        return sf.Flat(values=declared)

    def leaf(self, value: str) -> Leaf:
        """Return the text itself."""
        return value

    def block(self, value: str) -> object:
        """Return the group of a value."""
        return self.paths[self.values.index(value)][0]

    def domain(self, values: Collection[str]) -> list[Leaf]:
        """Return the declared values, or those that occur."""
        return [*self.values] if self.declared else [*sorted(set(values))]

    def _groups(self, domain: Sequence[Leaf]) -> dict[str, set[frozenset[Leaf]]]:
        """Return the blocks of all levels by their names."""
        named: dict[str, set[frozenset[Leaf]]] = {}
        texts = [str(leaf) for leaf in domain]
        levels: list[dict[str, str]] = [{text: text for text in texts}]
        if self.paths:
            path_of = dict(zip(self.values, self.paths, strict=True))
            levels += [{t: path_of[t][n] for t in texts} for n in range(len(self.paths[0]))]
        if self.kind == "prefix":
            longest = max(map(len, texts))
            padded = self.declared or self.length is not None
            for size in self.keep or range(longest - 1, 0, -1):
                levels.append(
                    {
                        t: t[:size].ljust(longest, "*")
                        if padded
                        else (t[:size] + "*" if len(t) >= size else t)
                        for t in texts
                    }
                )
        for level in levels:
            ordered = sorted(level.items(), key=lambda pair: pair[1])
            for name, members in itertools.groupby(ordered, key=lambda pair: pair[1]):
                named.setdefault(name, set()).add(frozenset(text for text, _ in members))
        return named

    def known_covers(self, label: str, domain: Sequence[Leaf]) -> Iterator[frozenset[Leaf]]:
        """Yield the blocks of a name, the members of a set, and what lies between two numbers."""
        named = self._groups(domain)
        yield from named.get(label, ())
        items = set_items(label)
        if items is not None and all(i in named or i == MISSING for i in items):
            sets = [named.get(item, {frozenset({None})}) for item in items]
            for chosen in itertools.islice(itertools.product(*sets), 64):
                yield frozenset().union(*chosen)
        if label.startswith("{") and " values}" in label:
            yield frozenset(domain)
        if label.startswith("[") and label.endswith("]"):
            try:
                low, high = map(Decimal, label[1:-1].split(", "))
                yield frozenset(each for each in domain if low <= Decimal(str(each)) <= high)
            except (ValueError, ArithmeticError):
                return


def set_items(text: str) -> list[str] | None:
    """Return the members of ``{a, "b, c"}``, None if the text is no such set."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    items, position, end = [], 1, len(text) - 1
    while True:
        match = _ITEM.match(text, position, end)
        assert match is not None
        items.append(match[2] if match[1] is None else match[1].replace('""', '"'))
        position = match.end()
        if position == end:
            return items
        if not text.startswith(", ", position, end):
            return None
        position += 2
