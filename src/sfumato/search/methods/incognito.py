"""Incognito-style search: subsets of the quasi-identifiers first (LeFevre; Granulation §3.4)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.criteria_test import CriteriaTest
from sfumato.search.evaluation.tested_record import resumed_answers
from sfumato.search.methods.breadth_first import minimal_reason, stopped_reason
from sfumato.search.result import Progress
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.arrays import Counts, Flags
    from sfumato.recoding.admissible_space import AdmissibleSpace, Choice
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


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


MOST_RECODINGS = 50_000_000
"""Of larger spaces the answers for all recodings of all subsets take too much memory."""


def incognito(problem: Problem, *, control: SearchControl = DEFAULT_CONTROL) -> SearchResult:
    """Return all minimal recodings that meet the criteria of the problem.

    A recoding of a subset of the quasi-identifiers has the others at their coarsest partition.
    Subsets are taken by size. A recoding is not tested if a restriction of it, which is coarser,
    fails (subset property: it fails too), or if something finer meets the criteria (generalization
    property: it does too); others are tested by rank, the class tables rolled up (rollup
    property). Proved in docs/method.md. A search that goes on after it was stopped takes the same
    way with the answers that it has.
    """
    space = problem.admissible
    if space.size > MOST_RECODINGS:
        raise SettingsError(
            f"method 'incognito' keeps an answer for each of {space.size:,} recodings",
            code="too-many-recodings",
            key="method",
            found=f"{space.size:,} recodings",
            expected=f"at most {MOST_RECODINGS:,}",
            remedy="use method 'breadth-first'",
        )
    test = CriteriaTest(problem, answers=resumed_answers(problem, control.resume))
    met: list[Choice] = [space.coarsest]
    answers: dict[tuple[int, ...], Flags] = {(): np.ones((), dtype=np.bool_)}
    settled, going = 1, True
    for subset in _subsets(space):
        stage = SubsetStage.of(space, subset, answers)
        for choice in stage.untested():
            fresh = choice not in test
            if test.meets(choice):
                met.append(choice)
                stage.record(choice)
            progress = Progress(
                settled=settled, nodes=space.size, evaluated=len(test), front_size=len(met)
            )
            going = not fresh or control.goes_on(progress)
            if not going:
                break
        if not going:
            break
        answers[subset] = stage.meeting
        settled += stage.meeting.size
    together = np.array(met, dtype=np.int64)
    minimal = [tuple(row) for row in together[space.minimal(together)].tolist()]
    reason = (
        minimal_reason(len(minimal))
        if going
        else f"{stopped_reason(len(test))}, and more specific ones than these"
    )
    return test.result(minimal, method=METHOD.name, finished=going, reason=reason)


def _subsets(space: AdmissibleSpace) -> Iterator[tuple[int, ...]]:
    """Iterate over the subsets of quasi-identifiers that have a choice, the small ones first."""
    columns = [q for q, partitions in enumerate(space.partitions) if len(partitions) > 1]
    for count in range(1, len(columns) + 1):
        yield from itertools.combinations(columns, count)


METHOD = SearchMethod(
    name="incognito",
    summary="all minimal recodings that meet criteria, by subsets of the quasi-identifiers",
    search=incognito,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.NEEDED, resumable=True
    ),
)
