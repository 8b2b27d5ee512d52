"""Fronts of small tables straight from the definitions and the rows.

What every exact search must find. Shares no code with the package: classes by dictionary,
thresholds by trying them all, dominance by comparing all pairs.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.measures.naive import NaiveTable

HIGHER = {"k", "distinct-l", "s-k", "s-l", "weighted-k"}


@dataclass(frozen=True, order=True)
class Point:
    """A candidate: its levels, the smallest kept size, the suppressed rows, its metrics."""

    levels: tuple[int, ...]
    threshold: int
    suppressed: int
    values: tuple[float, ...]


def thresholds(sizes: Sequence[int], budget: int, *, every: bool) -> list[int]:
    """The smallest kept sizes that the limit allows."""
    possible = [
        size
        for size in sorted(set(sizes))
        if sum(other for other in sizes if other < size) <= budget
    ]
    return possible if every else possible[-1:]


Classes = dict[tuple[str, ...], Counter[str]]


def metric(
    name: str, table: NaiveTable, levels: Sequence[int], classes: Classes, threshold: int
) -> float:
    kept = {key: c for key, c in classes.items() if c.total() >= threshold}
    gone = [c for key, c in classes.items() if key not in kept]
    suppressed = sum(c.total() for c in gone)
    if name == "k":
        return min(c.total() for c in kept.values())
    if name == "distinct-l":
        return min(len(c) for c in kept.values())
    if name == "s-k":
        return sum(c.total() ** 2 for c in kept.values()) + suppressed**2
    if name == "s-l":
        together: Counter[str] = sum(gone, Counter())
        own = sum(n * n for c in kept.values() for n in c.values())
        return own + sum(n * n for n in together.values())
    if name == "weighted-k":
        return sum(c.total() ** 2 for c in classes.values()) / len(table.rows)
    assert name == "loss"
    loss = 0.0
    for q, identifier in enumerate(table.identifiers):
        labels = list(identifier.levels[levels[q]].values())
        width = max(1, len(identifier.domain) - 1)
        extent = sum(c.total() * (labels.count(key[q]) - 1) for key, c in kept.items())
        loss += float(identifier.weight) * ((extent + suppressed * width) / width)
    return loss


def all_points(
    table: NaiveTable, objectives: Sequence[str], *, budget: int, every: bool
) -> Iterator[Point]:
    """Every candidate of the whole lattice."""
    for levels in itertools.product(*(range(len(q.levels)) for q in table.identifiers)):
        classes: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for row in table.rows:
            key = tuple(
                q.levels[level][row[q.name]]
                for q, level in zip(table.identifiers, levels, strict=True)
            )
            classes[key][row[table.sensitive[0].name]] += 1
        sizes = [c.total() for c in classes.values()]
        for threshold in thresholds(sizes, budget, every=every):
            values = tuple(metric(name, table, levels, classes, threshold) for name in objectives)
            suppressed = sum(size for size in sizes if size < threshold)
            yield Point(levels, threshold, suppressed, values)


def best(points: Sequence[Point], objectives: Sequence[str]) -> list[Point]:
    """The points that no other one dominates, comparing all pairs."""
    signs = [-1 if name in HIGHER else 1 for name in objectives]

    def dominates(a: Point, b: Point) -> bool:
        pairs = [(s * x, s * y) for s, x, y in zip(signs, a.values, b.values, strict=True)]
        return all(x <= y for x, y in pairs) and any(x < y for x, y in pairs)

    return sorted(b for b in points if not any(dominates(a, b) for a in points))


def levels_of(named: Mapping[str, int], table: NaiveTable) -> tuple[int, ...]:
    return tuple(named[q.name] for q in table.identifiers)
