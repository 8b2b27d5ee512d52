"""All measures straight from their definitions, on plain rows: the judge of the real ones.

Nothing here is shared with ``src``: rows are dictionaries, a recoding is a dictionary from value
to block label for every quasi-identifier, and metrics are fractions wherever they can be.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from tests.measures.naive_statements import (
    NaiveStatement,
    confidential,
    is_secure,
    satisfies,
    security,
)

Row: TypeAlias = Mapping[str, str]
Recoding: TypeAlias = Mapping[str, Mapping[str, str]]
Metric: TypeAlias = Fraction | float | int


@dataclass(frozen=True, kw_only=True)
class NaiveIdentifier:
    """A quasi-identifier: its domain in order, and for every level value → block label."""

    name: str
    domain: Sequence[str]
    levels: Sequence[Mapping[str, str]]
    ordered: bool
    weight: Fraction


@dataclass(frozen=True, kw_only=True)
class NaiveSensitive:
    """A sensitive column: ``order`` or ``levels`` if its ground distance has one."""

    name: str
    order: Sequence[str] | None = None
    levels: Sequence[Mapping[str, str]] | None = None


@dataclass(frozen=True, kw_only=True)
class NaiveTable:
    """Rows and what is known about their columns."""

    rows: Sequence[Row]
    identifiers: Sequence[NaiveIdentifier]
    sensitive: Sequence[NaiveSensitive]
    label: str
    statements: Sequence[NaiveStatement] = ()
    others: Sequence[Row] = ()
    """People of the population who are not in the table."""

    def node(self, levels: Sequence[int]) -> Recoding:
        """Return the recoding of a node of the lattice."""
        return {q.name: q.levels[level] for q, level in zip(self.identifiers, levels, strict=True)}


@dataclass(frozen=True, kw_only=True)
class NaiveCandidate:
    """A recoding after suppression."""

    table: NaiveTable
    recoding: Recoding
    kept: Sequence[Sequence[Row]]
    suppressed: Sequence[Row]
    height: int


def classes_of(table: NaiveTable, recoding: Recoding) -> list[list[Row]]:
    """Return the equivalence classes of a recoding."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in table.rows:
        found.setdefault(tuple(recoding[q][row[q]] for q in recoding), []).append(row)
    return list(found.values())


def _with_threshold(
    table: NaiveTable, recoding: Recoding, height: int, threshold: Metric
) -> NaiveCandidate:
    classes = classes_of(table, recoding)
    return NaiveCandidate(
        table=table,
        recoding=recoding,
        kept=[members for members in classes if len(members) >= threshold],
        suppressed=[row for members in classes if len(members) < threshold for row in members],
        height=height,
    )


def suppressed(
    table: NaiveTable,
    recoding: Recoding,
    *,
    height: int,
    policy: str,
    budget: int = 0,
    k: int = 0,
) -> list[NaiveCandidate]:
    """Return the candidates of a recoding under a policy, by rising threshold."""
    sizes = sorted(len(members) for members in classes_of(table, recoding))
    if policy == "none":
        thresholds: list[Metric] = [0]
    elif policy == "given-k":
        thresholds = [k]
    elif policy == "below-weighted-k":
        thresholds = [Fraction(sum(size * size for size in sizes), len(table.rows))]
    else:
        # A size can be the smallest kept one if all smaller classes fit the limit.
        possible = [
            size
            for size in sorted(set(sizes))
            if sum(other for other in sizes if other < size) <= budget
        ]
        thresholds = list(possible) if policy == "limit-every" else [possible[-1]]
    return [_with_threshold(table, recoding, height, threshold) for threshold in thresholds]


def _counts(rows: Sequence[Row], column: str) -> Counter[str]:
    return Counter(row[column] for row in rows)


def _worst(candidate: NaiveCandidate, metric: Callable[[Counter[str]], Metric]) -> Metric:
    """Return the least value over kept classes and sensitive columns, 0 if none is kept."""
    return min(
        (
            metric(_counts(members, column.name))
            for members in candidate.kept
            for column in candidate.table.sensitive
        ),
        default=0,
    )


def k(candidate: NaiveCandidate) -> Metric:
    return min((len(members) for members in candidate.kept), default=0)


def frequency_l(candidate: NaiveCandidate) -> Metric:
    return _worst(candidate, lambda counts: Fraction(counts.total(), max(counts.values())))


def distinct_l(candidate: NaiveCandidate) -> Metric:
    return _worst(candidate, lambda counts: len(counts))


def entropy_l(candidate: NaiveCandidate) -> Metric:
    def metric(counts: Counter[str]) -> float:
        shares = [count / counts.total() for count in counts.values()]
        return math.exp(-math.fsum(share * math.log(share) for share in shares))

    return _worst(candidate, metric)


def recursive_l(c: Fraction) -> Callable[[NaiveCandidate], Metric]:
    def metric(counts: Counter[str]) -> int:
        r = sorted(counts.values(), reverse=True)
        meets = [ell for ell in range(1, len(r) + 1) if r[0] < c * sum(r[ell - 1 :])]
        return max(meets, default=0)

    return lambda candidate: _worst(candidate, metric)


def equal_distance(p: Mapping[str, Fraction], q: Mapping[str, Fraction]) -> Fraction:
    """Return half the sum of all differences."""
    return sum((abs(p.get(v, Fraction(0)) - q[v]) for v in q), Fraction(0)) / 2


def ordered_distance(
    p: Mapping[str, Fraction], q: Mapping[str, Fraction], order: Sequence[str]
) -> Fraction:
    """Return Σ_i |Σ_(j<=i) (p_j - q_j)| / (m - 1)."""
    running, total = Fraction(0), Fraction(0)
    for value in order:
        running += p.get(value, Fraction(0)) - q.get(value, Fraction(0))
        total += abs(running)
    return total / (len(order) - 1) if len(order) > 1 else Fraction(0)


def hierarchical_distance(
    p: Mapping[str, Fraction], q: Mapping[str, Fraction], levels: Sequence[Mapping[str, str]]
) -> Fraction:
    """Return the sum of the costs of all inner nodes, by recursion over the tree."""
    height = len(levels) - 1

    def extra_and_cost(level: int, leaves: Sequence[str]) -> tuple[Fraction, Fraction]:
        if level == 0:
            (leaf,) = leaves
            return p.get(leaf, Fraction(0)) - q.get(leaf, Fraction(0)), Fraction(0)
        children: dict[str, list[str]] = {}
        for leaf in leaves:
            children.setdefault(levels[level - 1][leaf], []).append(leaf)
        results = [extra_and_cost(level - 1, child) for child in children.values()]
        positive = sum((extra for extra, _ in results if extra > 0), Fraction(0))
        negative = -sum((extra for extra, _ in results if extra < 0), Fraction(0))
        below = sum((cost for _, cost in results), Fraction(0))
        own = Fraction(level, height) * min(positive, negative)
        return positive - negative, below + own

    if height == 0:
        return Fraction(0)
    return extra_and_cost(height, list(levels[0]))[1]


def ground_distance(column: NaiveSensitive, one: str, other: str) -> Fraction:
    """Return the ground distance of two values."""
    if column.levels is not None:
        together = [level for level, of in enumerate(column.levels) if of[one] == of[other]]
        return Fraction(together[0], max(1, len(column.levels) - 1))
    if column.order is not None:
        apart = abs(column.order.index(one) - column.order.index(other))
        return Fraction(apart, max(1, len(column.order) - 1))
    return Fraction(int(one != other))


def distance(column: NaiveSensitive, rows: Sequence[Row], table: NaiveTable) -> Fraction:
    """Return the Earth Mover's Distance of rows to the whole table."""
    p = {v: Fraction(c, len(rows)) for v, c in _counts(rows, column.name).items()}
    q = {v: Fraction(c, len(table.rows)) for v, c in _counts(table.rows, column.name).items()}
    if column.levels is not None:
        return hierarchical_distance(p, q, column.levels)
    if column.order is not None:
        return ordered_distance(p, q, column.order)
    return equal_distance(p, q)


def cheapest_transport(column: NaiveSensitive, rows: Sequence[Row], table: NaiveTable) -> Fraction:
    """Return the distance by solving the transport problem itself: successive shortest paths.

    Amounts are scaled by |rows| · N, so that every flow is a whole number.
    """
    supply = {v: c * len(table.rows) for v, c in _counts(rows, column.name).items()}
    demand = {v: c * len(rows) for v, c in _counts(table.rows, column.name).items()}
    flow = dict.fromkeys(itertools.product(supply, demand), 0)
    cost = {(u, v): ground_distance(column, u, v) for u, v in flow}
    total = Fraction(0)
    while any(supply.values()):
        # Bellman-Ford from all sources with supply left, over arcs and used arcs in reverse.
        reach: dict[tuple[str, str], tuple[Fraction, list[tuple[str, str, int]]]] = {
            ("from", u): (Fraction(0), []) for u, left in supply.items() if left
        }
        changed = True
        while changed:
            changed = False
            for (u, v), used in flow.items():
                arcs = [(("from", u), ("to", v), cost[u, v], 1)]
                if used:
                    arcs.append((("to", v), ("from", u), -cost[u, v], -1))
                for tail, head, price, sign in arcs:
                    if tail not in reach:
                        continue
                    new = reach[tail][0] + price
                    if head not in reach or new < reach[head][0]:
                        reach[head] = (new, [*reach[tail][1], (u, v, sign)])
                        changed = True
        target = min((v for v in demand if demand[v]), key=lambda v: reach["to", v][0])
        price, path = reach["to", target]
        source = path[0][0]
        room = [flow[u, v] for u, v, sign in path if sign < 0]
        amount = min([supply[source], demand[target], *room])
        for u, v, sign in path:
            flow[u, v] += sign * amount
        supply[source] -= amount
        demand[target] -= amount
        total += price * amount
    return total / (len(rows) * len(table.rows))


def t(candidate: NaiveCandidate) -> Metric:
    return max(
        (
            distance(column, members, candidate.table)
            for members in candidate.kept
            for column in candidate.table.sensitive
        ),
        default=1,
    )


def prosecutor_risk(candidate: NaiveCandidate) -> Metric:
    return max((Fraction(1, len(members)) for members in candidate.kept), default=1)


def mean_prosecutor_risk(candidate: NaiveCandidate) -> Metric:
    risks = [Fraction(1, len(members)) for members in candidate.kept for _ in members]
    return sum(risks) / len(risks) if risks else 1


def risk_above(threshold: Fraction) -> Callable[[NaiveCandidate], Metric]:
    def metric(candidate: NaiveCandidate) -> Metric:
        risks = [Fraction(1, len(members)) for members in candidate.kept for _ in members]
        return Fraction(sum(r > threshold for r in risks), len(risks)) if risks else 1

    return metric


def _population(candidate: NaiveCandidate) -> list[tuple[int, int]]:
    """Return f and F of every kept class."""
    recoding, table = candidate.recoding, candidate.table
    every = Counter(
        tuple(recoding[q][row[q]] for q in recoding) for row in (*table.rows, *table.others)
    )
    return [
        (len(members), every[tuple(recoding[q][members[0][q]] for q in recoding)])
        for members in candidate.kept
    ]


def k_map(candidate: NaiveCandidate) -> Metric:
    return min((everybody for _, everybody in _population(candidate)), default=0)


def journalist_risk(candidate: NaiveCandidate) -> Metric:
    return max((Fraction(1, everybody) for _, everybody in _population(candidate)), default=1)


def mean_journalist_risk(candidate: NaiveCandidate) -> Metric:
    risks = [Fraction(1, F) for f, F in _population(candidate) for _ in range(f)]
    return sum(risks) / len(risks) if risks else 1


def delta_presence(candidate: NaiveCandidate) -> Metric:
    return max((Fraction(f, F) for f, F in _population(candidate)), default=1)


def _lifts(candidate: NaiveCandidate) -> list[tuple[Fraction, Fraction]]:
    """Return q and p of every value of every kept class."""
    found = []
    for members, column in itertools.product(candidate.kept, candidate.table.sensitive):
        everywhere = _counts(candidate.table.rows, column.name)
        for value, count in _counts(members, column.name).items():
            p = Fraction(everywhere[value], len(candidate.table.rows))
            found.append((Fraction(count, len(members)), p))
    return found


def beta_likeness(candidate: NaiveCandidate) -> Metric:
    if not candidate.kept:
        return math.inf
    return max((q - p) / p for q, p in [*_lifts(candidate), (Fraction(1), Fraction(1))])


def enhanced_beta_likeness(candidate: NaiveCandidate) -> Metric:
    beyond = any((q - p) / p > -math.log(p) for q, p in _lifts(candidate))
    return math.inf if beyond else beta_likeness(candidate)


def delta_disclosure(candidate: NaiveCandidate) -> Metric:
    if not candidate.kept:
        return math.inf
    return max(abs(math.log2(q / p)) for q, p in _lifts(candidate))


def alpha(candidate: NaiveCandidate) -> Metric:
    return max((q for q, _ in _lifts(candidate)), default=1)


def weighted_k(candidate: NaiveCandidate) -> Metric:
    sizes = [len(members) for members in classes_of(candidate.table, candidate.recoding)]
    return Fraction(sum(size * size for size in sizes), len(candidate.table.rows))


def _with_the_suppressed(candidate: NaiveCandidate) -> list[Sequence[Row]]:
    return [*candidate.kept, candidate.suppressed]


def s_k(candidate: NaiveCandidate) -> Metric:
    return sum(len(members) for members in _with_the_suppressed(candidate) for _ in members)


def s_l(column: str) -> Callable[[NaiveCandidate], Metric]:
    def metric(candidate: NaiveCandidate) -> Metric:
        return sum(
            sum(other[column] == row[column] for other in members)
            for members in _with_the_suppressed(candidate)
            for row in members
        )

    return metric


def gl(candidate: NaiveCandidate) -> Metric:
    total = Fraction(0)
    for q in candidate.table.identifiers:
        label_of = candidate.recoding[q.name]
        for members in candidate.kept:
            for row in members:
                block = [v for v in q.domain if label_of[v] == label_of[row[q.name]]]
                total += q.weight * Fraction(len(block) - 1, max(1, len(q.domain) - 1))
    return total


def sl(candidate: NaiveCandidate) -> Metric:
    weights = sum((q.weight for q in candidate.table.identifiers), Fraction(0))
    return weights * len(candidate.suppressed)


def loss(candidate: NaiveCandidate) -> Metric:
    return gl(candidate) + sl(candidate)


def normalized_loss(candidate: NaiveCandidate) -> Metric:
    weights = sum((q.weight for q in candidate.table.identifiers), Fraction(0))
    return loss(candidate) / (weights * len(candidate.table.rows)) if weights else Fraction(0)


def dm(candidate: NaiveCandidate) -> Metric:
    kept = sum(len(members) ** 2 for members in candidate.kept)
    return kept + len(candidate.table.rows) * len(candidate.suppressed)


def c_avg(candidate: NaiveCandidate) -> Metric:
    if not candidate.kept:
        return math.inf
    rows = sum(len(members) for members in candidate.kept)
    return Fraction(rows, len(candidate.kept)) / k(candidate)


def cm(candidate: NaiveCandidate) -> Metric:
    wrong = len(candidate.suppressed)
    for members in candidate.kept:
        wrong += len(members) - max(_counts(members, candidate.table.label).values())
    return Fraction(wrong, len(candidate.table.rows))


def _diversity(members: Sequence[Row], table: NaiveTable) -> Fraction:
    """Return the mean diversity of some rows over the quasi-identifiers."""
    total = Fraction(0)
    for q in table.identifiers:
        places = [q.domain.index(row[q.name]) for row in members]
        if q.ordered:
            total += Fraction(max(places) - min(places), max(1, len(q.domain) - 1))
        else:
            total += Fraction(len(set(places)), len(q.domain))
    return total / len(table.identifiers)


def usefulness(candidate: NaiveCandidate) -> Metric:
    table = candidate.table
    total = Fraction(len(candidate.suppressed))
    for members in candidate.kept:
        total += len(members) * _diversity(members, table)
    return total / len(table.rows)


def protection(candidate: NaiveCandidate) -> Metric:
    table = candidate.table
    steps = [max(1, len(q.domain) - 1) if q.ordered else len(q.domain) for q in table.identifiers]
    least = Fraction(1, max(steps) * len(steps))
    total = Fraction(len(candidate.suppressed))
    for members in candidate.kept:
        total += len(members) / max(least, _diversity(members, table))
    return total / len(table.rows)


def height(candidate: NaiveCandidate) -> Metric:
    return candidate.height


def precision(candidate: NaiveCandidate) -> Metric:
    lost = Fraction(0)
    for identifier in candidate.table.identifiers:
        chosen = candidate.recoding[identifier.name]
        (level,) = [n for n, each in enumerate(identifier.levels) if each is chosen]
        lost += Fraction(level, max(1, len(identifier.levels) - 1))
    columns, kept = len(candidate.table.identifiers), sum(map(len, candidate.kept))
    return Fraction(kept, len(candidate.table.rows)) * (1 - lost / columns)


def entropy_loss(candidate: NaiveCandidate) -> Metric:
    table = candidate.table
    bits = []
    for q in table.identifiers:
        label_of = candidate.recoding[q.name]
        values = _counts(table.rows, q.name)
        blocks = Counter(label_of[row[q.name]] for row in table.rows)
        for members in candidate.kept:
            for row in members:
                value = row[q.name]
                bits.append(-math.log2(values[value] / blocks[label_of[value]]))
        bits += [-math.log2(values[row[q.name]] / len(table.rows)) for row in candidate.suppressed]
    return math.fsum(bits)


def _row_losses(candidate: NaiveCandidate) -> list[Fraction]:
    """Return the loss of every row, the least first; suppressed rows lose everything."""
    identifiers = candidate.table.identifiers
    losses = [sum((q.weight for q in identifiers), Fraction(0)) for _ in candidate.suppressed]
    for members in candidate.kept:
        for row in members:
            lost = Fraction(0)
            for q in identifiers:
                label_of = candidate.recoding[q.name]
                block = [v for v in q.domain if label_of[v] == label_of[row[q.name]]]
                lost += q.weight * Fraction(len(block) - 1, max(1, len(q.domain) - 1))
            losses.append(lost)
    return sorted(losses)


def _row_sizes(candidate: NaiveCandidate) -> list[Fraction]:
    """Return the class size of every row, the least first."""
    classes = _with_the_suppressed(candidate)
    return sorted(Fraction(len(members)) for members in classes for _ in members)


def _gini(values: Sequence[Fraction]) -> Fraction:
    """Return half the mean absolute difference of two rows, relative to the mean."""
    apart = sum((abs(x - y) for x in values for y in values), Fraction(0))
    whole = sum(values, Fraction(0))
    return apart / (2 * len(values) * whole) if whole else Fraction(0)


def class_size_gini(candidate: NaiveCandidate) -> Metric:
    return _gini(_row_sizes(candidate))


def row_loss_gini(candidate: NaiveCandidate) -> Metric:
    return _gini(_row_losses(candidate))


def class_size_quantile(q: Fraction) -> Callable[[NaiveCandidate], Metric]:
    def metric(candidate: NaiveCandidate) -> Metric:
        sizes = _row_sizes(candidate)
        return next(s for s in sizes if sum(other <= s for other in sizes) >= q * len(sizes))

    return metric


def class_size_worst_tenth(candidate: NaiveCandidate) -> Metric:
    worst = _row_sizes(candidate)[: math.ceil(len(candidate.table.rows) / 10)]
    return sum(worst, Fraction(0)) / len(worst)


def row_loss_worst_tenth(candidate: NaiveCandidate) -> Metric:
    worst = _row_losses(candidate)[-math.ceil(len(candidate.table.rows) / 10) :]
    return sum(worst, Fraction(0)) / len(worst)


def secure(candidate: NaiveCandidate) -> Metric:
    kept = candidate.kept
    return int(bool(kept) and is_secure(kept, candidate.table.statements))


def breach_probability(candidate: NaiveCandidate) -> Metric:
    """Return the greatest share of a kept class that satisfies what a member protects."""
    statements = candidate.table.statements
    greatest = Fraction(0) if candidate.kept else Fraction(1)
    for rows in candidate.kept:
        for row in rows:
            for predicate in confidential(row, statements).values():
                told = sum(satisfies(other, predicate) for other in rows)
                greatest = max(greatest, Fraction(told, len(rows)))
    return greatest


def sf(candidate: NaiveCandidate) -> Metric:
    table = candidate.table
    return security(_with_the_suppressed(candidate), table.rows, table.statements)


def ql(weights: Sequence[Fraction]) -> Callable[[NaiveCandidate], Metric]:
    def metric(candidate: NaiveCandidate) -> Metric:
        total = 0.0
        for q, weight in zip(candidate.table.identifiers, weights, strict=True):
            if len(q.domain) == 1:
                total += float(weight)
                continue
            blocks = Counter(candidate.recoding[q.name][value] for value in q.domain)
            shares = [size / len(q.domain) for size in blocks.values()]
            entropy = -math.fsum(share * math.log(share) for share in shares)
            total += float(weight) * entropy / math.log(len(q.domain))
        return total

    return metric


def information_gain(column: str) -> Callable[[NaiveCandidate], Metric]:
    """Return the metric that tells how many bits of a column the classes take away."""

    def entropy(rows: Sequence[Row]) -> float:
        shares = [count / len(rows) for count in _counts(rows, column).values()]
        return -math.fsum(share * math.log2(share) for share in shares)

    def metric(candidate: NaiveCandidate) -> Metric:
        rows = candidate.table.rows
        groups = [group for group in _with_the_suppressed(candidate) if group]
        after = math.fsum(len(group) * entropy(group) for group in groups)
        return entropy(rows) - after / len(rows)

    return metric


def gain_per_anonymity(column: str) -> Callable[[NaiveCandidate], Metric]:
    """Return the metric that divides the information gain by the anonymity that was given up."""
    gain = information_gain(column)
    return lambda candidate: gain(candidate) / (len(candidate.table.rows) - k(candidate) + 1)


def query_error(queries: int, columns: int) -> Callable[[NaiveCandidate], Metric]:
    """Return the metric that asks queries and expands every kept row into its label's values."""

    def metric(candidate: NaiveCandidate) -> Metric:
        table = candidate.table
        rng = np.random.default_rng(1)
        occurring = {
            q.name: [n for n, v in enumerate(q.domain) if any(r[q.name] == v for r in table.rows)]
            for q in table.identifiers
        }
        asked = min(columns, len(table.identifiers))
        errors: list[float] = []
        while len(errors) < queries:
            query = {}
            for place in sorted(rng.choice(len(occurring), size=asked, replace=False).tolist()):
                q = table.identifiers[place]
                values = occurring[q.name]
                number = max(1, math.ceil(len(values) * 0.05 ** (1 / asked)))
                if q.ordered:
                    start = int(rng.integers(len(values) - number + 1))
                    meant = range(values[start], values[start + number - 1] + 1)
                else:
                    meant = rng.choice(values, size=number, replace=False).tolist()
                query[q.name] = {q.domain[n] for n in meant}
            truth = sum(all(row[n] in v for n, v in query.items()) for row in table.rows)
            if not truth:
                continue
            answer = 0.0
            for row in (row for members in candidate.kept for row in members):
                part = 1.0
                for name, meant_values in query.items():
                    recoded = candidate.recoding[name]
                    label = [v for v in recoded if recoded[v] == recoded[row[name]]]
                    part *= sum(v in meant_values for v in label) / len(label)
                answer += part
            errors.append(abs(answer - truth) / truth)
        return float(np.median(errors))

    return metric


def naive_measures(table: NaiveTable) -> dict[str, Callable[[NaiveCandidate], Metric]]:
    """Return the naive measures by the text of the real ones."""
    found: dict[str, Callable[[NaiveCandidate], Metric]] = {
        "k": k,
        "weighted-k": weighted_k,
        "s-k": s_k,
        "frequency-l": frequency_l,
        "distinct-l": distinct_l,
        "entropy-l": entropy_l,
        "recursive-l(c=3)": recursive_l(Fraction(3)),
        "recursive-l(c=0.7)": recursive_l(Fraction(7, 10)),
        "p-sensitive": distinct_l,
        "t": t,
        "prosecutor-risk": prosecutor_risk,
        "mean-prosecutor-risk": mean_prosecutor_risk,
        "risk-above": risk_above(Fraction(1, 5)),
        "risk-above(threshold=0.5)": risk_above(Fraction(1, 2)),
        "risk-above(threshold=0.09)": risk_above(Fraction(9, 100)),
        "beta-likeness": beta_likeness,
        "enhanced-beta-likeness": enhanced_beta_likeness,
        "delta-disclosure": delta_disclosure,
        "alpha": alpha,
        "k-map": k_map,
        "journalist-risk": journalist_risk,
        "mean-journalist-risk": mean_journalist_risk,
        "delta-presence": delta_presence,
        "loss": loss,
        "normalized-loss": normalized_loss,
        "gl": gl,
        "sl": sl,
        "dm": dm,
        "c-avg": c_avg,
        "cm": cm,
        "usefulness": usefulness,
        "protection": protection,
        "height": height,
        "precision": precision,
        "entropy-loss": entropy_loss,
        "class-size-gini": class_size_gini,
        "class-size-quantile": class_size_quantile(Fraction(1, 2)),
        "class-size-quantile(q=0.1)": class_size_quantile(Fraction(1, 10)),
        "class-size-quantile(q=0)": class_size_quantile(Fraction(0)),
        "class-size-quantile(q=1)": class_size_quantile(Fraction(1)),
        "class-size-worst-tenth": class_size_worst_tenth,
        "row-loss-gini": row_loss_gini,
        "row-loss-worst-tenth": row_loss_worst_tenth,
        f"information-gain(column={table.label})": information_gain(table.label),
        f"gain-per-anonymity(column={table.label})": gain_per_anonymity(table.label),
        "query-error(queries=5)": query_error(5, 2),
        "query-error(queries=5,columns=1)": query_error(5, 1),
    }
    weights = [q.weight / sum(q.weight for q in table.identifiers) for q in table.identifiers]
    found["ql"] = quality = ql(weights)
    given = " ".join(["1", *["0"] * (len(weights) - 1)])
    found[f"ql(weights={given})"] = ql([Fraction(1), *[Fraction(0)] * (len(weights) - 1)])
    if table.statements:
        found["secure"], found["sf"] = secure, sf
        found["breach-probability"] = breach_probability
        found["sf-ql"] = lambda candidate: sf(candidate) * quality(candidate)
    if len(table.sensitive) == 1:
        found["s-l"] = s_l(table.sensitive[0].name)
    for column in table.sensitive:
        found[f"s-l(column={column.name})"] = s_l(column.name)
        found[f"information-gain(column={column.name})"] = information_gain(column.name)
    return found


ROUNDED = frozenset(
    {"entropy-l", "entropy-loss", "loss", "normalized-loss", "gl", "c-avg", "usefulness"}
    | {"beta-likeness", "enhanced-beta-likeness", "delta-disclosure", "alpha"}
    | {"mean-journalist-risk"}
    | {"protection", "sl", "row-loss-gini", "row-loss-worst-tenth", "sf", "ql", "sf-ql"}
    | {"information-gain", "gain-per-anonymity", "query-error"}
)
"""The measures that pass through rounding; all others must agree to the last bit."""
