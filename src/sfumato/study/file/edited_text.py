"""The text of a study file with one setting changed: its comments and its order stay."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import tomlkit
from tomlkit.items import AoT, InlineTable, Table

from sfumato.errors import SettingsError
from sfumato.study.file.toml_text import document_text, key_text, value_text

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from sfumato.study.file.toml_text import TomlValue


def with_setting(text: str, place: Sequence[str], value: TomlValue | None) -> str:
    r"""Return the text of a study file with the value at a place, or without that key if None.

    ``place`` are the keys that lead there, such as ("columns", "age", "role"). Tables on the way
    that are not there are made. What the text says elsewhere stays as it is written.

    >>> print(with_setting('[columns.age]  # in years\nrole = "sensitive"\n',
    ...                    ("columns", "age", "role"), "insensitive"), end="")
    [columns.age]  # in years
    role = "insensitive"
    >>> with_setting('[search]\nseed = 1\n', ("search", "seed"), None)
    '[search]\n'
    """
    if not place:
        raise SettingsError(
            "a setting has a key", code="missing-setting", key="place", expected="at least one key"
        )
    document = tomlkit.parse(text)
    wanted = tomllib.loads(text)
    _put(wanted, place, value)
    _put(document, place, value)
    edited = document.as_string()
    try:
        faithful = tomllib.loads(edited) == _plain(wanted)
    except tomllib.TOMLDecodeError:
        faithful = False
    # A table that stands in several places of a file cannot always be changed in place: then the
    # file is written anew from what it says, without its comments.
    return edited if faithful else document_text(wanted)


def _put(document: MutableMapping[str, object], place: Sequence[str], value: object) -> None:
    *tables, key = place
    table: MutableMapping[str, object] = document
    for name in tables:
        if not isinstance(table.get(name), Mapping):
            if value is None:
                return
            table[name] = {} if isinstance(table, dict) and not _is_toml(table) else _table(table)
        table = table[name]  # type: ignore[assignment]
    if value is None:
        table.pop(key, None)
        return
    if not _is_toml(table):
        table[key] = value
        return
    if isinstance(table.get(key), (Table, AoT)):
        # A value cannot take the place of a table with a header: the key goes, and comes again.
        del table[key]
    table[key] = tomlkit.value(value_text(value))  # type: ignore[arg-type]


def _is_toml(table: object) -> bool:
    return isinstance(table, (tomlkit.TOMLDocument, Table, InlineTable)) or hasattr(
        table, "as_string"
    )


def _table(parent: object) -> Table | InlineTable:
    return tomlkit.inline_table() if isinstance(parent, InlineTable) else tomlkit.table()


def _plain(value: object) -> object:
    """Return a value as it is read again: tuples as lists."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def place_text(place: Sequence[str]) -> str:
    """Return the keys of a place as a file has them.

    >>> place_text(("columns", "marital status", "role"))
    'columns."marital status".role'
    """
    return ".".join(map(key_text, place))
