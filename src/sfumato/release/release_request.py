"""What a release is asked to be: a recoding of a source, and the metrics it promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.messages.rewrite_plan import SuppressedRows
from sfumato.release.released_values import ReleasedValues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.suppression import Suppression
    from sfumato.engines.engine import Engine
    from sfumato.measures.measure import Measure
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.column_blocks import ColumnBlocks
    from sfumato.sources.source import Source
    from sfumato.sources.source_stamp import SourceStamp


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseRequest:
    """A chosen recoding of a source, with the metrics that it promises.

    ``columns`` and ``stamp`` are those of the source when it was counted: no column that appeared
    since is released. ``batch`` holds the classes of the recoding, carrying all sensitive columns
    and the label.
    ``kept`` says which of its classes are released. ``levels`` is None for a recoding without
    levels. ``before`` are the metrics of the source as
    it is, ``provenance`` what else the private certificate should remember.
    """

    source: Source
    columns: tuple[str, ...]
    stamp: SourceStamp | None
    engine: Engine
    attributes: tuple[Attribute, ...]
    missing: MissingValues
    batch: ClassBatch
    blocks: tuple[ColumnBlocks, ...]
    levels: Mapping[str, int] | None
    threshold: int
    kept: Flags
    suppression: Suppression
    objectives: tuple[Measure, ...]
    promised: Mapping[str, float]
    before: Mapping[str, float]
    provenance: Mapping[str, object]
    suppressed_rows: SuppressedRows = SuppressedRows.DROP
    values: ReleasedValues = ReleasedValues.GENERALIZED
