"""A run: a search that was done, with all that is needed to release from it and to do it again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping  # noqa: TC003 - the models of the run folder read it
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.front.decisions.picking import opening, pick
from sfumato.recoding.recoding import ColumnRecoding, Page
from sfumato.sources.parts import parts_of
from sfumato.sources.source import path_of, source_of
from sfumato.sources.source_stamp import table_sha256

if TYPE_CHECKING:
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.front.decisions.picking import Pick
    from sfumato.recoding.recoding import Recoding
    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.search.result import SearchResult
    from sfumato.study.file.study_file import StudyFile
    from sfumato.study.study import Study


@dataclass(frozen=True, kw_only=True)
class SourceDigest:
    """The SHA-256 of a file and its size.

    A table of a catalog has no size, and its digest is that of its rows in any order.
    """

    sha256: str
    bytes: int


def source_digest(path: str | Path) -> SourceDigest:
    """Return the digest of a file."""
    try:
        file = Path(path)
        size = sum(part.stat().st_size for part in parts_of(file))
        return SourceDigest(sha256=table_sha256(file), bytes=size)
    except OSError as error:
        raise SourceError.unreadable(path, error) from None


def digest_of_rows(study: Study) -> SourceDigest:
    """Return the digest of the source of a study, by its file or, without one, by its rows."""
    source = source_of(study.source)
    path = path_of(source)
    if path is not None:
        return source_digest(path)
    content = study.engine.content(source)
    text = f"{content.rows} rows {content.digest}"
    return SourceDigest(sha256=hashlib.sha256(text.encode()).hexdigest(), bytes=0)


@dataclass(frozen=True, kw_only=True)
class ColumnLabels:
    """The labels that a local recoding gives the kept rows in one quasi-identifier.

    ``count`` is the number of different ones, ``covered`` the number of values of the domain that
    the label of a kept row covers in the mean. ``examples`` are the most frequent labels that
    cover more than one value, so that no original value is shown by itself.
    """

    count: int
    covered: float
    examples: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SolutionDetail:
    """What a recoding does, beyond its objectives.

    ``metrics`` has every measure that the study supports, by its text. ``class_sizes`` has the
    sizes of kept classes, ascending, each with the number of rows in classes of that size.
    ``column_losses`` is the mean cell loss of every quasi-identifier over all rows, where a
    suppressed row loses 1. ``labels`` has the labels of every quasi-identifier in a local recoding.
    ``same_as`` is the id of the finest solution with the same classes and the same objective
    values, where that is another one.
    """

    metrics: Mapping[str, float]
    classes: int
    kept_rows: int
    suppressed: int
    class_sizes: tuple[tuple[int, int], ...]
    column_losses: Mapping[str, float]
    labels: Mapping[str, ColumnLabels] = field(default_factory=dict)
    same_as: int | None = None


@dataclass(frozen=True, kw_only=True)
class RunColumn:
    """A quasi-identifier as the search saw it, with the partitions that its solutions choose from.

    Level 0 has no examples, so that no original value is shown.
    """

    name: str
    weight: float
    leaf_count: int
    pages: tuple[Page, ...]

    def place(self, recoding: Recoding) -> int | None:
        """Return which of the pages a global recoding has in this column; None for others."""
        if not isinstance(recoding, ColumnRecoding):
            return None
        # Levels come first where there are cuts besides, so that a level is its place.
        return recoding.page_of(self.name, self.pages)


@dataclass(frozen=True, kw_only=True)
class SourceRecord:
    """The source that was counted: ``rows`` of it count, ``dropped_rows`` have missing values."""

    path: str
    sha256: str
    bytes: int
    rows: int
    dropped_rows: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A search that was done. ``details`` are those of the front's solutions, by their ids.

    ``before`` is the table as it is: level 0 everywhere and nothing suppressed. ``study_file`` is
    the run's own copy, ``created`` the time in UTC (ISO 8601). ``identifying`` says how identifying
    the quasi-identifiers of the source are, the combinations that single out most rows among them.
    """

    folder: Path
    study_file: StudyFile
    result: SearchResult
    details: tuple[SolutionDetail, ...]
    before: SolutionDetail
    columns: tuple[RunColumn, ...]
    source: SourceRecord
    version: str
    created: str
    seconds: float
    identifying: tuple[IdentifyingSubset, ...] = ()

    @property
    def metrics(self) -> tuple[Mapping[str, float], ...]:
        """The metrics of the front's solutions, by their ids."""
        return tuple(detail.metrics for detail in self.details)

    @cached_property
    def stands_for(self) -> tuple[int, ...]:
        """By id, the solution that is shown for it and for all with the same classes."""
        return tuple(
            place if detail.same_as is None else detail.same_as
            for place, detail in enumerate(self.details)
        )

    @property
    def counts_people(self) -> bool:
        """Whether what protects somebody counts people and not rows."""
        return self.study_file.study.counts_people

    @property
    def policy(self) -> tuple[ClassCriterion, ...]:
        """What the study requires of a release."""
        return self.study_file.study.required

    def pick(self, rule: str | None = None) -> Pick:
        """Return the solution that a rule picks: unless given, the least loss within the policy."""
        return pick(rule, self.result.front, self.metrics, policy=self.policy)

    def opening(self) -> Pick:
        """Return the solution that a page opens with: the least loss within the policy.

        Without a policy it is the knee, and the reason says so.
        """
        return opening(self.result.front, self.metrics, policy=self.policy)

    def check_source(self) -> None:
        """Refuse a source that is no longer the one that was counted."""
        file = path_of(source_of(self.study_file.study.source))
        if file is not None and not file.exists():
            raise SourceError(
                f"there is no file {self.source.path}, from which {self.folder} was made",
                code="no-such-file",
                file=self.source.path,
                remedy="put it back, or name its new place in the study and search again",
            )
        digest = digest_of_rows(self.study_file.study)
        if digest.sha256 != self.source.sha256:
            raise SourceError(
                f"{self.source.path} has changed since it was searched on {self.created}, so the "
                f"metrics of {self.folder} are not about it",
                code="source-changed",
                file=self.source.path,
                remedy="restore the file, or search again",
            )
