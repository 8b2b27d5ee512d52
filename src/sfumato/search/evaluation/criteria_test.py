"""Tests recodings against criteria, each once (Granulation fig. 6: SECURITY)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.finished_tables import FinishedTables
from sfumato.errors import SettingsError, UnmetError
from sfumato.errors.listing import counted
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints
from sfumato.search.evaluation.evaluator import Evaluator
from sfumato.search.evaluation.tested_record import answers_record
from sfumato.search.result import MinimalRecodings, SearchResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.front.front import Front
    from sfumato.recoding.admissible_space import Choice
    from sfumato.search.problem import Problem


class CriteriaTest(Evaluator["Choice", bool]):
    """Says which recodings meet the criteria of a problem; each is tested once.

    A class table is rolled up from the smallest one below it that is at hand (the rollup
    property), and carries no more than the criteria ask for. ``answers`` are those of an earlier
    part of the same search (`resumed_answers`).
    """

    def __init__(self, problem: Problem, *, answers: Mapping[Choice, bool] | None = None) -> None:
        check_inherited(problem)
        super().__init__(earlier=answers or ())
        self._found.update(answers or {})
        self._problem = problem
        carried = dict.fromkeys(problem.suppression.carries(problem.table))
        self._finished = FinishedTables(ClassTables(table=problem.table, carries=tuple(carried)))
        if not self.meets(problem.admissible.coarsest):
            raise nothing_meets(problem)

    def _find(self, keys: Sequence[Choice]) -> list[bool]:
        tables = (self._finished.group(choice) for choice in keys)
        suppression = self._problem.suppression
        return [bool(Classes.of(batch, suppression).meets.any()) for batch in tables]

    def meets(self, choice: Choice) -> bool:
        """Say whether a recoding meets the criteria; it is tested unless it was already."""
        return self[choice]

    @property
    def answers(self) -> Mapping[Choice, bool]:
        """All recodings that were tested, and whether they meet the criteria."""
        return self._found

    def result(
        self, minimal: Sequence[Choice], *, method: str, finished: bool, reason: str
    ) -> SearchResult:
        """Return the minimal recodings that a method found, and what was tested."""
        return SearchResult(
            front=self._front(minimal),
            method=method,
            exact=finished,
            evaluated=len(self),
            nodes=self._problem.admissible.size,
            reason=reason,
            finished=finished,
            minimal=self._account(),
            state=None if finished else answers_record(self.answers),
        )

    def _front(self, minimal: Sequence[Choice]) -> Front:
        """Return the minimal recodings with their objectives, dominated or not."""
        evaluated = EvaluatedPoints(self._problem)
        evaluated.evaluate(minimal)
        return evaluated.front_of(
            (choice, place)
            for choice in minimal
            for place in np.flatnonzero(evaluated.meets(choice)).tolist()
        )

    def _account(self) -> MinimalRecodings:
        """Return what was tested and what was not."""
        space = self._problem.admissible
        partial = sum(
            any(p == top for p, top in zip(choice, space.coarsest, strict=True))
            for choice in self.counted
        )
        return MinimalRecodings(
            criteria=tuple(map(str, self._problem.suppression.criteria)),
            full=len(self) - partial,
            partial=partial,
            pruned=space.size - len(self),
        )


def nothing_meets(problem: Problem) -> UnmetError:
    """Return the error that no recoding meets the criteria: not even all rows as one class do."""
    criteria = problem.suppression.criteria
    coarsest = np.array([problem.admissible.coarsest], dtype=np.int64)
    batch = problem.tables.group(coarsest)
    missed = [str(each) for each in criteria if each.failing(batch).any()]
    said = " and ".join(missed or map(str, criteria))
    table = problem.table
    everybody = counted(table.rows, "row") if table.people is None else f"{table.units:,} people"
    return UnmetError(
        f"no recoding meets {said}: all {everybody} as one class do not",
        code="criteria-unmet",
        key="criteria",
        found=said,
        remedy="ask for less",
    )


_NOT_BY_SIZE = (
    "suppression goes by size, so that merging two suppressed classes can make one that is kept "
    "and fails"
)


def check_inherited(problem: Problem) -> None:
    """Refuse criteria that a coarser recoding may fail where a finer one meets them.

    Without suppression there are none (docs/method.md). Where rows are suppressed by size, only
    criteria about size are inherited; where the failing classes are, those that all parts of a
    failing class fail too.
    """
    suppression = problem.suppression
    for criterion in suppression.criteria:
        reason = criterion.not_inherited(problem.table)
        if reason is not None:
            raise SettingsError(
                f"the minimal recodings that meet {criterion} cannot be searched: {reason}, and a "
                "coarser recoding may fail what a finer one meets",
                code="not-inherited",
                key="criteria",
                found=str(criterion),
                remedy="search the front with method 'sweep'",
            )
    if problem.budget == 0:
        return
    for criterion in suppression.criteria:
        if suppression.failing:
            reason = criterion.not_inherited_by_parts(problem.table)
        else:
            reason = None if criterion.least_size is not None else _NOT_BY_SIZE
        if reason is not None:
            raise SettingsError(
                f"the minimal recodings that meet {criterion} cannot be searched where rows may "
                f"be suppressed: {reason}, and a coarser recoding can miss what a finer one "
                "meets",
                code="not-inherited",
                key="criteria",
                found=str(criterion),
                remedy="set the suppression policy 'none', or search the front with method 'sweep'",
            )
