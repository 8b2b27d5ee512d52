"""Lines of Python that read a label of a codebook back into values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.recoding.label_reader import set_items

if TYPE_CHECKING:
    from sfumato.release.codebook.codebook import Codebook, CodebookColumn

_WHOLE = re.compile(r"\[(?P<low>0|-?[1-9]\d*), (?P<high>0|-?[1-9]\d*)(?P<end>[\])])")
"""An interval of whole numbers; codes like 00201 are not numbers."""
_OUTPUTS = ("hierarchy", "interval", "set")


def reading_example(book: Codebook) -> str:
    """Return lines that read a label of the release.

    They run as they are where the release has a set or an interval of whole numbers, and name
    the hierarchy that somebody must get elsewhere where it has neither.
    """
    for name, column in book.columns.items():
        for each in column.labels:
            domain = _domain(each.label)
            if domain is not None and column.statistic is None:
                return _lines(
                    "# The values that the column can have, as far as you know them.",
                    f"domain = {domain}.build([], column={name!r})",
                    _read(each.label, column, "domain"),
                )
    for name, column in book.columns.items():
        for each in column.labels[:1]:
            return _lines(
                f"# hierarchy: that of {name!r}, as the study of the publisher builds it,",
                "# or from a file: sf.read_hierarchy_csv(path).",
                _read(each.label, column, "hierarchy"),
            )
    return "import sfumato as sf"


def _lines(*lines: str) -> str:
    return "\n".join(["import sfumato as sf", "", *lines])


def _read(label: str, column: CodebookColumn, hierarchy: str) -> str:
    output = f", output={column.kind!r}" if column.kind in _OUTPUTS else ""
    return f"sf.read_label({label!r}, {hierarchy}{output}).values"


def _domain(label: str) -> str | None:
    """Return a domain in which a label can be read, made of the label alone."""
    items = set_items(label)
    if items is not None:
        return f"sf.Flat(values={items!r})"
    found = _WHOLE.fullmatch(label)
    if found is None:
        return None
    last = int(found["high"]) - (found["end"] == ")")
    return f"sf.Intervals(low={int(found['low'])}, high={last}, widths=[])"
