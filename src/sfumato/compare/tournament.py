"""A tournament: several anonymizations, every two of them compared (Comparison §5.4).

Comparators of two vectors need not be transitive: by coverage A can beat B, B beat C and C beat
A. A ranking would hide that. Here members of a cycle share a place, and the cycle is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.vectors.common_refinement import Vectors
    from sfumato.compare.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place of the ranking and who shares it.

    ``groups`` are the anonymizations that no verdict puts in order, each alone unless it is in a
    cycle; different groups of one place do not beat each other.
    """

    place: int
    groups: tuple[tuple[str, ...], ...]

    @property
    def members(self) -> tuple[str, ...]:
        """Everyone on this place."""
        return tuple(name for group in self.groups for name in group)


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """The ranking of anonymizations under one comparator.

    Whoever is beaten by someone outside their own cycle has a later place than that one.
    ``cycles`` has for each group of more than one member a shortest round of victories: each
    beats the next, and the last the first. ``verdicts`` has the verdict of every two, the first
    of them given first.
    """

    comparator: str
    places: tuple[Place, ...]
    cycles: tuple[tuple[str, ...], ...]
    verdicts: Mapping[tuple[str, str], Verdict]

    @property
    def consistent(self) -> bool:
        """Whether the victories contain no cycle."""
        return not self.cycles

    def beats(self, first: str, second: str) -> bool:
        """Say whether one anonymization beat another."""
        if (first, second) in self.verdicts:
            return self.verdicts[first, second].outcome is Outcome.BETTER
        if (second, first) in self.verdicts:
            return self.verdicts[second, first].outcome is Outcome.WORSE
        entrants = tuple(dict.fromkeys(name for pair in self.verdicts for name in pair))
        absent = next((name for name in (first, second) if name not in entrants), first)
        raise SettingsError(
            f"{first!r} and {second!r} were not compared in the tournament",
            code="unknown-entrant",
            found=repr(absent),
            expected=entrants,
            suggestion=closest(absent, entrants),
        )


def tournament(entrants: Mapping[str, Vectors], comparator: Comparator) -> Tournament:
    """Compare every two of several anonymizations and rank them; cycles are reported.

    >>> from sfumato.compare.indices.coverage import Coverage
    >>> from sfumato.compare.vectors.property_vector import PropertyVector
    >>> vectors = {"A": [3, 2, 1], "B": [1, 3, 2], "C": [2, 1, 3], "D": [0, 0, 0]}
    >>> sizes = {n: PropertyVector.of_rows(v, name="class-size") for n, v in vectors.items()}
    >>> found = tournament(sizes, Coverage())
    >>> [place.members for place in found.places], found.cycles
    ([('A', 'B', 'C'), ('D',)], (('A', 'C', 'B'),))
    """
    names = list(entrants)
    if len(names) < 2:
        raise SettingsError(
            f"a tournament of {len(names)} cannot be held",
            code="too-few",
            found=str(len(names)),
            expected="at least two anonymizations",
        )
    verdicts: dict[tuple[str, str], Verdict] = {}
    beaten: dict[str, list[str]] = {name: [] for name in names}
    for position, first in enumerate(names):
        for second in names[position + 1 :]:
            verdict = comparator.compare(entrants[first], entrants[second])
            verdicts[first, second] = verdict
            if verdict.outcome is Outcome.BETTER:
                beaten[first].append(second)
            elif verdict.outcome is Outcome.WORSE:
                beaten[second].append(first)
    groups = components(beaten)
    order = {name: position for position, name in enumerate(names)}
    return Tournament(
        comparator=str(comparator),
        places=_places(groups, beaten, order),
        cycles=tuple(_round(group, beaten) for group in groups if len(group) > 1),
        verdicts=verdicts,
    )


def components(beaten: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected components of the victories, winners before losers.

    Kosaraju's algorithm: depth first along the victories, then against them in the order in
    which the first walk finished; no recursion, so that any number can take part.
    """
    losses: dict[str, list[str]] = {name: [] for name in beaten}
    for winner, losers in beaten.items():
        for loser in losers:
            losses[loser].append(winner)
    finished: list[str] = []
    seen: set[str] = set()
    for start in beaten:
        _walk(start, beaten, seen, finished)
    seen.clear()
    found = []
    for start in reversed(finished):
        group: list[str] = []
        _walk(start, losses, seen, group)
        if group:
            members = set(group)
            found.append(tuple(name for name in beaten if name in members))
    return found


def _walk(
    start: str, edges: Mapping[str, Sequence[str]], seen: set[str], finished: list[str]
) -> None:
    """Walk depth first from a start that was not seen, and append everyone when left for good."""
    if start in seen:
        return
    seen.add(start)
    path = [(start, iter(edges[start]))]
    while path:
        name, following = path[-1]
        onward = next((other for other in following if other not in seen), None)
        if onward is None:
            path.pop()
            finished.append(name)
        else:
            seen.add(onward)
            path.append((onward, iter(edges[onward])))


def _places(
    groups: Sequence[tuple[str, ...]],
    beaten: Mapping[str, Sequence[str]],
    order: Mapping[str, int],
) -> tuple[Place, ...]:
    """Put every group on the place after the last of those that beat one of it."""
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    level = [1] * len(groups)
    # Winners come before losers, so that a group's own level is final when it is reached.
    for number, group in enumerate(groups):
        for name in group:
            for loser in beaten[name]:
                if group_of[loser] != number:
                    level[group_of[loser]] = max(level[group_of[loser]], level[number] + 1)
    by_level: dict[int, list[tuple[str, ...]]] = {}
    for number, group in enumerate(groups):
        by_level.setdefault(level[number], []).append(group)
    return tuple(
        Place(place=place, groups=tuple(sorted(by_level[place], key=lambda g: order[g[0]])))
        for place in sorted(by_level)
    )


def _round(group: tuple[str, ...], beaten: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a shortest cycle of victories through the first of a group, breadth first."""
    start, inside = group[0], set(group)
    came_from: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for loser in beaten[name]:
            if loser == start:
                cycle = [name]
                while cycle[-1] != start:
                    cycle.append(came_from[cycle[-1]])
                return tuple(reversed(cycle))
            if loser in inside and loser not in came_from:
                came_from[loser] = name
                waiting.append(loser)
    raise AssertionError("a group of several members has a cycle through each of them")
