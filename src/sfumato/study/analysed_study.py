"""The utility of recodings of a study: its rows are counted once, for any number of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.errors import UnmetError
from sfumato.front.front import Solution
from sfumato.release.release_request import ReleasedValues
from sfumato.sources.source import source_of
from sfumato.study.comparison import anonymization_of
from sfumato.utility.analysed_table import AnalysedSource, analysed_table
from sfumato.utility.asked_queries import asked_query
from sfumato.utility.learning import Learning, LearningSettings, Told, silent
from sfumato.utility.random_queries import random_queries
from sfumato.utility.released_table import released_table
from sfumato.utility.utility import Utility, utility
from sfumato.utility.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.recoding.recoding import Recoding
    from sfumato.study.description import StudyDescription
    from sfumato.utility.analysed_table import AnalysedTable
    from sfumato.utility.count_queries import CountQuery
    from sfumato.utility.learning import TargetScores
    from sfumato.utility.released_table import ReleasedTable


@dataclass(frozen=True, kw_only=True)
class UtilityQuestion:
    """What is asked of releases: a workload, targets to learn, columns that make groups."""

    workload: Workload = field(default_factory=Workload)
    targets: tuple[str, ...] = ()
    learning: LearningSettings = field(default_factory=LearningSettings)
    by: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        *,
        workload: Workload | None,
        targets: Sequence[str] | str,
        learning: LearningSettings | None,
        by: Sequence[str] | None,
    ) -> UtilityQuestion:
        """Return a question whose parts have their defaults where they are None."""
        return cls(
            workload=Workload() if workload is None else workload,
            targets=(targets,) if isinstance(targets, str) else tuple(targets),
            learning=LearningSettings() if learning is None else learning,
            by=None if by is None else tuple(by),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalysedStudy:
    """The rows of a study as analysts look at them, with the queries and the folds of a question.

    ``originals`` has what is learnt from the originals, target by target.
    """

    study: StudyDescription
    table: AnalysedTable
    question: UtilityQuestion
    drawn: tuple[CountQuery, ...]
    asked: tuple[CountQuery, ...]
    learning: tuple[Learning, ...]
    originals: tuple[TargetScores, ...]

    @classmethod
    def of(
        cls, study: StudyDescription, question: UtilityQuestion, *, told: Told = silent
    ) -> AnalysedStudy:
        """Count the rows, draw queries and folds, and learn from the originals."""
        told("counting the rows")
        table = analysed_table(
            AnalysedSource(
                source=source_of(study.source),
                columns=study.source_columns,
                attributes=tuple(study.attributes),
                missing=study.missing,
                engine=study.engine,
                coarser=study.released_values,
                table=study.count_table,
            )
        )
        workload = question.workload
        for name in question.by or ():
            table.place(name)
        asked = tuple(asked_query(text, table) for text in workload.queries)
        learning = tuple(
            Learning.of(table, target, others=question.targets, settings=question.learning)
            for target in question.targets
        )
        return cls(
            study=study,
            table=table,
            question=question,
            drawn=() if workload.random is None else random_queries(workload.random, table),
            asked=asked,
            learning=learning,
            originals=tuple(each.scores_of_originals(told) for each in learning),
        )

    def released(
        self,
        chosen: Mapping[str, int] | Recoding | Solution,
        *,
        values: ReleasedValues = ReleasedValues.GENERALIZED,
        threshold: int | None = None,
    ) -> ReleasedTable:
        """Return what a release of a recoding shows of the rows."""
        if isinstance(chosen, Solution) and threshold is None:
            threshold = chosen.threshold
        recoding = self.study.recoding(chosen)
        anonymization = anonymization_of(self.study.problem, recoding, threshold=threshold)
        if anonymization.suppressed.all():
            raise UnmetError(
                "this recoding keeps no row under the suppression policy: there is nothing to "
                "analyse",
                code="nothing-to-release",
            )
        return released_table(
            self.table,
            anonymization,
            recoding,
            attributes=tuple(self.study.attributes),
            microaggregated=values is ReleasedValues.MICROAGGREGATED,
        )

    def scores(
        self, released: ReleasedTable, *, told: Told = silent, what: str = "the release"
    ) -> tuple[TargetScores, ...]:
        """Return what is learnt from a release, beside what is learnt from the originals."""
        return tuple(
            before.model_copy(update={"released": each.scores(released, told, what)})
            for each, before in zip(self.learning, self.originals, strict=True)
        )

    def utility(
        self, released: ReleasedTable, *, told: Told = silent, what: str = "the release"
    ) -> Utility:
        """Return the utility of a release."""
        told("comparing distributions, associations and queries")
        return utility(
            released,
            drawn=self.drawn,
            asked=self.asked,
            targets=self.scores(released, told=told, what=what),
            by=self.question.by,
        )
