"""Admissible partitions of a domain, ordered by refinement alone (Granulation §2.2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.arrays import Codes, sealed_codes
from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.domains.domain import CategoryDomain
from sfumato.hierarchies.domains.natural_order import natural_order
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.hierarchies.domains.domain import Domain

FINEST = "values"
"""The name of the finest partition, where nobody chose another."""
COARSEST = TOP
"""The name of the coarsest partition, where nobody chose another."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AdmissiblePartitions(PartitionedDomain):
    """A set of partitions that need not be a chain, nor a lattice, nor graded.

    It holds the finest partition and the coarsest one; which of the others refine which is found
    in them (`order`). A block may have leaves that are no neighbours. ``names`` says what each
    partition is called. They are kept by falling number of blocks, so that each comes before
    all that are coarser; their number in this order is the *level* of a recoding.

    >>> days = AdmissiblePartitions.of(
    ...     {
    ...         "weekday": ["workday", "workday", "weekend", "weekend"],
    ...         "month": ["May", "June", "May", "June"],
    ...     },
    ...     values=["31 May", "3 June", "26 May", "2 June"],
    ...     name="day",
    ... )
    >>> days.names, days.order.successors
    (('values', 'weekday', 'month', '*'), ((1, 2), (3,), (3,), ()))
    """

    names: tuple[str, ...]

    @classmethod
    def of(
        cls, partitions: Mapping[str, Sequence[str]], *, values: Sequence[str], name: str
    ) -> Self:
        """Make a set of partitions: for every name the label of the block of every value.

        The finest and the coarsest are added if they are not among them. Values that are all
        numbers or all ISO dates come in natural order, others as they are given.
        """
        check_values(values, name=name)
        order = natural_order(values)
        places = np.arange(len(values)) if order is None else order
        leaves = [values[place] for place in places.tolist()]
        codings: dict[str, tuple[Codes, tuple[str, ...]]] = {}
        for each, blocks in partitions.items():
            if len(blocks) != len(values):
                raise HierarchyError(
                    f"{name}: partition {each!r} has labels for {len(blocks)} of "
                    f"{counted(len(values), 'value')}; give every value a block"
                )
            codings[each] = _coded([blocks[place] for place in places.tolist()])
        domain = CategoryDomain(values=tuple(leaves), ordered=order is not None)
        return cls.completed(domain, codings, name=name)

    @classmethod
    def completed(
        cls, domain: Domain, codings: Mapping[str, tuple[Codes, tuple[str, ...]]], *, name: str
    ) -> Self:
        """Make a set of coded partitions with their labels, and add the two ends."""
        leaves = domain.leaves
        found = dict(codings)
        if not any(tuple(labels) == tuple(leaves) for _, labels in codings.values()):
            own = (sealed_codes(np.arange(len(leaves))), tuple(leaves))
            found = {_free(FINEST, codings): own, **codings}
        if not any(len(labels) == 1 for _, labels in found.values()):
            found[_free(COARSEST, found)] = (sealed_codes(np.zeros(len(leaves))), (TOP,))
        ordered = sorted(found.items(), key=lambda item: -len(item[1][1]))
        try:
            return cls(
                domain=domain,
                levels=tuple(sealed_codes(codes) for _, (codes, _) in ordered),
                labels=tuple(labels for _, (_, labels) in ordered),
                names=tuple(each for each, _ in ordered),
            )
        except HierarchyError as error:
            raise HierarchyError(f"{name}: {error}") from None

    def with_missing(self, label: str) -> Self:
        """Return these partitions with a last leaf for missing values, which only * joins."""
        domain, levels, labels = self._grown(label)
        names = self.names if self.height else (*self.names, COARSEST)
        return type(self)(domain=domain, levels=levels, labels=tuple(labels), names=names)

    def _check(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        leaves = self.domain.leaves
        if not self.levels or not len(self.levels) == len(self.labels) == len(self.names):
            raise HierarchyError(
                "every admissible partition has codes, labels and a name; got "
                f"{len(self.levels)}, {len(self.labels)} and {len(self.names)} of them"
            )
        if len(set(self.names)) < len(self.names):
            raise HierarchyError(
                f"partitions have different names; got {listed(sorted(self.names))}"
            )
        for each, codes, labels in zip(self.names, self.levels, self.labels, strict=True):
            _check_partition(each, codes, labels, leaves)
        if len(self.labels[0]) != len(leaves) or self.labels[0] != tuple(leaves):
            raise HierarchyError(
                f"the first of the admissible partitions must be the values themselves; "
                f"{self.names[0]!r} is another one"
            )
        if len(self.labels[-1]) != 1:
            raise HierarchyError(
                f"the last of the admissible partitions must be one block; {self.names[-1]!r} has "
                f"{len(self.labels[-1])}"
            )
        blocks = [len(labels) for labels in self.labels]
        if blocks != sorted(blocks, reverse=True):
            raise HierarchyError(
                "admissible partitions come by falling number of blocks; use "
                "AdmissiblePartitions.of, which sees to that"
            )
        if len(self.order.different) < len(self.levels):
            equal = self.order.refines & self.order.refines.T
            later = next(p for p in range(len(blocks)) if p not in self.order.different)
            raise HierarchyError(
                f"the partitions {self.names[int(equal[later].argmax())]!r} and "
                f"{self.names[later]!r} have the same blocks; keep one of them"
            )

    def _no_refinement(self, fine: int, coarse: int) -> HierarchyError:
        return HierarchyError(
            f"partition {self.names[fine]!r} does not refine {self.names[coarse]!r}, so that its "
            "blocks have no single block there"
        )


def check_values(values: Sequence[str], *, name: str) -> None:
    """Refuse no values, and values that come twice."""
    if not values:
        raise HierarchyError(f"{name}: there are no values to partition; list at least one")
    twice = [value for value, times in Counter(values).items() if times > 1]
    if twice:
        raise HierarchyError(
            f"{name}: a value has one place, but {counted(len(twice), 'value')} came more than "
            f"once: {listed(twice)}; keep one of each"
        )


def _coded(labels: Sequence[str]) -> tuple[Codes, tuple[str, ...]]:
    place: dict[str, int] = {}
    codes = [place.setdefault(label, len(place)) for label in labels]
    return sealed_codes(np.array(codes, dtype=np.int32)), tuple(place)


def _free(default: str, taken: Mapping[str, object]) -> str:
    """Return a name for a partition that is added, such that no other one has it."""
    while default in taken:
        default = f"{default}'"
    return default


def _check_partition(name: str, codes: Codes, labels: Sequence[str], leaves: Sequence[str]) -> None:
    if codes.shape != (len(leaves),):
        raise HierarchyError(
            f"partition {name!r} has codes of shape {codes.shape} for "
            f"{counted(len(leaves), 'value')}; give every value one block"
        )
    _, first = np.unique(codes, return_index=True)
    numbered = np.array_equal(np.unique(codes), np.arange(len(labels)))
    if not numbered or (np.diff(first) < 0).any():
        raise HierarchyError(
            f"the blocks of partition {name!r} are numbered 0, 1, … in the order of their first "
            f"value, one for each of its {counted(len(labels), 'label')}"
        )
    if len(set(labels)) < len(labels):
        raise HierarchyError(f"partition {name!r} has blocks with the same label")
