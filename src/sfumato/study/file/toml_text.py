"""TOML text of plain values, as a person writes them, and of the places that errors name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import tomlkit
from tomlkit.exceptions import ConvertError

from sfumato.errors import SettingsError, shown
from sfumato.errors.listing import listed

if TYPE_CHECKING:
    from datetime import date, time

    from tomlkit.items import Item, Table


TomlValue: TypeAlias = (
    "str | bool | int | float | date | time | Sequence[TomlValue] | Mapping[str, TomlValue]"
)


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
    blocks = tomlkit.document()
    for key, value in document.items():
        if isinstance(value, Mapping):
            blocks.append(key, _table(value, headers=True))
        elif _is_list_of_tables(value):
            several = tomlkit.aot()
            for each in value:
                several.append(_table(each, headers=False))
            blocks.append(key, several)
        else:
            blocks.append(key, _item(value))
    return tomlkit.dumps(blocks)


def _table(values: Mapping[str, TomlValue], *, headers: bool) -> Table:
    inner = {key for key, value in values.items() if headers and isinstance(value, Mapping)}
    table = tomlkit.table(is_super_table=bool(inner) and len(inner) == len(values))
    for key in sorted(values, key=inner.__contains__):
        value = values[key]
        if isinstance(value, Mapping) and headers:
            table.append(key, _table(value, headers=False))
        else:
            table.append(key, _item(value))
    return table


def _is_list_of_tables(value: TomlValue) -> TypeGuard[Sequence[Mapping[str, TomlValue]]]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return len(value) > 0 and all(isinstance(each, Mapping) for each in value)


def _item(value: TomlValue) -> Item:
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        # Read from its text, because tomlkit itself would leave out the blanks inside the braces.
        return tomlkit.value(value_text(value))
    try:
        return tomlkit.item(value)
    except ConvertError:
        raise SettingsError(
            f"TOML cannot hold {shown(value)}",
            code="wrong-type",
            found=shown(value),
            expected="texts, numbers, dates, lists and tables",
        ) from None


def key_text(key: str) -> str:
    """Return a key, in quotes where it needs them.

    >>> key_text("age"), key_text("marital status")
    ('age', '"marital status"')
    """
    return tomlkit.key(key).as_string()


def value_text(value: TomlValue) -> str:
    """Return a value on one line.

    >>> value_text({"intervals": [5, 10.5], "values": ["a"]}), value_text(True)
    ('{ intervals = [5, 10.5], values = ["a"] }', 'true')
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key_text(key)} = {value_text(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(value_text, value))}]"
    return _item(value).as_string()


def string_text(text: str) -> str:
    r"""Return a text in double quotes, with what cannot stand in them escaped.

    >>> print(string_text('a "quoted" \\ text'))
    "a \"quoted\" \\ text"
    """
    return tomlkit.string(text).as_string()


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
