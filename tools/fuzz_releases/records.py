"""Metrics of classes of records, of rows or of people: sets and dictionaries, and nothing else."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

MISSING = "(missing)"

Metrics = dict[str, float]


class Record(NamedTuple):
    """A row: whom it is about (itself without a person key), and what is asked of it.

    ``satisfied`` and ``damages`` have an entry for every statement; a damage of 0 says that the
    row does not protect it.
    """

    unit: Hashable
    values: Mapping[str, str]
    label: str | None
    satisfied: tuple[bool, ...]
    damages: tuple[float, ...]


Class = list[Record]


def people(records: Sequence[Record]) -> int:
    """Return how many units records are about."""
    return len({record.unit for record in records})


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """The metrics of kept classes, with the records that t and sf compare with, and those gone.

    With ``missing_counts`` missing is one more sensitive value.
    """

    sensitive: Sequence[str]
    missing_counts: bool
    kept: Sequence[Class]
    gone: Class
    reference: Class

    def metrics(self) -> Metrics:
        """Return everything that classes tell without their labels."""
        found: Metrics = {
            "k": min(map(people, self.kept)),
            "dm": sum(len(each) ** 2 for each in self.kept) + self._rows * len(self.gone),
            "c-avg": (self._rows - len(self.gone)) / len(self.kept) / min(map(len, self.kept)),
        }
        sizes = [size for _, size in self._worst(lambda group, _: people(group), least=True)]
        found["s-k"] = sum(sizes)
        found |= _spread(sizes)
        by_column = [self._of_values(name) for name in self.sensitive]
        for key in by_column[0] if by_column else ():
            found[key] = (max if key == "t" else min)(each[key] for each in by_column)
        found |= {f"s-l {name}": self._own_values(name) for name in self.sensitive}
        if self.reference and self.reference[0].satisfied:
            found["secure"] = float(not any(map(insecure, self.kept)))
            found["sf"] = self._sf()
        return found

    @property
    def _rows(self) -> int:
        return sum(map(len, self.kept)) + len(self.gone)

    def _of_values(self, name: str) -> Metrics:
        """Return the metrics of a sensitive column."""
        diverse = [self._diversity(each, name) for each in self.kept]
        whole = shares(self.reference, name)
        return {
            **{key: min(each[key] for each in diverse) for key in diverse[0]},
            "t": max(_distance(shares(each, name), whole) for each in self.kept),
        }

    def _own_values(self, name: str) -> float:
        def alike(group: Class, record: Record) -> int:
            return people([each for each in group if each.values[name] == record.values[name]])

        return sum(number for _, number in self._worst(alike, least=True))

    def _diversity(self, records: Class, name: str) -> Metrics:
        known = records
        if not self.missing_counts:
            known = [each for each in records if each.values[name] != MISSING]
        empty = ("distinct-l", "p-sensitive", "frequency-l", "entropy-l", "recursive-l(c=2)")
        if not known:
            return dict.fromkeys(empty, 0)
        holders: defaultdict[str, set[Hashable]] = defaultdict(set)
        for record in known:
            holders[record.values[name]].add(record.unit)
        most, everybody = max(map(len, holders.values())), people(known)
        values = 1 if most == everybody else len(holders)
        split = shares(records, name, normalized=False)
        parts = [split[value] for value in holders]
        total = math.fsum(parts)
        entropy = -math.fsum(p / total * math.log(p / total) for p in parts)
        ordered = sorted(parts, reverse=True)
        places = range(1, len(ordered) + 1)
        recursive = max((place for place in places if _exceeded(ordered, place)), default=0)
        found = (values, values, everybody / most, math.exp(entropy), recursive)
        return dict(zip(empty, found, strict=True))

    def _sf(self) -> float:
        priors = _told(self.reference)
        gains: dict[int, list[float]] = {}

        def risk(group: Class, record: Record) -> float:
            if id(group) not in gains:
                gains[id(group)] = [
                    _gain(own, prior) for own, prior in zip(_told(group), priors, strict=True)
                ]
            return math.fsum(
                damage * gain for damage, gain in zip(record.damages, gains[id(group)], strict=True)
            )

        risks = [worst for _, worst in self._worst(risk, least=False)]
        return max(0.0, 1 - math.fsum(risks) / len(risks))

    def _worst(self, value: object, *, least: bool) -> Iterator[tuple[Hashable, float]]:
        """Yield every unit with its least or greatest value; those gone are one class."""
        worst: dict[Hashable, float] = {}
        for group in (*self.kept, self.gone):
            for record in group:
                found = value(group, record)  # type: ignore[operator]
                before = worst.get(record.unit, found)
                worst[record.unit] = min(before, found) if least else max(before, found)
        yield from worst.items()


def weighted_k(classes: Sequence[Class]) -> float:
    """Return the mean over units of the size of the smallest class that they are in."""
    smallest: dict[Hashable, int] = {}
    for group in classes:
        size = people(group)
        for record in group:
            smallest[record.unit] = min(size, smallest.get(record.unit, size))
    return sum(smallest.values()) / len(smallest)


def misfits(records: Class) -> int:
    """Return the rows that do not have the most frequent label."""
    return len(records) - max(Counter(record.label for record in records).values())


def insecure(records: Class) -> bool:
    """Say whether all satisfy what somebody among them protects."""
    everybody = people(records)
    return any(
        share == 1 and any(record.damages[n] > 0 for record in records)
        for n, share in enumerate(_told(records))
        if everybody
    )


def shares(records: Class, name: str, *, normalized: bool = True) -> dict[str, float]:
    """Return what every value weighs: each unit 1, split over its different values."""
    own: defaultdict[Hashable, set[str]] = defaultdict(set)
    for record in records:
        own[record.unit].add(record.values[name])
    found: defaultdict[str, float] = defaultdict(float)
    # One division for all units with as many values keeps rounding out of ties.
    for many, values in Counter((len(v), value) for v in own.values() for value in v).items():
        found[many[1]] += values / many[0]
    return {v: n / len(own) for v, n in found.items()} if normalized else dict(found)


def _told(records: Class) -> list[float]:
    """Return of every statement the share of units that satisfy it."""
    return [
        people([record for record in records if record.satisfied[n]]) / people(records)
        for n in range(len(records[0].satisfied))
    ]


def _gain(share: float, prior: float) -> float:
    if share == 0 or not 0 < prior < 1:
        return 0.0
    return max(0.0, 1 - math.log(share) / math.log(prior))


def _distance(own: Mapping[str, float], whole: Mapping[str, float]) -> float:
    return math.fsum(abs(own.get(v, 0) - whole.get(v, 0)) for v in {*own, *whole}) / 2


def _exceeded(ordered: Sequence[float], place: int) -> bool:
    tail = math.fsum(ordered[place - 1 :])
    return ordered[0] < 2 * tail and not math.isclose(ordered[0], 2 * tail, rel_tol=1e-9)


def _spread(sizes: Sequence[float]) -> Metrics:
    """Return how unequal the sizes are that units see."""
    ordered = sorted(sizes)
    n, tenth = len(ordered), -(-len(ordered) // 10)
    pairs = sum((2 * place - n + 1) * size for place, size in enumerate(ordered))
    return {
        "class-size-quantile": ordered[-(-n // 2) - 1],
        "class-size-worst-tenth": sum(ordered[:tenth]) / tenth,
        "class-size-gini": pairs / (n * sum(ordered)),
    }
