"""The codebook of a release: what the labels of every column mean, for readers of the data.

It has the labels that occur in the file, and what they cover as far as the file or the declared
domains tell it: never a value because somebody who was suppressed has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.documents.record import Record
from sfumato.errors import HierarchyError
from sfumato.recoding.label_reader import LabelReader, set_items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.microdata.count_table import CountedQuasiIdentifier
    from sfumato.recoding.written_column import WrittenColumn

CODEBOOK: Literal["sfumato codebook 1"] = "sfumato codebook 1"

FORMS = {
    "level": "blocks of one level of the hierarchy",
    "partition": "blocks of one partition of the domain",
    "hierarchy": "a value, or the name of a group; (level n) after a name that several groups have",
    "interval": "a value; [low, high] with both ends; [low, high) without the upper end; "
    "first to last",
    "set": 'a value, or {value, value}; a value with a comma, a brace or " is quoted, " doubled',
}
"""What labels look like, by their kind."""


class ShownStatistic(NamedTuple):
    """The statistic that stands in place of labels, and what its texts look like."""

    name: str
    form: str


class CodebookLabel(Record):
    """A label, and what it covers where that may be told."""

    label: str = Field(description="The text in the file.")
    first: str | None = Field(default=None, description="The first value of an interval.")
    last: str | None = Field(default=None, description="The last value of an interval.")
    values: tuple[str, ...] | None = Field(default=None, description="The values it covers.")
    missing: bool = Field(default=False, description="Whether it covers missing values.")


class CodebookColumn(Record):
    """A quasi-identifier: what its labels are."""

    kind: Literal["level", "partition", "hierarchy", "interval", "set", "class"] = Field(
        description="What the labels are; of a class only its statistic is told."
    )
    form: str = Field(description="What labels look like.")
    statistic: str | None = Field(
        default=None, description="The statistic of its rows that stands for every block."
    )
    labels: tuple[CodebookLabel, ...] = Field(description="The labels that occur.")


class Codebook(Record):
    """What the labels of a released file mean."""

    kind: Literal["sfumato codebook 1"] = Field(description="The kind and its version.")
    file: str = Field(description="The name of the file.")
    sha256: str = Field(description="The SHA-256 of the file, or of its parts.")
    suppressed: str = Field(description="What suppressed rows look like.")
    columns: dict[str, CodebookColumn] = Field(description="The quasi-identifiers, by name.")
    changed: dict[str, str] = Field(
        default={}, description="How the values of other columns were changed, by name."
    )


def codebook(
    file: str,
    sha256: str,
    *,
    starred: bool,
    identifiers: Sequence[CountedQuasiIdentifier],
    columns: Sequence[WrittenColumn],
    occurring: Mapping[str, Mapping[str | None, int]],
    statistics: Mapping[str, ShownStatistic],
    changed: Mapping[str, str],
) -> Codebook:
    """Return the codebook of a release.

    ``statistics`` are what stands in the place of labels in a microaggregated release.
    """
    return Codebook(
        kind=CODEBOOK,
        file=file,
        sha256=sha256,
        suppressed="* in every quasi-identifier" if starred else "left out",
        columns={
            column.name: _column(
                identifier,
                column,
                occurring[column.name],
                statistic=statistics.get(column.name),
            )
            for identifier, column in zip(identifiers, columns, strict=True)
        },
        changed=dict(changed),
    )


def _column(
    identifier: CountedQuasiIdentifier,
    column: WrittenColumn,
    occurring: Mapping[str | None, int],
    *,
    statistic: ShownStatistic | None,
) -> CodebookColumn:
    if column.by_class:
        kind = "class"
    elif column.output is not None:
        kind = column.output.value
    else:
        kind = "level" if column.level is not None else "partition"
    reader = LabelReader(
        hierarchy=identifier.hierarchy,
        output=column.output,
        minimum_level=identifier.minimum_level,
    )
    labels = []
    for code, text in enumerate(column.labels):
        if text is None or text not in occurring or column.by_class:
            continue
        if not identifier.domain_declared:
            labels.append(_told_by_itself(text, kind))
            continue
        if column.partition is not None:
            leaves: Codes | None = np.flatnonzero(column.code_of_leaf == code).astype(np.int32)
        else:
            leaves = _read(reader, text, size=int(column.sizes[code]))
        labels.append(_label(text, leaves, identifier, named=text))
    if column.by_class:
        # A class shows its statistic, and nothing of what its rows have.
        labels = [CodebookLabel(label=str(text)) for text in occurring]
    labels.sort(key=lambda each: each.label)
    form = FORMS[kind] if statistic is None else statistic.form
    which = None if statistic is None else statistic.name
    return CodebookColumn.model_validate(
        {"kind": kind, "form": form, "statistic": which, "labels": tuple(labels)}
    )


def _read(reader: LabelReader, text: str, *, size: int) -> Codes | None:
    """Return the leaves of a label; None where its text alone is not enough to tell them.

    The name of a group can be that of a value that no kept row has.
    """
    try:
        leaves = reader.leaves(text)
    except HierarchyError:
        return None
    return leaves if leaves is not None and leaves.size == size else None


def _told_by_itself(text: str, kind: str) -> CodebookLabel:
    """Return a label of a domain that is what occurs: only a set lists what it covers."""
    items = set_items(text) if kind == "set" else None
    return CodebookLabel(label=text, values=None if items is None else tuple(items))


def _label(
    text: str, leaves: Codes | None, identifier: CountedQuasiIdentifier, *, named: str
) -> CodebookLabel:
    if leaves is None:
        return CodebookLabel(label=text)
    domain, missing = identifier.hierarchy.domain, identifier.hierarchy.missing_leaf
    known = leaves if missing is None else leaves[leaves != missing]
    # A group covers missing values because some are missing, perhaps of suppressed people only.
    gap = missing is not None and known.size < leaves.size and domain.leaves[missing] in named
    names = [domain.leaves[leaf] for leaf in known.tolist()]
    unbroken = known.size > 1 and int(known[-1] - known[0]) == known.size - 1
    if domain.ordered and unbroken:
        return CodebookLabel(label=text, first=names[0], last=names[-1], missing=gap)
    return CodebookLabel(label=text, values=tuple(names), missing=gap)
