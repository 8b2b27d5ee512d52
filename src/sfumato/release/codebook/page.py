"""The codebook as a page: one HTML file without scripts that needs nothing else."""

from __future__ import annotations

from html import escape
from string import Template
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.partitioned_domain import TOP
from sfumato.pages.frame import facts_list, framed_page, part
from sfumato.release.codebook.label_forms import LabelForm, label_forms
from sfumato.release.codebook.reading_example import reading_example

if TYPE_CHECKING:
    from sfumato.release.codebook.codebook import Codebook, CodebookColumn, CodebookLabel

MOST_VALUES = 30
"""How many values are listed of one label; the JSON codebook has all."""

LOCAL = ("hierarchy", "interval", "set")
OVERLAP = (
    "Labels differ from class to class: one value can have several labels, and labels can overlap. "
    "Counting rows by label does not count them by value."
)
STATISTICS = (
    "A cell shows a statistic of its class, the rows that are equal in all quasi-identifiers. The "
    "same original value can become another one in another class."
)
ONE_LABEL = "A value has the same label in all rows."


def codebook_page(book: Codebook) -> str:
    """Return the page of a codebook; all its texts are escaped."""
    room = "sfumato.release.codebook"
    body = Template(part(room, "codebook.html")).substitute(
        file=escape(book.file),
        overlap=_overlap(book),
        facts=facts_list(
            [
                ("File", book.file),
                ("SHA-256", book.sha256),
                ("Quasi-identifiers", ", ".join(book.columns)),
                ("Suppressed rows", book.suppressed),
                *((f"Column {name}", how) for name, how in book.changed.items()),
            ]
        ),
        columns="\n".join(
            _column(number, name, column)
            for number, (name, column) in enumerate(book.columns.items(), start=1)
        ),
        reading=escape(reading_example(book)),
    )
    return framed_page(
        title=f"Codebook of {book.file}", body=body, styles=[part(room, "codebook.css")]
    )


def _overlap(book: Codebook) -> str:
    """Say whether rows can be counted by their labels."""
    kinds = {column.kind for column in book.columns.values()}
    if "class" in kinds:
        return STATISTICS
    return OVERLAP if kinds.intersection(LOCAL) else ONE_LABEL


def _column(number: int, name: str, column: CodebookColumn) -> str:
    forms = "".join(map(_form, label_forms(column)))
    return (
        f'<section aria-labelledby="column-{number}"><h2 id="column-{number}">{escape(name)}</h2>'
        f"<p>{counted(len(column.labels), 'different label')}: {escape(_kind(column))}.</p>"
        '<div class="scroll"><table class="forms"><thead><tr><th scope="col">form</th>'
        '<th scope="col" class="number">labels</th><th scope="col">like</th>'
        '<th scope="col">stands for</th></tr></thead><tbody>'
        f"{forms}</tbody></table></div>{_groups(column)}</section>"
    )


def _kind(column: CodebookColumn) -> str:
    if column.statistic is not None:
        return column.form
    return {
        "level": "the blocks of one level of a hierarchy",
        "partition": "the blocks of one partition of the values",
        "hierarchy": "nodes of a hierarchy",
        "interval": "intervals",
        "set": "sets of values",
    }[column.kind]


def _form(form: LabelForm) -> str:
    examples = "".join(f"<code>{escape(example)}</code>" for example in form.examples)
    more = "…" if form.labels > len(form.examples) else ""
    return (
        f'<tr><th scope="row">{escape(form.name)}</th><td class="number">{form.labels:,}</td>'
        f'<td><span class="labels">{examples}{more}</span></td><td>{escape(form.meaning)}</td></tr>'
    )


def _groups(column: CodebookColumn) -> str:
    """Return what the labels cover that do not say it themselves."""
    if column.kind in ("interval", "set"):
        return ""
    rows = [
        f"<tr><td><code>{escape(each.label)}</code></td><td>{covered}</td></tr>"
        for each in column.labels
        if each.label != TOP and (covered := _covered(each))
    ]
    if not rows:
        return ""
    opened = " open" if len(rows) <= MOST_VALUES else ""
    return (
        f"<details{opened}><summary>What {counted(len(rows), 'label')} "
        f"{'covers' if len(rows) == 1 else 'cover'}</summary>"
        '<div class="scroll tall"><table class="groups"><thead><tr><th scope="col">label</th>'
        f'<th scope="col">covers</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        "</details>"
    )


def _covered(label: CodebookLabel) -> str:
    """Return the values under a label, nothing if the label is the only one or none is told."""
    if label.first is not None and label.last is not None:
        text = f"<code>{escape(label.first)}</code> to <code>{escape(label.last)}</code>"
    elif label.values is not None and label.values != (label.label,):
        values = label.values[:MOST_VALUES]
        text = ", ".join(f"<code>{escape(value)}</code>" for value in values)
        more = len(label.values) - len(values)
        text += f" and {counted(more, 'more value')}" if more else ""
    else:
        return ""
    return f"{text}, and missing values" if label.missing else text
