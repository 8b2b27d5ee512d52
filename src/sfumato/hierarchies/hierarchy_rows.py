"""From rows "value, level 1, …, top" to ordered leaves, codes and labels."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sfumato.arrays import Codes, sealed_codes
from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, joined, listed
from sfumato.hierarchies.domains.natural_order import natural_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class ArrangedRows:
    """The rows of a hierarchy, checked and put in the order of the leaves."""

    ordered: bool
    levels: tuple[Codes, ...]
    labels: tuple[tuple[str, ...], ...]


def arrange_rows(
    rows: Sequence[Sequence[str]],
    *,
    name: str | None = None,
    line_numbers: Sequence[int] | None = None,
) -> ArrangedRows:
    """Check the rows of a hierarchy and put them in the order of its leaves.

    Numbers and ISO dates come in natural order if that keeps every block together; all else in
    preorder of the tree, children in order of first appearance. Errors say ``name`` as the
    file, and the number of the row, or of the line where ``line_numbers`` are given.

    >>> arranged = arrange_rows([("b", "x", "*"), ("c", "y", "*"), ("a", "x", "*")], name="demo")
    >>> arranged.labels
    (('b', 'a', 'c'), ('x', 'y'), ('*',))
    >>> arranged.levels[1]
    array([0, 0, 1], dtype=int32)
    """
    places = _Places(name=name, line_numbers=line_numbers)
    _check_shape(rows, places)
    columns = list(zip(*rows, strict=True))
    _check_placed_once(columns[0], places)
    names: list[list[str]] = []
    codes: list[Codes] = []
    for column in columns:
        position: dict[str, int] = {}
        found = [position.setdefault(label, len(position)) for label in column]
        names.append(list(position))
        codes.append(np.array(found, dtype=np.int32))
    _check_never_splits(names, codes, places)
    _check_one_top(columns[-1], places)

    order = _natural_order(columns[0], codes)
    ordered = order is not None
    if order is None:
        order = np.lexsort(codes)
    levels: list[Codes] = []
    labels: list[tuple[str, ...]] = []
    for label_of, code in zip(names, codes, strict=True):
        arranged = code[order]
        starts = np.flatnonzero(np.diff(arranged, prepend=-1))
        begins = np.zeros(len(arranged), dtype=np.int32)
        begins[starts[1:]] = 1
        levels.append(sealed_codes(np.cumsum(begins)))
        labels.append(tuple(label_of[block] for block in arranged[starts].tolist()))
    return ArrangedRows(ordered=ordered, levels=tuple(levels), labels=tuple(labels))


@dataclass(frozen=True, kw_only=True)
class _Places:
    """How an error says where something stands."""

    name: str | None
    line_numbers: Sequence[int] | None

    def line(self, row: int) -> int | None:
        return None if self.line_numbers is None else self.line_numbers[row]

    @property
    def noun(self) -> str:
        return "row" if self.line_numbers is None else "line"

    def number(self, row: int) -> int:
        return row + 1 if self.line_numbers is None else self.line_numbers[row]

    def at(self, rows: Sequence[int]) -> str:
        shown = " and ".join(f"{self.number(row):,}" for row in rows)
        return f"{self.noun}{'s' if len(rows) > 1 else ''} {shown}"


def _check_shape(rows: Sequence[Sequence[str]], places: _Places) -> None:
    if not rows:
        raise HierarchyError(
            "the hierarchy is empty",
            code="no-values",
            file=places.name,
            expected="at least one row: value, level 1, …, top",
        )
    columns = len(rows[0])
    if not columns:
        raise HierarchyError(
            "the first row has no columns",
            code="no-columns",
            file=places.name,
            line=places.line(0),
            expected="value, level 1, …, top",
        )
    ragged = [row for row, cells in enumerate(rows) if len(cells) != columns]
    if ragged:
        shown = [
            f"{places.at([row])} ({next(iter(rows[row]), '')!r}) has {len(rows[row])}"
            for row in ragged[:MOST_SHOWN]
        ]
        raise HierarchyError(
            f"rows have different numbers of columns: {joined(shown, total=len(ragged))}",
            code="ragged-rows",
            file=places.name,
            line=places.line(ragged[0]),
            found=str(len(rows[ragged[0]])),
            expected=f"{columns}, as the first row has",
            remedy="repeat a label where a branch is shorter than the others",
        )


def _check_placed_once(values: Sequence[str], places: _Places) -> None:
    if len(set(values)) == len(values):
        return
    found: defaultdict[str, list[int]] = defaultdict(list)
    for row, value in enumerate(values):
        found[value].append(row)
    twice = {value: rows for value, rows in found.items() if len(rows) > 1}
    shown = [f"{value!r} ({places.at(rows)})" for value, rows in islice(twice.items(), MOST_SHOWN)]
    raise HierarchyError(
        f"{counted(len(twice), 'value')} came more than once: {joined(shown, total=len(twice))}",
        code="duplicate",
        file=places.name,
        line=places.line(next(iter(twice.values()))[1]),
        found=listed(twice),
        remedy="keep one row for each",
    )


def _check_never_splits(
    names: Sequence[Sequence[str]], codes: Sequence[Codes], places: _Places
) -> None:
    splits: dict[tuple[int, str], str] = {}
    first_row = -1
    for level in range(len(codes) - 1):
        fine, coarse = codes[level], codes[level + 1]
        _, first_rows = np.unique(fine, return_index=True)
        for row in np.flatnonzero(coarse != coarse[first_rows][fine]).tolist():
            first_row = row if first_row < 0 else first_row
            label = names[level][fine[row]]
            first = int(first_rows[fine[row]])
            splits.setdefault(
                (level, label),
                f"{label!r} of level {level} is under {names[level + 1][coarse[first]]!r} "
                f"({places.at([first])}) and under {names[level + 1][coarse[row]]!r} "
                f"({places.at([row])})",
            )
    if splits:
        shown = joined(list(islice(splits.values(), MOST_SHOWN)), total=len(splits), separator="; ")
        raise HierarchyError(
            f"{counted(len(splits), 'label has', 'labels have')} more than one parent: {shown}",
            code="level-splits",
            file=places.name,
            line=places.line(first_row),
            found=listed([label for _, label in splits]),
            remedy="give the parts different labels, or one parent",
        )


def _check_one_top(tops: Sequence[str], places: _Places) -> None:
    rows_of: dict[str, list[int]] = {}
    for row, top in enumerate(tops):
        rows_of.setdefault(top, []).append(row)
    if len(rows_of) > 1:
        header = len(rows_of) == 2 and rows_of[tops[0]] == [0] and len(tops) > 2
        remedy = (
            f"{places.at([0])} alone has {tops[0]!r}: if it is a header, remove it"
            if header
            else "add a last column with the same label, like '*', in every row"
        )
        raise HierarchyError(
            f"the last level has {counted(len(rows_of), 'label')}: {listed(rows_of)}",
            code="several-tops",
            file=places.name,
            line=places.line(0) if header else None,
            found=listed(rows_of),
            expected="one label",
            remedy=remedy,
        )
    if tops[0] == "" and len(tops) > 1:
        raise HierarchyError(
            "the last column is empty in every row",
            code="empty-top",
            file=places.name,
            remedy="remove the delimiter at the end of the lines, or name the top, like '*'",
        )


def _natural_order(values: Sequence[str], codes: Sequence[Codes]) -> NDArray[np.intp] | None:
    """Return the order of numbers or ISO dates, None if it does not exist or tears a block."""
    order = natural_order(values)
    if order is None:
        return None
    blocks_stay_whole = all(np.count_nonzero(np.diff(code[order])) == code.max() for code in codes)
    return order if blocks_stay_whole else None
