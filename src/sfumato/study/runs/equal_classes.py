"""Solutions whose classes are the same, so that a reader needs to look at one of them only."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.recoded import recode
from sfumato.study.measured_nodes import RecodingMeasuring

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from sfumato.classes.anonymization import Anonymization
    from sfumato.front.front import Solution
    from sfumato.search.problem import Problem
    from sfumato.study.runs.run import SolutionDetail


def with_equals(
    problem: Problem, solutions: Sequence[Solution], details: Sequence[SolutionDetail]
) -> tuple[SolutionDetail, ...]:
    """Return details that name, for each solution, the one whose classes it has too.

    Two solutions have the same classes if the same cells are together in both and the same ones
    are suppressed; they are equal if their objective values and their freedom are the same too, so
    that nothing that was asked for tells them apart. A level that merges nothing more than the one
    below it, on this table, makes such solutions. The finest recoding stands for all of them.
    """
    stands: dict[int, int] = {}
    for equal in equal_solutions(problem, solutions, details):
        finest = min(equal, key=_coarseness)
        stands |= {each.id: finest.id for each in equal if each is not finest}
    return tuple(
        replace(detail, same_as=stands.get(solution.id))
        for solution, detail in zip(solutions, details, strict=True)
    )


def equal_solutions(
    problem: Problem, solutions: Sequence[Solution], details: Sequence[SolutionDetail]
) -> Iterator[list[Solution]]:
    """Yield the sets of two or more equal solutions, each in the order of the front.

    Classes are made anew only where the objective values and all sizes of classes agree.
    """
    alike: defaultdict[Hashable, list[Solution]] = defaultdict(list)
    for solution, detail in zip(solutions, details, strict=True):
        values = tuple(solution.values.values())
        key = (solution.freedom, values, detail.suppressed, detail.class_sizes)
        alike[key].append(solution)
    asked = [each for some in alike.values() if len(some) > 1 for each in some]
    place = {each.id: number for number, some in enumerate(alike.values()) for each in some}
    equal: defaultdict[Hashable, list[Solution]] = defaultdict(list)
    measuring = RecodingMeasuring.of(problem.table, measures=(), suppression=problem.suppression)
    for start in range(0, len(asked), measuring.recodings_a_batch):
        batch = asked[start : start + measuring.recodings_a_batch]
        for solution, recoded in zip(
            batch,
            recode(
                measuring.tables,
                [each.recoding for each in batch],
                thresholds=[each.threshold for each in batch],
                suppression=problem.suppression,
            ),
            strict=True,
        ):
            equal[place[solution.id], _digest(recoded.anonymization())].append(solution)
    yield from (some for some in equal.values() if len(some) > 1)


def _digest(found: Anonymization) -> bytes:
    """Return the SHA-256 of who is together: of every entry the first one of its class, or -1."""
    together = np.where(found.suppressed, -1, found.first_entry[found.class_of])
    return hashlib.sha256(together.astype(np.int64).tobytes()).digest()


def _coarseness(solution: Solution) -> tuple[int, tuple[int, ...]]:
    """Return what is least for the finest recoding: the height and the levels, or the groups."""
    levels = tuple(solution.levels.values())
    numbers = levels or tuple(-number for number in solution.recoding.numbers().values())
    return sum(numbers), numbers
