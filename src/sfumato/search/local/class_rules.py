"""Criteria as the kernels of local recoding test them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.measures.privacy.distinct_l import DistinctL
from sfumato.measures.privacy.entropy_l import EntropyL
from sfumato.measures.privacy.frequency_l import FrequencyL
from sfumato.measures.privacy.p_sensitive import PSensitive
from sfumato.measures.privacy.recursive_l import RecursiveL
from sfumato.measures.privacy.t import T

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.microdata.count_table import CountTable

DISTINCT, FREQUENCY, ENTROPY, RECURSIVE, EQUAL_T, ORDERED_T = range(6)
"""The criteria that kernels test; all others are tested by their measure afterwards."""


RULE = np.dtype(
    [
        ("kind", np.int64),
        ("first", np.int64),
        ("end", np.int64),
        ("bound", np.float64),
        ("over", np.int64),
        ("under", np.int64),
        ("unknown", np.int64),
    ]
)
"""A rule: its kind, where the values of its column begin and end, its bound, the fraction c of
recursive (c, l)-diversity, and the value that is none of l, -1 if all are."""


class ClassRules(NamedTuple):
    """The least size of a class, and rules about the sensitive values in it.

    Cell ``c`` has the entries from ``starts[c]`` to ``starts[c + 1]``, each with the ``counts`` of
    its rows and, for every sensitive column, a number among all ``values``. ``shares`` are those
    of the values in the whole table.
    """

    k: int
    starts: Counts
    counts: Counts
    values: Counts
    shares: Floats
    rules: NDArray[np.void]


def class_rules(
    table: CountTable, k: int, criteria: Sequence[ClassCriterion]
) -> tuple[ClassRules, tuple[ClassCriterion, ...]]:
    """Return what kernels test of some criteria, and the criteria that they do not test."""
    rows: list[tuple[int, int, float, Fraction]] = []
    others: list[ClassCriterion] = []
    for criterion in criteria:
        if criterion.least_size is not None:
            k = max(k, criterion.least_size)
            continue
        found = [_rule(criterion, table, place) for place in range(len(table.sensitive))]
        # Kernels count rows by value. What counts people is tested by its measure.
        if not found or None in found or table.people is not None:
            others.append(criterion)
        else:
            rows += [row for row in found if row is not None]
    widths = [len(column.values) for column in table.sensitive]
    spans = np.concatenate(([0], np.cumsum(widths, dtype=np.int64))).astype(np.int64)
    names = [column.name for column in table.sensitive]
    places = [list(table.columns).index(name) for name in names]
    values = table.entry_codes[places].astype(np.int64) + spans[:-1, np.newaxis]
    shares = [table.marginal(name) / table.rows for name in names]
    return ClassRules(
        k=k,
        starts=table.entry_starts.astype(np.int64),
        counts=table.entry_counts.astype(np.int64),
        values=np.ascontiguousarray(values),
        shares=np.concatenate([*shares, np.zeros(0)]),
        rules=np.array(
            [
                (
                    kind,
                    spans[place],
                    spans[place + 1],
                    bound,
                    c.numerator,
                    c.denominator,
                    _unknown(table, place, spans),
                )
                for kind, place, bound, c in rows
            ],
            dtype=RULE,
        ),
    ), tuple(others)


def _unknown(table: CountTable, place: int, spans: Counts) -> int:
    unknown = table.sensitive[place].unknown
    return -1 if unknown is None else int(spans[place]) + unknown


def _rule(
    criterion: ClassCriterion, table: CountTable, place: int
) -> tuple[int, int, float, Fraction] | None:
    """Return the rule of a criterion for one sensitive column; None if kernels have none."""
    if not isinstance(criterion, MeasureCriterion) or criterion.comparison not in (">=", "<="):
        return None
    measure, bound = criterion.measure, float(criterion.bound)
    if isinstance(measure, DistinctL | PSensitive):
        return DISTINCT, place, bound, Fraction(0)
    if isinstance(measure, FrequencyL):
        return FREQUENCY, place, bound, Fraction(0)
    if isinstance(measure, EntropyL):
        return ENTROPY, place, bound, Fraction(0)
    if isinstance(measure, RecursiveL):
        return RECURSIVE, place, float(np.ceil(bound)), measure.fraction
    if isinstance(measure, T):
        distance = table.sensitive[place].ground_distance
        if isinstance(distance, HierarchicalDistance):
            return None
        kind = ORDERED_T if isinstance(distance, OrderedDistance) else EQUAL_T
        return kind, place, bound, Fraction(0)
    return None
