"""Labels read back: which values of a domain a text covers (docs/labels.md)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.domains.domain import MissingDomain, NumberDomain
from sfumato.hierarchies.domains.exact_number import grid_line, parse_number, whole_units
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain
from sfumato.microdata.output import Output
from sfumato.recoding.block_labels import interval_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.arrays import Codes

_LEVEL = re.compile(r"(?P<name>.*) \(level (?P<level>\d+)\)", re.DOTALL)
_ITEM = re.compile(r'"(?P<quoted>(?:[^"]|"")*)"|(?P<plain>[^,{}"]*)')


@dataclass(frozen=True, kw_only=True)
class ReadLabel:
    """What a label covers: the ``values`` of the domain, in its order.

    ``interval`` has the first and the last value where the label covers an unbroken part of an
    ordered domain, missing values apart; ``missing`` says that missing values are covered.
    """

    text: str
    values: tuple[str, ...]
    interval: tuple[str, str] | None
    missing: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelReader:
    """Reads the labels of one column, of a global or a local recoding.

    ``output`` says what the labels are, where it is known; labels name no block below the
    ``minimum_level``.
    """

    hierarchy: PartitionedDomain
    output: Output | None = None
    minimum_level: int = 0

    def read(self, text: str) -> ReadLabel:
        """Return what a label covers, or refuse a text that is not a label of the column."""
        leaves = self.leaves(text)
        if leaves is None:
            raise HierarchyError(
                f"the text {text!r} is not a label of the hierarchy, an interval, or a set of its "
                "values",
                code="unknown-label",
                found=repr(text),
                expected="a value, the name of a group, [low, high], [low, high), first to last, "
                "or {value, value}",
            )
        domain, missing = self.hierarchy.domain, self.hierarchy.missing_leaf
        known = leaves[leaves != missing] if missing is not None else leaves
        unbroken = known.size > 0 and int(known[-1] - known[0]) == known.size - 1
        ends = (domain.leaves[known[0]], domain.leaves[known[-1]]) if unbroken else None
        return ReadLabel(
            text=text,
            values=tuple(domain.leaves[leaf] for leaf in leaves.tolist()),
            interval=ends if domain.ordered else None,
            missing=bool(known.size < leaves.size),
        )

    def leaves(self, text: str) -> Codes | None:
        """Return the leaves that a text covers, ascending; None if it is not a label."""
        for attempt in (self._named, self._with_missing, self._of_level, self._set, self._span):
            found = attempt(text)
            if found is not None:
                return found
        return None

    @cached_property
    def _names(self) -> dict[str, dict[int, int]]:
        """The block of this name by the level that has one, those with the same leaves once."""
        hierarchy = self.hierarchy
        found: dict[str, dict[tuple[int, int], tuple[int, int]]] = {}
        for level in range(self.minimum_level, hierarchy.height + 1):
            starts, sizes = hierarchy.block_starts(level), hierarchy.block_sizes(level)
            for block, name in enumerate(hierarchy.labels[level]):
                leaves = int(starts[block]), int(sizes[block])
                found.setdefault(name, {}).setdefault(leaves, (level, block))
        return {name: dict(blocks.values()) for name, blocks in found.items()}

    def _named(self, text: str) -> Codes | None:
        """Return the leaves of a value or of a block by its name."""
        blocks = self._names.get(text, {})
        levels = tuple(blocks)
        if self.output in (Output.SET, Output.INTERVAL) and self.minimum_level in levels:
            levels = (self.minimum_level,)
        if len(levels) > 1:
            raise HierarchyError(
                f"the label {text!r} names different blocks, at the levels "
                f"{', '.join(map(str, levels))} of the hierarchy",
                code="ambiguous-label",
                found=repr(text),
                expected=f"the level too, like {f'{text} (level {levels[0]})'!r}",
            )
        if levels:
            return self._block(levels[0], blocks[levels[0]])
        if not self.minimum_level:
            leaf = int(self.hierarchy.locate([text])[0])
            if leaf >= 0:
                return sealed_codes(np.array([leaf]))
        if text == TOP:
            return sealed_codes(np.arange(self.hierarchy.leaf_count))
        return None

    def _block(self, level: int, block: int) -> Codes:
        return sealed_codes(np.flatnonzero(self.hierarchy.levels[level] == block))

    def _with_missing(self, text: str) -> Codes | None:
        """Return the leaves of "… or missing"."""
        domain = self.hierarchy.domain
        if not isinstance(domain, MissingDomain):
            return None
        known = text.removesuffix(f" or {domain.label}")
        leaves = None if known == text else self.leaves(known)
        if leaves is None:
            return None
        return sealed_codes(np.append(leaves, self.hierarchy.leaf_count - 1))

    def _of_level(self, text: str) -> Codes | None:
        """Return the leaves of a block whose level is named because its name is not enough."""
        match = _LEVEL.fullmatch(text)
        level = int(match["level"]) if match else -1
        if match is None or not self.minimum_level <= level <= self.hierarchy.height:
            return None
        names = self.hierarchy.labels[level]
        return self._block(level, names.index(match["name"])) if match["name"] in names else None

    def _set(self, text: str) -> Codes | None:
        """Return the leaves of {value, value}."""
        items = set_items(text)
        if items is None:
            return None
        as_set = LabelReader(
            hierarchy=self.hierarchy, output=Output.SET, minimum_level=self.minimum_level
        )
        found = [as_set._named(item) for item in items]
        parts = [leaves for leaves in found if leaves is not None]
        return sealed_codes(np.unique(np.concatenate(parts))) if len(parts) == len(found) else None

    def _span(self, text: str) -> Codes | None:
        """Return the leaves from one value to another: [low, high], [low, high), first to last."""
        if not self.hierarchy.domain.ordered:
            return None
        if text.startswith("[") and text.endswith(("]", ")")):
            known = self._known
            if isinstance(known, NumberDomain):
                leaves = _numbers(known, text)
                return self._between_blocks(text) if leaves is None else leaves
            if text.endswith("]"):
                return self._from_to(text[1:-1], ", ")
        return self._from_to(text, " to ")

    def _between_blocks(self, text: str) -> Codes | None:
        """Return the leaves from one block of a level to another, by the ends of their names.

        The outermost blocks may reach beyond the values of the domain.
        """
        hierarchy = self.hierarchy
        for level in range(max(1, self.minimum_level), hierarchy.height):
            names = hierarchy.labels[level]
            for block, first in enumerate(names):
                if first.split(", ")[0] != text.split(", ")[0]:
                    continue
                for other, last in enumerate(names[block:], start=block):
                    if interval_between(first, last) == text:
                        of_leaf = hierarchy.levels[level]
                        return sealed_codes(np.flatnonzero((of_leaf >= block) & (of_leaf <= other)))
        return None

    @property
    def _known(self) -> object:
        domain = self.hierarchy.domain
        return domain.known if isinstance(domain, MissingDomain) else domain

    def _from_to(self, text: str, between: str) -> Codes | None:
        for low, high in _splits(text, between):
            first, last = self._named(low), self._named(high)
            if first is not None and last is not None and first[0] <= last[-1]:
                return sealed_codes(np.arange(first[0], last[-1] + 1))
        return None


def read_label(
    text: str,
    hierarchy: PartitionedDomain,
    *,
    output: Output | str | None = None,
    minimum_level: int = 0,
) -> ReadLabel:
    """Return what a label of a released column covers.

    ``output`` is the kind of labels that the certificate or the codebook of a local recoding
    names; without it a name that several levels have for different blocks is refused.

    >>> from sfumato.hierarchies.builders.intervals import Intervals
    >>> age = Intervals(low=17, high=90, widths=(10,)).build([], column="age")
    >>> read_label("[17, 19]", age).values
    ('17', '18', '19')
    >>> read_label("[20, 30)", age).interval
    ('20', '29')
    """
    try:
        kind = None if output is None else Output(output)
    except ValueError:
        raise SettingsError.unknown_choice("output", output, Output) from None
    return LabelReader(hierarchy=hierarchy, output=kind, minimum_level=minimum_level).read(text)


def read_leaves(hierarchy: PartitionedDomain, texts: Iterable[str]) -> dict[str, Codes]:
    """Return the leaves of the texts that can be read and mean one thing only."""
    reader = LabelReader(hierarchy=hierarchy)
    found = {}
    for text in texts:
        with suppress(HierarchyError):
            leaves = reader.leaves(text)
            if leaves is not None:
                found[text] = leaves
    return found


def set_items(text: str) -> list[str] | None:
    """Return the values that a label in braces lists; None if it is not such a label.

    >>> set_items('{Bonn, "Frankfurt, Main"}'), set_items("Bonn"), set_items("{a, {b}}")
    (['Bonn', 'Frankfurt, Main'], None, None)
    """
    if not (text.startswith("{") and text.endswith("}")):
        return None
    items, position, end = [], 1, len(text) - 1
    while True:
        match = _ITEM.match(text, position, end)
        assert match is not None, "nothing matches as well"
        quoted = match["quoted"]
        if quoted is None and not match["plain"]:
            return None
        items.append(match["plain"] if quoted is None else quoted.replace('""', '"'))
        position = match.end()
        if position == end:
            return items
        if not text.startswith(", ", position, end):
            return None
        position += 2


def _splits(text: str, between: str) -> Iterator[tuple[str, str]]:
    at = text.find(between)
    while at >= 0:
        yield text[:at], text[at + len(between) :]
        at = text.find(between, at + 1)


def _numbers(domain: NumberDomain, text: str) -> Codes | None:
    """Return the leaves of an interval of numbers whose ends lie on the grid of the domain."""
    ends = [parse_number(part) for part in text[1:-1].split(", ")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    lines = []
    for end in ends:
        assert end is not None
        line = whole_units(end, origin=domain.exact_low, unit=domain.exact_unit)
        if grid_line(line, origin=domain.exact_low, unit=domain.exact_unit) != end:
            return None
        lines.append(line)
    first, after = lines
    if text.endswith("]") and domain.whole:
        after += 1
    elif text.endswith("]") != (domain.closed and after == domain.count):
        return None
    return sealed_codes(np.arange(first, after)) if 0 <= first < after <= domain.count else None
