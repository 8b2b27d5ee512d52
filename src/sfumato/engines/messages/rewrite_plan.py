"""What an engine has to know to rewrite rows: new texts for old values, and which rows stay."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.arrays import Codes
    from sfumato.engines.messages.grouped_counts import CoarserValues


STAR = "*"
"""What suppressed rows have in every quasi-identifier, where they are kept."""


class SuppressedRows(enum.StrEnum):
    """Rows of suppressed classes are left out, or kept with ``*`` for every quasi-identifier."""

    DROP = "drop"
    STAR = "star"


class FileFormat(enum.StrEnum):
    """The formats that a release can have."""

    CSV = "csv"
    PARQUET = "parquet"


@dataclass(frozen=True, kw_only=True, eq=False)
class RecodedColumn:
    """A quasi-identifier: the block of every value that occurs, and the label of every block.

    ``block_of_value`` has the texts of values as the engine counted them, None for missing ones.
    The label of a block that no kept row is in may be None: it is never written. ``numbers`` says
    that all labels are numbers and are written as such where the format has numbers. Where a plan
    has ``listed_labels``, these are places in ``labels``, and blocks have none of their own.
    """

    name: str
    block_of_value: Mapping[str | None, int]
    labels: tuple[str | None, ...]
    numbers: bool = False

    def check_labels(self) -> None:
        """Refuse labels that several blocks have."""
        written = [label for label in self.labels if label is not None]
        if len(set(written)) < len(written):
            counts = Counter(written)
            twice = sorted(label for label, count in counts.items() if count > 1)
            raise SettingsError(
                f"two blocks of this recoding have the same label {twice[0]!r}, so the release "
                "would merge them",
                code="several-labels",
                column=self.name,
                remedy="rename one in the hierarchy",
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class RewritePlan:
    """A rewrite of rows that needs no memory for them.

    ``columns`` are those of the output, in order; the ones in ``recoded`` get labels, all others
    are passed on. ``listed_classes`` has a row of blocks for every quasi-identifier (in the order
    of ``recoded``) and a column for every class that is kept, if ``listed_are_kept``, or that is
    suppressed otherwise, whichever list is shorter. In a local recoding the label of a value
    differs from class to class: then blocks are what the cells of the count table hold, all kept
    cells are listed, and ``listed_labels`` has the labels of each, a row for every quasi-identifier
    as well. Rows with a missing value in a column of ``complete`` are left out, as they were when
    the rows were counted. In starred rows the columns of ``emptied`` are empty. Values that
    ``coarser`` lists, or has a rule for, are replaced before anything else.
    """

    columns: tuple[str, ...]
    recoded: tuple[RecodedColumn, ...]
    listed_classes: Codes
    listed_are_kept: bool
    listed_labels: Codes | None = None
    suppressed_rows: SuppressedRows = SuppressedRows.DROP
    emptied: tuple[str, ...] = ()
    complete: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    coarser: CoarserValues = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.listed_labels is None or (
            self.listed_are_kept and self.listed_labels.shape == self.listed_classes.shape
        ), "labels are those of kept cells"
        if self.listed_labels is None:
            for column in self.recoded:
                column.check_labels()
        odd = [name for name in self.columns if not name or name.startswith("\ufeff")]
        if odd:
            raise SettingsError(
                f"a column is called {odd[0]!r}, which many programs do not read as a name",
                code="unnamed-column",
                column=odd[0],
                remedy="rename it in the source",
            )
        folded: dict[str, str] = {}
        for name in self.columns:
            other = folded.setdefault(name.casefold(), name)
            if other != name:
                raise SettingsError(
                    f"the columns {other!r} and {name!r} differ only in upper and lower case, "
                    "which many programs cannot tell apart",
                    code="duplicate",
                    remedy="rename one in the source",
                )


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where and how rows are written; ``spill`` is a private folder for what memory cannot hold.

    With ``escape_formulas`` a text file has an apostrophe before what a spreadsheet would run.
    """

    path: Path
    format: FileFormat
    spill: Path
    delimiter: str = ","
    compressed: bool = False
    escape_formulas: bool = False


@dataclass(frozen=True, kw_only=True)
class ContentDigest:
    """Rows as a multiset: their number, and a sum of hashes that no order changes."""

    rows: int
    digest: int
