"""Released labels as typed values: intervals, periods, ordered categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.hierarchies.domains.domain import MissingDomain, NumberDomain
from sfumato.hierarchies.partitioned_domain import TOP
from sfumato.recoding.label_reader import LabelReader
from sfumato.utility.value_numbers import LeafNumbers, ValueKind, leaf_numbers, value_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.output import Output


@dataclass(frozen=True, kw_only=True, eq=False)
class TypedLabels:
    """The different labels of a column: what kind they are, and the ends of what they cover.

    ``ends`` has the least and the greatest number under every label, None for missing values and
    for labels of categories; ``order`` the labels in the order of the domain. ``whole`` says that
    an interval has both its ends.
    """

    kind: ValueKind
    whole: bool
    ends: dict[str, tuple[float, float] | None]
    order: tuple[str, ...]


def typed_labels(
    labels: Sequence[str],
    hierarchy: PartitionedDomain,
    *,
    column: str,
    output: Output | None = None,
    minimum_level: int = 0,
    statistics: bool = False,
) -> TypedLabels:
    """Read the labels of a column; with ``statistics`` they are values and not labels."""
    domain = hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    numbers = leaf_numbers(domain)
    reader = LabelReader(hierarchy=hierarchy, output=output, minimum_level=minimum_level)
    ends: dict[str, tuple[float, float] | None] = {}
    first: dict[str, tuple[int, int]] = {}
    for label in labels:
        alone = value_number(label, domain) if statistics and numbers is not None else None
        if alone is not None:
            ends[label], first[label] = (alone, alone), (0, 0)
            continue
        leaves = _leaves(reader, label, column)
        first[label] = int(leaves[0]), int(leaves.size)
        ends[label] = _ends(leaves, numbers)
    kind = ValueKind.CATEGORY if numbers is None else numbers.kind
    return TypedLabels(
        kind=kind,
        whole=statistics
        or kind is ValueKind.DATE
        or not isinstance(known, NumberDomain)
        or known.whole,
        ends=ends,
        order=tuple(sorted(labels, key=lambda label: (first[label], label))),
    )


def _leaves(reader: LabelReader, label: str, column: str) -> Codes:
    leaves = reader.leaves(label)
    if leaves is None:
        raise HierarchyError(
            f"column {column!r} has {label!r}, which is not a label of its hierarchy",
            code="unknown-label",
            column=column,
            found=repr(label),
            expected=f"a value, the name of a group, an interval, a set, or {TOP}",
            remedy="give the study that the release was made with",
        )
    return leaves


def _ends(leaves: Codes, numbers: LeafNumbers | None) -> tuple[float, float] | None:
    if numbers is None:
        return None
    low, high = numbers.low[leaves], numbers.high[leaves]
    known = ~np.isnan(low)
    return (float(low[known].min()), float(high[known].max())) if known.any() else None
