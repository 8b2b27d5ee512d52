"""What a release is asked to be: a recoding of a source, where it goes, and what it promises."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sfumato.engines.messages.rewrite_plan import SuppressedRows
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.release.destinations import check_destinations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from sfumato.arrays import Flags
    from sfumato.classes.anonymization import Anonymization
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.suppression import ClassCriterion, Suppression
    from sfumato.engines.engine import Engine
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.findings.finding import Finding
    from sfumato.measures.measure import Measure
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.recoding import Recoding
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.signatures.keys import SigningKey
    from sfumato.sources.source import ColumnarTable, Source
    from sfumato.sources.source_stamp import SourceStamp


Choice = TypeVar("Choice", bound=enum.StrEnum)


class ReleasedValues(enum.StrEnum):
    """Generalized cells name their block, microaggregated ones show its statistic."""

    GENERALIZED = "generalized"
    MICROAGGREGATED = "microaggregated"


def _chosen(key: str, given: str, choices: type[Choice]) -> Choice:
    try:
        return choices(given)
    except ValueError:
        raise SettingsError.unknown_choice(key, given, choices) from None


def silent_stage(name: str) -> None:
    """Say nothing about what is going on."""


def unheard(findings: tuple[Finding, ...]) -> None:
    """Tell nobody of findings before the release is written."""


@dataclass(frozen=True, kw_only=True)
class ReleaseOptions:
    """Where a release goes and what it looks like; made by `checked`, so that it can be written.

    ``codebook`` is where the meaning of the labels goes, if anywhere. ``escape_formulas`` says that
    a text file has an apostrophe before what a spreadsheet would run. ``plugins`` says whether
    measures of other packages may decide what is released. ``ledger`` says whether earlier releases
    of the same people are looked up and this one is noted, ``accept_composition`` that what all of
    them show together is accepted. ``provenance`` is what else the private
    certificate should remember; ``stage`` is told what is going on, and ``found`` what was found
    before anything is written. ``sign`` is the key that signs the public certificate.
    """

    destination: Path
    certificate: Path
    private_certificate: Path | None
    force: bool
    suppressed_rows: SuppressedRows
    values: ReleasedValues
    codebook: Path | None = None
    escape_formulas: bool = False
    plugins: bool = True
    ledger: bool = True
    accept_composition: bool = False
    provenance: Mapping[str, object] = field(default_factory=dict)
    stage: Callable[[str], None] = silent_stage
    found: Callable[[tuple[Finding, ...]], None] = unheard
    sign: SigningKey | None = None

    @classmethod
    def checked(
        cls,
        source: Source | ColumnarTable | str | Path,
        destination: str | Path,
        *,
        engine: Engine,
        certificate: str | Path | None = None,
        private_certificate: str | Path | None = None,
        force: bool = False,
        suppressed_rows: SuppressedRows | str = SuppressedRows.DROP,
        values: ReleasedValues | str = ReleasedValues.GENERALIZED,
        codebook: str | Path | None = None,
        escape_formulas: bool = False,
        plugins: bool = True,
        ledger: bool = True,
        accept_composition: bool = False,
        provenance: Mapping[str, object] | None = None,
        stage: Callable[[str], None] = silent_stage,
        found: Callable[[tuple[Finding, ...]], None] = unheard,
        made: Collection[Path] = (),
        sign: SigningKey | None = None,
    ) -> ReleaseOptions:
        """Refuse places that cannot or must not be written, before anything is counted.

        ``made`` are folders that will be made if they are not there.
        """
        rows = _chosen("suppressed_rows", suppressed_rows, SuppressedRows)
        shown = _chosen("values", values, ReleasedValues)
        private = None if private_certificate is None else Path(private_certificate)
        book = None if codebook is None else Path(codebook)
        public = check_destinations(
            source,
            Path(destination),
            certificate=None if certificate is None else Path(certificate),
            private_certificate=private,
            force=force,
            parts=engine.writes_parts,
            made=made,
            codebook=book,
            signed=sign is not None,
        )
        return cls(
            destination=Path(destination),
            certificate=public,
            private_certificate=private,
            force=force,
            suppressed_rows=rows,
            values=shown,
            codebook=book,
            escape_formulas=escape_formulas,
            plugins=plugins,
            ledger=ledger,
            accept_composition=accept_composition,
            provenance=dict(provenance or {}),
            stage=stage,
            found=found,
            sign=sign,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseRequest:
    """A chosen recoding of a source, with the metrics that it promises.

    ``columns`` and ``stamp`` are those of the source when it was counted: no column that appeared
    since is released. Values that ``coarser`` lists, or has a rule for, are released as others.
    ``batch`` holds the classes of the recoding, carrying all sensitive columns
    and the label; ``kept`` says which of them are released, ``anonymization`` what becomes of every
    record. ``before`` are the metrics of the source as it is, ``findings`` what the publisher
    should look at. ``remade`` makes the request of another recoding of the same source.
    ``required`` is the policy of the publisher. ``by_size`` says that classes are suppressed by
    their size.
    """

    source: Source
    columns: tuple[str, ...]
    stamp: SourceStamp | None
    engine: Engine
    attributes: tuple[Attribute, ...]
    missing: MissingValues
    coarser: CoarserValues
    recoding: Recoding
    batch: ClassBatch
    kept: Flags
    anonymization: Anonymization
    blocks: tuple[WrittenColumn, ...]
    threshold: int
    suppression: Suppression
    required: tuple[ClassCriterion, ...]
    objectives: tuple[Measure, ...]
    promised: Mapping[str, float]
    before: Mapping[str, float]
    findings: tuple[Finding, ...]
    options: ReleaseOptions
    remade: Callable[[Recoding], ReleaseRequest]
    by_size: bool

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that the study names: the objectives, and those of the policy."""
        required = [each.measure for each in self.required if isinstance(each, MeasureCriterion)]
        return tuple({str(each): each for each in (*self.objectives, *required)}.values())

    @property
    def suppressed_rows(self) -> SuppressedRows:
        """What becomes of suppressed rows."""
        return self.options.suppressed_rows

    @property
    def values(self) -> ReleasedValues:
        """What stands in the cells."""
        return self.options.values
