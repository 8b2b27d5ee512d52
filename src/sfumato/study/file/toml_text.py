"""TOML text of plain values: what `tomllib` reads back unchanged."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import TypeAlias, TypeGuard

from sfumato.errors import SettingsError, shown

TomlValue: TypeAlias = (
    "str | bool | int | float | date | time | Sequence[TomlValue] | Mapping[str, TomlValue]"
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f]')


def document_text(document: Mapping[str, TomlValue]) -> str:
    """Return a whole document: tables and the tables in them under headers, deeper ones inline.

    Lists of tables are written table by table too, at the top of the document.

    >>> document = {"source": {"path": "people.csv"}, "columns": {"marital status": {"x": [1]}}}
    >>> print(document_text(document), end="")
    [source]
    path = "people.csv"
    <BLANKLINE>
    [columns."marital status"]
    x = [1]
    """
    return "\n".join("\n".join(block) + "\n" for block in _blocks(document, place=()))


def _blocks(table: Mapping[str, TomlValue], *, place: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the lines of a table, then those of the tables in it."""
    inner = {
        key: value for key, value in table.items() if isinstance(value, Mapping) and len(place) < 2
    }
    several = {} if place else {key: v for key, v in table.items() if _is_list_of_tables(v)}
    lines = [
        f"{key_text(key)} = {value_text(value)}"
        for key, value in table.items()
        if key not in inner and key not in several
    ]
    if place and (lines or not inner):
        lines.insert(0, f"[{'.'.join(map(key_text, place))}]")
    if lines:
        yield lines
    for key, value in inner.items():
        yield from _blocks(value, place=(*place, key))
    for key, tables in several.items():
        for each in tables:
            inside = [f"{key_text(name)} = {value_text(value)}" for name, value in each.items()]
            yield [f"[[{key_text(key)}]]", *inside]


def _is_list_of_tables(value: TomlValue) -> TypeGuard[Sequence[Mapping[str, TomlValue]]]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return len(value) > 0 and all(isinstance(each, Mapping) for each in value)


def key_text(key: str) -> str:
    """Return a key, in quotes where it needs them.

    >>> key_text("age"), key_text("marital status")
    ('age', '"marital status"')
    """
    return key if _BARE.fullmatch(key) else string_text(key)


def value_text(value: TomlValue) -> str:
    """Return a value on one line.

    >>> value_text({"intervals": [5, 10.5], "values": ["a"]}), value_text(True)
    ('{ intervals = [5, 10.5], values = ["a"] }', 'true')
    """
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key_text(key)} = {value_text(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(value_text, value))}]"
    raise SettingsError(f"TOML cannot hold {shown(value)}; use texts, numbers, lists and tables")


def string_text(text: str) -> str:
    r"""Return a text in double quotes, with what cannot stand in them escaped.

    >>> print(string_text('a "quoted" \\ text'))
    "a \"quoted\" \\ text"
    """
    return '"' + _SPECIAL.sub(lambda found: _escaped(found[0]), text) + '"'


def _escaped(character: str) -> str:
    return _ESCAPES.get(character, f"\\u{ord(character):04X}")
