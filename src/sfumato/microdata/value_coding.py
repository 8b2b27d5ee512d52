"""Values as codes: leaves of a hierarchy, or positions in the domain of a column."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.hint import Hint
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.builder import (
    domain_is_declared,
    kind_is_declared,
    levels_are_declared,
)
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.domains.domain import CategoryDomain, MissingDomain
from sfumato.hierarchies.domains.exact_number import parse_number
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.microdata.count_table import CountedColumn, CountedQuasiIdentifier
from sfumato.microdata.output import Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Flags
    from sfumato.engines.messages.grouped_counts import GroupedColumn
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute


Partitioned = TypeVar("Partitioned", bound=PartitionedDomain)
FLAT = 1
"""The height of a hierarchy that has values and everything, and nothing between."""


def is_missing(column: GroupedColumn, missing: MissingValues) -> Flags:
    """Say of every distinct value of a column whether it is missing."""
    return np.array([v is None or v in missing.markers for v in column.values], dtype=np.bool_)


def code_quasi_identifier(
    attribute: Attribute,
    column: GroupedColumn,
    codes: Codes,
    *,
    missing: MissingValues,
    where: str,
    fitted: CountedQuasiIdentifier | None = None,
) -> tuple[CountedQuasiIdentifier, Codes]:
    """Return a quasi-identifier with the hierarchy that fits, and the leaves of ``codes``.

    With a minimum level these are the first leaves of its blocks. ``fitted`` is the
    quasi-identifier as it fits all values, where fewer were counted.
    """
    occurring = np.unique(codes)
    if fitted is None:
        values = [column.values[code] for code in occurring]
        fitted = fit_quasi_identifier(attribute, values, missing=missing, where=where)
    leaf_of = np.full(len(column.values), -1, dtype=np.int32)
    leaf_of[occurring] = [fitted.leaf_of_value[column.values[code]] for code in occurring]
    leaves = leaf_of[codes]
    if fitted.minimum_level:
        starts = fitted.hierarchy.block_starts(fitted.minimum_level)
        leaves = starts[fitted.hierarchy.levels[fitted.minimum_level][leaves]]
    return fitted, leaves


def fit_quasi_identifier(
    attribute: Attribute, values: Sequence[str | None], *, missing: MissingValues, where: str
) -> CountedQuasiIdentifier:
    """Return a quasi-identifier with the hierarchy that fits the values that occur."""
    texts = [value for value in values if value is not None and value not in missing.markers]
    assert attribute.hierarchy is not None
    with located(file=where, column=attribute.name):
        hierarchy = (
            attribute.hierarchy
            if isinstance(attribute.hierarchy, PartitionedDomain)
            else _built(attribute.hierarchy, texts, column=attribute.name)
        )
        missing_leaf: int | None = None
        if len(texts) < len(values):
            hierarchy, missing_leaf = _with_missing(hierarchy, missing)
        own = f"the hierarchy of column {attribute.name!r}"
        check_covers(hierarchy, texts, column=attribute.name, add_to=own)
        _check_minimum_level(attribute, hierarchy)
    leaf_of: dict[str | None, int] = dict(zip(texts, hierarchy.locate(texts).tolist(), strict=True))
    return CountedQuasiIdentifier(
        name=attribute.name,
        hierarchy=hierarchy,
        domain_declared=domain_is_declared(attribute.hierarchy),
        levels_declared=levels_are_declared(attribute.hierarchy),
        missing_declared=getattr(attribute.hierarchy, "missing_leaf", None) is not None
        or hierarchy.missing_leaf is None,
        weight=attribute.weight,
        constrained=_constrained(attribute, hierarchy),
        output=_checked_output(attribute, hierarchy),
        missing_leaf=missing_leaf,
        minimum_level=attribute.minimum_level,
        # What is missing has a leaf if any value is.
        leaf_of_value={value: leaf_of.get(value, missing_leaf or 0) for value in values},
    )


def _constrained(attribute: Attribute, hierarchy: PartitionedDomain) -> bool:
    """Say whether a column is only cut along its hierarchy: unless it is said, categories are.

    Neighbours in the order of categories have nothing in common but a parent, if they have one.
    """
    if attribute.constrained is None:
        return not hierarchy.domain.ordered
    return attribute.constrained


def _default_output(attribute: Attribute, hierarchy: PartitionedDomain) -> Output:
    """Return intervals for numbers and dates, nodes for categories with a hierarchy, else sets.

    Codes made of digits are categories: their hierarchy says which of them are near. Where values
    alone say that a column has numbers, one that is suppressed could unsay it, and every label
    would show that.
    """
    domain = hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, CategoryDomain) and hierarchy.height > FLAT:
        return Output.HIERARCHY
    is_ordered = domain.ordered and kind_is_declared(attribute.hierarchy)
    return Output.INTERVAL if is_ordered else Output.SET


def _checked_output(attribute: Attribute, hierarchy: PartitionedDomain) -> Output:
    """Return the kind of labels in a local recoding, or refuse one that the values do not have."""
    if attribute.output is None:
        return _default_output(attribute, hierarchy)
    if attribute.output is Output.INTERVAL and not hierarchy.domain.ordered:
        raise SettingsError(
            f"column {attribute.name!r} has categories without an order, which have no intervals",
            code="conflicting-settings",
            key="output",
            found=repr(attribute.output.value),
            expected=(Output.HIERARCHY.value, Output.SET.value),
        )
    return attribute.output


def _built(builder: HierarchyBuilder, texts: Sequence[str], *, column: str) -> PartitionedDomain:
    try:
        return builder.build(texts, column=column)
    except HierarchyError as error:
        if error.code != "no-values":
            raise
        raise HierarchyError(
            f"column {column!r} has only missing values",
            code="no-values",
            column=column,
            remedy=error.remedy,
        ) from None


def _check_minimum_level(attribute: Attribute, hierarchy: PartitionedDomain) -> None:
    level = attribute.minimum_level
    if level and not isinstance(hierarchy, Hierarchy):
        raise SettingsError(
            f"column {attribute.name!r} has admissible partitions and the minimum level {level}; "
            "partitions need not refine each other, so that only a hierarchy has minimum levels",
            code="conflicting-settings",
            column=attribute.name,
            key="minimum_level",
            found=str(level),
            remedy="give the column a hierarchy, or leave out the minimum level",
        )
    if level > hierarchy.height:
        raise SettingsError(
            f"the minimum level of column {attribute.name!r} is {level}, and its hierarchy has the "
            f"levels 0 to {hierarchy.height}",
            code="out-of-range",
            column=attribute.name,
            key="minimum_level",
            found=str(level),
            expected=f"0 to {hierarchy.height}",
        )


def _with_missing(hierarchy: Partitioned, missing: MissingValues) -> tuple[Partitioned, int]:
    """Return the hierarchy with a leaf for missing values, and that leaf.

    A hierarchy may place a marker like "?" itself; then that is where missing values go. Only
    a text is placed so: a number that stands for missing values, like 0, does not become the 0
    of a domain of numbers.
    """
    if hierarchy.missing_leaf is not None:
        return hierarchy, hierarchy.missing_leaf
    if isinstance(hierarchy.domain, CategoryDomain):
        leaves = hierarchy.domain.leaves
        for text in (*missing.markers, missing.label):
            if text in leaves:
                return hierarchy, leaves.index(text)
    return hierarchy.with_missing(missing.label), hierarchy.leaf_count


def code_column(
    attribute: Attribute,
    column: GroupedColumn,
    codes: Codes,
    *,
    missing: MissingValues,
    where: str,
) -> tuple[CountedColumn, Codes]:
    """Return a sensitive column or label with its domain, and the values of ``codes`` in it."""
    gap = is_missing(column, missing)
    text_of = [missing.label if gap[c] else str(v) for c, v in enumerate(column.values)]
    occurring = np.unique(codes)
    distance = attribute.ground_distance
    code_of = np.full(len(column.values), -1, dtype=np.int32)
    if isinstance(distance, HierarchicalDistance):
        # Values are found as the hierarchy finds them: "39.0" is the leaf "39".
        hierarchy = distance.hierarchy
        known = occurring[~gap[occurring]]
        with located(file=where, column=attribute.name):
            if known.shape != occurring.shape:
                hierarchy, code_of[gap] = _with_missing(hierarchy, missing)
            texts = [text_of[code] for code in known]
            own = f"the hierarchy of the ground distance of column {attribute.name!r}"
            check_covers(hierarchy, texts, column=attribute.name, add_to=own)
        code_of[known] = hierarchy.locate(texts)
        distance = HierarchicalDistance(hierarchy=hierarchy)
        values = hierarchy.domain.leaves
    else:
        values = tuple(sorted({text_of[code] for code in occurring}))
        if isinstance(distance, OrderedDistance):
            gaps = bool(gap[occurring].any())
            with located(file=where, column=attribute.name):
                values = _ordered(distance, values, missing if gaps else None)
        place = {text: code for code, text in enumerate(values)}
        code_of[occurring] = [place[text_of[code]] for code in occurring]
    respelled = any(values[code_of[code]] != text_of[code] for code in occurring)
    missed = occurring[gap[occurring]]
    counted = missing.count_as_value or not missed.size
    domain = CountedColumn(
        name=attribute.name,
        values=values,
        ground_distance=distance,
        respelled=respelled,
        unknown=None if counted else int(code_of[missed[0]]),
    )
    return domain, code_of[codes]


def _ordered(
    distance: OrderedDistance, occurring: tuple[str, ...], missing: MissingValues | None
) -> tuple[str, ...]:
    """Return the values in their order; ``missing`` is None if none of them is missing."""
    if missing is not None and missing.label not in (distance.order or ()):
        raise SettingsError(
            "there are missing values, and the ordered ground distance has no place for them",
            code="missing-values",
            key="ground_distance",
            remedy=Hint(
                python=f"list {missing.label!r} in OrderedDistance(order=(…)), or leave the rows "
                "out with MissingValues(policy='drop')",
                file=f'list "{missing.label}" in distance = {{ ordered = […] }}, or leave the rows '
                'out with policy = "drop" under [missing]',
            ),
        )
    if distance.order is not None:
        outside = sorted(set(occurring).difference(distance.order))
        if outside:
            raise SettingsError(
                f"{counted(len(outside), 'value is', 'values are')} not in the order: "
                f"{listed(outside)}",
                code="value-not-in-order",
                key="ground_distance",
                remedy=Hint(
                    python="add them to OrderedDistance(order=(…))",
                    file="add them to distance = { ordered = […] }",
                ),
            )
        return distance.order
    numbers = {text: parse_number(text) for text in occurring}
    others = [text for text, number in numbers.items() if number is None]
    if others:
        raise SettingsError(
            f"the ground distance is ordered, and {counted(len(others), 'value')} "
            f"{'is not a number' if len(others) == 1 else 'are not numbers'}: {listed(others)}",
            code="not-a-number",
            key="ground_distance",
            remedy=Hint(
                python="give the order, lowest first: OrderedDistance(order=(…))",
                file="give the order, lowest first: distance = { ordered = […] }",
            ),
        )
    ordered = sorted(occurring, key=lambda text: (numbers[text] or 0, text))
    same = [pair for pair in pairwise(ordered) if numbers[pair[0]] == numbers[pair[1]]]
    if same:
        raise SettingsError(
            "one number is written in several ways: "
            f"{listed([text for pair in same for text in pair])}",
            code="equal-numbers",
            key="ground_distance",
            remedy="write it in one way, or give the order, lowest first: "
            "OrderedDistance(order=(…))",
        )
    return tuple(ordered)
