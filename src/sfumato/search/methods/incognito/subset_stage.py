"""One stage of Incognito: all recodings of one subset of the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.arrays import Counts, Flags
    from sfumato.recoding.admissible_space import AdmissibleSpace, Choice


@dataclass(frozen=True, kw_only=True, eq=False)
class SubsetStage:
    """The recodings in which exactly the columns of ``subset`` are not at their coarsest.

    ``possible`` and ``meeting`` have an axis for each column of the subset and a place for each
    partition of it but the coarsest. Possible are those whose restrictions all meet the criteria
    (subset property); ``meeting`` grows as tests are recorded, with all that is coarser
    (generalization property).
    """

    space: AdmissibleSpace
    subset: tuple[int, ...]
    possible: Flags
    meeting: Flags

    @classmethod
    def of(
        cls,
        space: AdmissibleSpace,
        subset: tuple[int, ...],
        answers: Mapping[tuple[int, ...], Flags],
    ) -> SubsetStage:
        """Return the stage; ``answers`` has what meets the criteria in all smaller subsets."""
        shape = tuple(len(space.partitions[q]) - 1 for q in subset)
        possible: Flags = np.ones(shape, dtype=np.bool_)
        for axis in range(len(subset)):
            restricted = answers[(*subset[:axis], *subset[axis + 1 :])]
            possible &= np.expand_dims(restricted, axis)
        return cls(
            space=space,
            subset=subset,
            possible=possible,
            meeting=np.zeros(shape, dtype=np.bool_),
        )

    def untested(self) -> Iterator[Choice]:
        """Iterate by rank over what has to be tested; record what meets before going on."""
        places: Counts = np.flatnonzero(self.possible)
        ranks = self._ranks().ravel()[places]
        order = np.argsort(ranks, kind="stable")
        starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
        # Recodings of one rank are incomparable: none of them settles another.
        for generation in np.split(order, starts[1:]):
            members = places[generation]
            for place in members[~self.meeting.ravel()[members]].tolist():
                yield self._choice(np.unravel_index(place, self.possible.shape))

    def record(self, choice: Choice) -> None:
        """Note that a recoding meets the criteria, and with it all coarser ones."""
        coarser = [
            np.flatnonzero(
                self.space.orders[q].refines[choice[q], list(self.space.partitions[q][:-1])]
            )
            for q in self.subset
        ]
        self.meeting[np.ix_(*coarser)] = True

    def _ranks(self) -> Counts:
        ranks: Counts = np.zeros(self.possible.shape, dtype=np.int64)
        for axis, q in enumerate(self.subset):
            own = [self.space.orders[q].ranks[p] for p in self.space.partitions[q][:-1]]
            ranks += np.array(own).reshape([-1 if a == axis else 1 for a in range(ranks.ndim)])
        return ranks

    def _choice(self, places: tuple[np.intp, ...]) -> Choice:
        choice = list(self.space.coarsest)
        for q, place in zip(self.subset, places, strict=True):
            choice[q] = self.space.partitions[q][int(place)]
        return tuple(choice)
