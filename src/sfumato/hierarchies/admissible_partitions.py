"""Admissible partitions of a domain, ordered by refinement alone (Granulation §2.2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.arrays import Codes, sealed_codes
from sfumato.errors import HierarchyError, located
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.domains.domain import CategoryDomain
from sfumato.hierarchies.domains.natural_order import natural_order
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.hierarchies.domains.domain import Domain

FINEST = "values"
"""The name of the finest partition, where nobody chose another."""
COARSEST = TOP
"""The name of the coarsest partition, where nobody chose another."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AdmissiblePartitions(PartitionedDomain):
    """A set of partitions that need not be a chain, nor a lattice, nor graded.

    It holds the finest partition and the coarsest one; which of the others refine which is found
    in them (`order`). A block may have leaves that are not neighbours. ``names`` says what each
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
        cls,
        partitions: Mapping[str, Sequence[str]],
        *,
        values: Sequence[str],
        name: str | None = None,
    ) -> Self:
        """Make a set of partitions: for every name the label of the block of every value.

        ``name`` is the file that they are from, if any; errors say it.
        The finest and the coarsest are added if they are not among them. Values that are all
        numbers or all ISO dates come in natural order, others as they are given.
        """
        with located(file=name):
            return cls._of(partitions, values)

    @classmethod
    def _of(cls, partitions: Mapping[str, Sequence[str]], values: Sequence[str]) -> Self:
        _check_values(values)
        order = natural_order(values)
        places = np.arange(len(values)) if order is None else order
        leaves = [values[place] for place in places.tolist()]
        codings: dict[str, tuple[Codes, tuple[str, ...]]] = {}
        for each, blocks in partitions.items():
            if len(blocks) != len(values):
                raise HierarchyError(
                    f"partition {each!r} has labels for {len(blocks)} of "
                    f"{counted(len(values), 'value')}",
                    code="uncovered-leaf",
                    key=each,
                    found=str(len(blocks)),
                    expected="a block for every value",
                )
            codings[each] = _coded([blocks[place] for place in places.tolist()])
        domain = CategoryDomain(values=tuple(leaves), ordered=order is not None)
        return cls.completed(domain, codings)

    @classmethod
    def completed(
        cls, domain: Domain, codings: Mapping[str, tuple[Codes, tuple[str, ...]]]
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
        return cls(
            domain=domain,
            levels=tuple(sealed_codes(codes) for _, (codes, _) in ordered),
            labels=tuple(labels for _, (_, labels) in ordered),
            names=tuple(each for each, _ in ordered),
        )

    def with_missing(self, label: str) -> Self:
        """Return these partitions with a last leaf for missing values, which only * joins."""
        domain, levels, labels = self._grown(label)
        names = self.names
        if len(labels) > len(names):
            names = (*names, _free(COARSEST, names))
        return type(self)(domain=domain, levels=levels, labels=tuple(labels), names=names)

    def _check(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        leaves = self.domain.leaves
        if not self.levels or not len(self.levels) == len(self.labels) == len(self.names):
            raise HierarchyError(
                f"there are {len(self.levels)} codes, {len(self.labels)} labels and "
                f"{len(self.names)} names of partitions",
                code="level-count",
                found=str(len(self.levels)),
                expected="codes, labels and a name for every partition",
            )
        if len(set(self.names)) < len(self.names):
            raise HierarchyError(
                "partitions have the same name",
                code="duplicate",
                key="names",
                found=listed(sorted(self.names)),
                expected="different names",
            )
        for each, codes, labels in zip(self.names, self.levels, self.labels, strict=True):
            _check_partition(each, codes, labels, leaves)
        if len(self.labels[0]) != len(leaves) or self.labels[0] != tuple(leaves):
            raise HierarchyError(
                f"the first partition, {self.names[0]!r}, is not the values themselves",
                code="not-the-identity",
                key=self.names[0],
            )
        if len(self.labels[-1]) != 1:
            raise HierarchyError(
                f"the last partition, {self.names[-1]!r}, has {len(self.labels[-1])} blocks",
                code="several-tops",
                key=self.names[-1],
                found=str(len(self.labels[-1])),
                expected="one block",
            )
        blocks = [len(labels) for labels in self.labels]
        if blocks != sorted(blocks, reverse=True):
            raise HierarchyError(
                f"the partitions have {', '.join(map(str, blocks))} blocks",
                code="wrong-order",
                found=str(blocks),
                expected="partitions by falling number of blocks",
                remedy="AdmissiblePartitions.of sorts them",
            )
        if len(self.order.different) < len(self.levels):
            equal = self.order.refines & self.order.refines.T
            later = next(p for p in range(len(blocks)) if p not in self.order.different)
            raise HierarchyError(
                f"the partitions {self.names[int(equal[later].argmax())]!r} and "
                f"{self.names[later]!r} have the same blocks",
                code="equal-partitions",
                found=listed([self.names[int(equal[later].argmax())], self.names[later]]),
                remedy="keep one of them",
            )

    def _no_refinement(self, fine: int, coarse: int) -> HierarchyError:
        return HierarchyError(
            f"partition {self.names[fine]!r} does not refine {self.names[coarse]!r}, so that its "
            "blocks have no single block there",
            code="no-refinement",
            found=f"between({fine}, {coarse})",
        )


def _check_values(values: Sequence[str]) -> None:
    if not values:
        raise HierarchyError(
            "there are no values to partition", code="no-values", expected="at least one value"
        )
    twice = [value for value, times in Counter(values).items() if times > 1]
    if twice:
        raise HierarchyError(
            f"{counted(len(twice), 'value')} came more than once: {listed(twice)}",
            code="duplicate",
            found=listed(twice),
            remedy="keep one of each",
        )


def _coded(labels: Sequence[str]) -> tuple[Codes, tuple[str, ...]]:
    place: dict[str, int] = {}
    codes = [place.setdefault(label, len(place)) for label in labels]
    return sealed_codes(np.array(codes, dtype=np.int32)), tuple(place)


def _free(default: str, taken: Collection[str]) -> str:
    """Return a name for a partition that is added, such that no other one has it."""
    while default in taken:
        default = f"{default}'"
    return default


def _check_partition(name: str, codes: Codes, labels: Sequence[str], leaves: Sequence[str]) -> None:
    if codes.shape != (len(leaves),):
        raise HierarchyError(
            f"partition {name!r} has codes of shape {codes.shape} for "
            f"{counted(len(leaves), 'value')}",
            code="uncovered-leaf",
            key=name,
            expected="one block for every value",
        )
    _, first = np.unique(codes, return_index=True)
    numbered = np.array_equal(np.unique(codes), np.arange(len(labels)))
    if not numbered or (np.diff(first) < 0).any():
        raise HierarchyError(
            f"the blocks of partition {name!r} are not numbered as its labels",
            code="torn-block",
            key=name,
            expected=f"0, 1, … in the order of their first value, one for each of "
            f"{counted(len(labels), 'label')}",
        )
    if len(set(labels)) < len(labels):
        raise HierarchyError(
            f"partition {name!r} has blocks with the same label", code="duplicate", key=name
        )
