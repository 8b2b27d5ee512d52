"""The settings of a search method in a study file: the table ``[search.NAME]``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import UnionType
from typing import TYPE_CHECKING, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from sfumato.search.catalogue import SEARCHES, method_named, search_methods

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.study.file.study_keys import StudyTable

Kind = TypeVar("Kind")


def settings_kinds(named: Iterable[str] = ()) -> dict[str, type[object]]:
    """Return the dataclasses of the settings of all methods that have some, by method.

    Methods of other packages are among them if they are ``named``, and are imported then.
    """
    offered = {name: method_named(name) for name in named if name in SEARCHES.offers}
    methods = {**search_methods(), **offered}
    return {n: method.settings for n, method in methods.items() if method.settings is not None}


def setting_keys(kind: type[object]) -> tuple[str, ...]:
    """Return the keys of a settings dataclass: its fields, with hyphens."""
    # A settings dataclass is what the catalogue let in.
    return tuple(_key(field.name) for field in dataclasses.fields(kind))  # type: ignore[arg-type]


def read_settings(kind: type[Kind], table: StudyTable) -> Kind:
    """Return the settings of a table; what it leaves out is as usual."""
    hints = get_type_hints(kind)
    default = kind()
    given = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        key = _key(field.name)
        if key in table.values:
            example = getattr(default, field.name)
            given[field.name] = _value(table, key, hints[field.name], example)
    with table.naming():
        return kind(**given)


def _key(field: str) -> str:
    return field.replace("_", "-")


def _value(table: StudyTable, key: str, hint: object, default: object) -> object:
    """Return the value of a key, read as the type of its field wants it."""
    plain = _without_none(hint)
    said = str(default) if isinstance(default, int | float) else "1"
    if get_origin(plain) is Literal:
        return table.choice(key, get_args(plain))
    if get_origin(plain) is Mapping:
        return table.numbers_by_name(key, example="{ k = 5, loss = 100 }")
    if plain is bool:
        return table.flag(key)
    if plain is int:
        return table.whole(key, example=said)
    if plain is float:
        return table.number(key, example=said)
    if plain is str:
        return table.text(key, example=f'"{default}"')
    raise TypeError(f"a study file has no way to write a {plain} yet; teach it here")


def _without_none(hint: object) -> object:
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else hint
    return hint
