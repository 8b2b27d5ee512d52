"""How values become codes: leaves of a hierarchy, or positions in the domain of a column."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import HierarchyError, SettingsError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.coverage import check_covers
from sfumato.hierarchies.domains.domain import CategoryDomain
from sfumato.hierarchies.domains.exact_number import parse_number
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.microdata.count_table import CountedColumn, CountedQuasiIdentifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Flags
    from sfumato.engines.messages.grouped_counts import GroupedColumn
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute


Partitioned = TypeVar("Partitioned", bound=PartitionedDomain)


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
    try:
        hierarchy = (
            attribute.hierarchy
            if isinstance(attribute.hierarchy, PartitionedDomain)
            else attribute.hierarchy.build(texts, column=attribute.name)
        )
        missing_leaf: int | None = None
        if len(texts) < len(values):
            hierarchy, missing_leaf = _with_missing(hierarchy, missing)
        check_covers(
            hierarchy,
            texts,
            column=attribute.name,
            where=f"the hierarchy of column {attribute.name!r}",
        )
    except HierarchyError as error:
        only = "" if texts else f" (column {attribute.name!r} has only missing values)"
        raise HierarchyError(f"{where}: {error}{only}") from None
    if attribute.minimum_level and not isinstance(hierarchy, Hierarchy):
        raise SettingsError(
            f"{where}: column {attribute.name!r} has admissible partitions and the minimum level "
            f"{attribute.minimum_level}; partitions need not refine each other, so that a "
            f"minimum level is a level "
            "of a hierarchy. Give the column a hierarchy, or leave out the minimum level"
        )
    if attribute.minimum_level > hierarchy.height:
        raise SettingsError(
            f"{where}: the minimum level of column {attribute.name!r} is "
            f"{attribute.minimum_level}, and its "
            f"hierarchy has the levels 0 to {hierarchy.height}; choose one of them"
        )
    leaf_of: dict[str | None, int] = dict(zip(texts, hierarchy.locate(texts).tolist(), strict=True))
    return CountedQuasiIdentifier(
        name=attribute.name,
        hierarchy=hierarchy,
        weight=attribute.weight,
        constrained=attribute.constrained,
        missing_leaf=missing_leaf,
        minimum_level=attribute.minimum_level,
        # What is missing has a leaf if any value is.
        leaf_of_value={value: leaf_of.get(value, missing_leaf or 0) for value in values},
    )


def _with_missing(hierarchy: Partitioned, missing: MissingValues) -> tuple[Partitioned, int]:
    """Return the hierarchy with a leaf for missing values, and that leaf.

    A hierarchy may place a marker such as "?" itself; then that is where missing values go. Only
    a text is placed so: a number that stands for missing values, such as 0, does not become the 0
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
        try:
            if known.shape != occurring.shape:
                hierarchy, code_of[gap] = _with_missing(hierarchy, missing)
            texts = [text_of[code] for code in known]
            check_covers(
                hierarchy,
                texts,
                column=attribute.name,
                where=f"the hierarchy of the ground distance of column {attribute.name!r}",
            )
        except HierarchyError as error:
            raise HierarchyError(f"{where}: {error}") from None
        code_of[known] = hierarchy.locate(texts)
        distance = HierarchicalDistance(hierarchy=hierarchy)
        values = hierarchy.domain.leaves
    else:
        values = tuple(sorted({text_of[code] for code in occurring}))
        if isinstance(distance, OrderedDistance):
            gaps = bool(gap[occurring].any())
            values = _ordered(attribute.name, distance, values, missing if gaps else None, where)
        place = {text: code for code, text in enumerate(values)}
        code_of[occurring] = [place[text_of[code]] for code in occurring]
    respelled = any(values[code_of[code]] != text_of[code] for code in occurring)
    domain = CountedColumn(
        name=attribute.name, values=values, ground_distance=distance, respelled=respelled
    )
    return domain, code_of[codes]


def _ordered(
    name: str,
    distance: OrderedDistance,
    occurring: tuple[str, ...],
    missing: MissingValues | None,
    where: str,
) -> tuple[str, ...]:
    """Return the values in their order; ``missing`` is None if none of them is missing."""
    if missing is not None and missing.label not in (distance.order or ()):
        raise SettingsError(
            f"{where}: column {name!r} has missing values, and an ordered ground distance has no "
            f"place for them; list {missing.label!r} in OrderedDistance(order=(…)), or leave the "
            "rows out with MissingValues(policy='drop')"
        )
    if distance.order is not None:
        outside = sorted(set(occurring).difference(distance.order))
        if outside:
            raise SettingsError(
                f"{where}: column {name!r} has {counted(len(outside), 'value')} that its order "
                f"lacks: {listed(outside)}; add them to OrderedDistance(order=(…))"
            )
        return distance.order
    numbers = {text: parse_number(text) for text in occurring}
    others = [text for text, number in numbers.items() if number is None]
    if others:
        raise SettingsError(
            f"{where}: column {name!r} has the ordered ground distance and "
            f"{counted(len(others), 'value')} that are no numbers: {listed(others)}; give the "
            "order, lowest first: OrderedDistance(order=(…))"
        )
    ordered = sorted(occurring, key=lambda text: (numbers[text] or 0, text))
    same = [pair for pair in pairwise(ordered) if numbers[pair[0]] == numbers[pair[1]]]
    if same:
        raise SettingsError(
            f"{where}: column {name!r} writes one number in several ways: "
            f"{listed([text for pair in same for text in pair])}; write it in one way, or give "
            "the order, lowest first: OrderedDistance(order=(…))"
        )
    return tuple(ordered)
