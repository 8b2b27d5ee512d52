"""Metrics of people by their definitions: Python sets of people, one class at a time."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Row(NamedTuple):
    """A row: its cell as texts, its sensitive values, whom it is about."""

    cell: tuple[str, ...]
    values: tuple[str, ...]
    person: int


Group = list[Row]


def people(group: Group) -> set[int]:
    """Return the people of some rows."""
    return {row.person for row in group}


def values_of(group: Group, column: int) -> dict[int, set[str]]:
    """Return the different values of every person."""
    found: dict[int, set[str]] = defaultdict(set)
    for row in group:
        found[row.person].add(row.values[column])
    return found


def having(group: Group, column: int) -> dict[str, int]:
    """Return how many people have every value."""
    found: dict[str, int] = defaultdict(int)
    for values in values_of(group, column).values():
        for value in values:
            found[value] += 1
    return found


def weights(group: Group, column: int) -> dict[str, Fraction]:
    """Return what people weigh by value, each split equally over their values."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for values in values_of(group, column).values():
        for value in values:
            found[value] += Fraction(1, len(values))
    return found


def distinct_l(group: Group, column: int) -> int:
    """Return the number of values; 1 where everybody has one in common."""
    common = set.intersection(*values_of(group, column).values())
    return 1 if common else len(having(group, column))


def frequency_l(group: Group, column: int) -> float:
    """Return people / people who have the most frequent value."""
    return len(people(group)) / max(having(group, column).values())


def entropy_l(group: Group, column: int) -> float:
    """Return the exponential of the entropy of the weights."""
    total = len(people(group))
    shares = [float(weight / total) for weight in weights(group, column).values()]
    return math.exp(-sum(share * math.log(share) for share in shares))


def recursive_l(group: Group, column: int, c: Fraction) -> int:
    """Return the largest l with r_1 < c (r_l + … + r_m)."""
    ranked = sorted(weights(group, column).values(), reverse=True)
    return sum(ranked[0] < c * sum(ranked[place:]) for place in range(len(ranked)))


def equal_distance(group: Group, everybody: Group, column: int) -> float:
    """Return half the sum of the differences of shares."""
    own, all_ = weights(group, column), weights(everybody, column)
    one, many = len(people(group)), len(people(everybody))
    return float(sum(abs(own[v] / one - all_[v] / many) for v in {*own, *all_}) / 2)


def lifts(group: Group, everybody: Group, column: int) -> list[tuple[Fraction, Fraction]]:
    """Return the share of every value in the class, and in the table."""
    own, all_ = weights(group, column), weights(everybody, column)
    one, many = len(people(group)), len(people(everybody))
    return [(weight / one, all_[value] / many) for value, weight in own.items()]


class Recoded(NamedTuple):
    """The classes that are kept, and the suppressed rows."""

    kept: list[Group]
    gone: Group


def recoded(rows: Sequence[Row], labels: Mapping[tuple[str, ...], object]) -> list[Group]:
    """Return the classes of a recoding that gives every cell a label."""
    classes: dict[object, Group] = defaultdict(list)
    for row in rows:
        classes[labels[row.cell]].append(row)
    return list(classes.values())


def suppressed(classes: list[Group], threshold: int) -> Recoded:
    """Suppress the classes of fewer people."""
    kept = [group for group in classes if len(people(group)) >= threshold]
    gone = [row for group in classes if len(people(group)) < threshold for row in group]
    return Recoded(kept, gone)


def within_limit(classes: list[Group], budget: int) -> Recoded:
    """Suppress the classes of fewest people, whole sizes at a time, within a number of rows."""
    sizes = sorted({len(people(group)) for group in classes})
    for size in reversed(sizes):
        found = suppressed(classes, size)
        if len(found.gone) <= budget:
            return found
    raise AssertionError("the smallest threshold suppresses nothing")


def least_size(groups: list[Group]) -> dict[int, int]:
    """Return the people in the smallest class of every person."""
    found: dict[int, int] = {}
    for group in groups:
        for person in people(group):
            size = len(people(group))
            found[person] = min(found.get(person, size), size)
    return found


def least_count(groups: list[Group], column: int) -> dict[int, int]:
    """Return the fewest people who share a value of a person in one of their classes."""
    found: dict[int, int] = {}
    for group in groups:
        counts = having(group, column)
        for person, values in values_of(group, column).items():
            least = min(counts[value] for value in values)
            found[person] = min(found.get(person, least), least)
    return found


def all_groups(table: Recoded) -> list[Group]:
    """Return the classes, the suppressed rows as one."""
    return [*table.kept, *([table.gone] if table.gone else [])]


def metrics(table: Recoded, before: list[Group], everybody: Group) -> dict[str, float]:
    """Return all metrics that count people; the worst over the sensitive columns."""
    kept = table.kept
    columns = range(len(everybody[0].values))
    total = len(people(everybody))
    sizes = least_size(all_groups(table))
    ranked = sorted(sizes.values())
    tenth = -(-total // 10)
    apart = sum(abs(a - b) for a in ranked for b in ranked)

    def worst(of: object) -> float:
        return min((of(group, s) for group in kept for s in columns), default=0.0)  # type: ignore[operator]

    risks = [Fraction(1, size) for size in least_size(kept).values()]
    gains = [pair for group in kept for s in columns for pair in lifts(group, everybody, s)]
    beta = max([0.0, *(float(q / p - 1) for q, p in gains)]) if gains else math.inf
    beyond = any(q / p - 1 > -math.log(p) for q, p in gains)
    frequency = worst(frequency_l)
    found = {
        "prosecutor-risk": float(max(risks, default=1)),
        "mean-prosecutor-risk": float(sum(risks) / len(risks)) if risks else 1.0,
        "risk-above": sum(5 * risk > 1 for risk in risks) / len(risks) if risks else 1.0,
        "beta-likeness": beta,
        "enhanced-beta-likeness": math.inf if beyond else beta,
        "delta-disclosure": max((abs(math.log2(q / p)) for q, p in gains), default=math.inf),
        "alpha": 1 / frequency if frequency else 1.0,
        "k": min((len(people(group)) for group in kept), default=0),
        "distinct-l": worst(distinct_l),
        "p-sensitive": worst(distinct_l),
        "frequency-l": worst(frequency_l),
        "entropy-l": worst(entropy_l),
        "recursive-l(c=2)": worst(lambda group, s: recursive_l(group, s, Fraction(2))),
        "t": max(
            (equal_distance(group, everybody, s) for group in kept for s in columns), default=1.0
        ),
        "s-k": sum(sizes.values()),
        "weighted-k": sum(least_size(before).values()) / total,
        "class-size-quantile": ranked[max(1, -(-total // 2)) - 1],
        "class-size-worst-tenth": sum(ranked[:tenth]) / tenth,
        "class-size-gini": apart / (2 * total * sum(ranked)),
    }
    for s in columns:
        name = "s-l" if len(columns) == 1 else f"s-l(column=s{s})"
        found[name] = sum(least_count(all_groups(table), s).values())
    return found
