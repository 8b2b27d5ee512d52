"""What the labels of a column look like, and how each form is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.hierarchies.partitioned_domain import TOP
from sfumato.recoding.label_reader import set_items

if TYPE_CHECKING:
    from sfumato.release.codebook.codebook import CodebookColumn, CodebookLabel

EXAMPLES = 4
"""How many labels are shown of every form."""


@dataclass(frozen=True, kw_only=True)
class LabelForm:
    """A form that labels of a column have: what it is called, what it means, how many have it."""

    name: str
    meaning: str
    labels: int
    examples: tuple[str, ...]


MEANINGS = {
    "value": "this value",
    "value or group": "this value, or a value of the group that has this name",
    "statistic": "the {statistic} of the rows of a {block}",
    "group of a level": "a value of the group that has this name at that level of the hierarchy",
    "interval": "from the first to the last value, both included",
    "half-open interval": "from the first value on, and less than the last",
    "set": "one of the values in braces",
    "or missing": "what comes before “or”, or a missing value",
    "everything": "any value of the column",
}
"""What a form means, by its name, in the order in which forms are shown."""

_CLOSED = re.compile(r"\[[^\[\]()]+, [^\[\]()]+\]")
_HALF_OPEN = re.compile(r"\[[^\[\]()]+, [^\[\]()]+\)")
_LEVEL = re.compile(r".+ \(level \d+\)", re.DOTALL)


def label_forms(column: CodebookColumn) -> tuple[LabelForm, ...]:
    """Return the forms that the labels of a column have, with labels as examples.

    >>> from sfumato.release.codebook.codebook import CodebookColumn, CodebookLabel
    >>> labels = tuple(CodebookLabel(label=text) for text in ("Ulm", "{Bonn, Ulm}"))
    >>> column = CodebookColumn(kind="set", form="a value, or a set", labels=labels)
    >>> [(form.name, form.examples) for form in label_forms(column)]
    [('value', ('Ulm',)), ('set', ('{Bonn, Ulm}',))]
    """
    found: dict[str, list[str]] = {}
    for label in column.labels:
        found.setdefault(_form(column, label), []).append(label.label)
    return tuple(
        LabelForm(
            name=name,
            meaning=meaning.format(
                statistic=column.statistic, block="class" if column.kind == "class" else "block"
            )
            + ("; each of them occurs in the class" if name == column.kind == "set" else "")
            + ("; both ends occur in the class" if name == column.kind == "interval" else ""),
            labels=len(found[name]),
            examples=tuple(found[name][:EXAMPLES]),
        )
        for name, meaning in MEANINGS.items()
        if name in found
    )


def _form(column: CodebookColumn, label: CodebookLabel) -> str:
    text, kind = label.label, column.kind
    if column.statistic is not None:
        return "statistic"
    if text == TOP:
        return "everything"
    if set_items(text) is not None:
        return "set"
    if label.missing or (kind == "interval" and re.search(r"[\])] or .", text)):
        return "or missing"
    if _CLOSED.fullmatch(text):
        return "interval"
    if _HALF_OPEN.fullmatch(text):
        return "half-open interval"
    if " to " in text and (kind == "interval" or label.first is not None):
        return "interval"
    if kind in ("interval", "set"):
        return "value"
    return "group of a level" if _LEVEL.fullmatch(text) else "value or group"
