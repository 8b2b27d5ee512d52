"""How an error names a place in a study file, and shows what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sfumato.errors.listing import listed
from sfumato.study.file.toml_text import key_text, value_text

Place: TypeAlias = "tuple[str | int, ...]"
"""The keys and the numbers in lists that lead from the document to what is meant."""

MOST_SHOWN = 60
"""The greatest length at which a message shows a value as it is written."""


def value_at(document: object, place: Place) -> object:
    """Return what a document has at a place, None if there is nothing."""
    for key in place:
        if isinstance(document, Mapping):
            document = document.get(key)
        elif isinstance(document, Sequence) and isinstance(key, int) and key < len(document):
            document = document[key]
        else:
            return None
    return document


def table_and_key(
    document: object, place: Place, *, methods: Sequence[str] = ()
) -> tuple[str, str | None]:
    """Return a place as the file names it: the header of the table, and the key in it.

    >>> table_and_key({}, ("columns", "marital status", "weight"))
    ('[columns."marital status"]', 'weight')
    >>> table_and_key({"statements": [{}, {}]}, ("statements", 1, "protect"))
    ('[[statements]] number 2', 'protect')
    """
    first, *rest = place
    nested = first == "columns" or (first == "search" and rest[:1] and rest[0] in methods)
    if nested and rest:
        head = f"[{first}.{key_text(str(rest.pop(0)))}]"
    elif first == "statements" and isinstance(value_at(document, ("statements",)), list):
        head = "[[statements]]"
        number = rest.pop(0) if rest else None
        if isinstance(number, int) and len(value_at(document, ("statements",))) > 1:  # type: ignore[arg-type]
            head += f" number {number + 1}"
    else:
        head = f"[{key_text(str(first))}]"
    keys = (f"number {key + 1}" if isinstance(key, int) else key_text(key) for key in rest)
    return head, " ".join(keys) or None


def written(value: object) -> str:
    """Return how a message shows a setting: as TOML has it if that is short.

    >>> written("yes"), written(["a"] * 100)
    ('"yes"', 'a list')
    """
    if isinstance(value, Mapping):
        return f"a table with the keys {listed(list(value))}" if value else "an empty table"
    text = value_text(value)  # type: ignore[arg-type]
    return text if len(text) <= MOST_SHOWN else f"a {'text' if isinstance(value, str) else 'list'}"
