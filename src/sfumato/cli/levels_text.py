"""Levels on the command line: ``age=3,sex=0``; a name may stand in quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLAIN = re.compile(r"[^\s,='\"\\](?:[^,='\"\\\n]*[^\s,='\"\\])?")
_ONE = re.compile(
    r"\s*(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'|(?P<plain>[^,='\"]+?))"
    r"\s*=\s*(?P<level>[^,]*?)\s*(?:,|$)",
    re.DOTALL,
)


def write_levels(levels: Mapping[str, int]) -> str:
    """Return levels as ``--levels`` takes them.

    >>> write_levels({"age": 3, "marital status": 1, "a=b": 0})
    'age=3,marital status=1,"a=b"=0'
    """
    return ",".join(f"{_written(name)}={level}" for name, level in levels.items())


def read_levels(text: str | None, single: Sequence[str] = ()) -> dict[str, int]:
    """Return the levels of ``--levels``, and of each ``--level NAME=N``, by column.

    >>> read_levels("age=3, sex=0"), read_levels(None, ["a=b=2"])
    ({'age': 3, 'sex': 0}, {'a=b': 2})
    """
    levels: dict[str, int] = {}
    position = 0
    while text is not None and text[position:].strip():
        found = _ONE.match(text, position)
        if found is None:
            raise SettingsError(
                f"--levels {text!r} cannot be read from {text[position:]!r} on",
                code="not-levels",
                key="--levels",
                found=repr(text),
                expected="'age=3,sex=0', with names that hold , or = in quotes, or --level NAME=N "
                "for each",
            )
        quoted = found["double"] if found["double"] is not None else found["single"]
        name = found["plain"] if quoted is None else re.sub(r"(?s)\\(.)", r"\1", quoted)
        _add(levels, name, found["level"])
        position = found.end()
    for each in single:
        name, equals, level = each.rpartition("=")
        if not equals:
            raise SettingsError(
                f"--level {each!r} has no level",
                code="not-levels",
                key="--level",
                found=repr(each),
                expected="NAME=N, like age=3",
            )
        _add(levels, name, level)
    return levels


def _add(levels: dict[str, int], name: str, level: str) -> None:
    if name in levels:
        raise SettingsError(
            f"column {name!r} has two levels", code="duplicate", column=name, remedy="give it one"
        )
    try:
        levels[name] = int(level)
    except ValueError:
        raise SettingsError(
            f"the level of column {name!r} is {level!r}",
            code="not-a-number",
            column=name,
            found=repr(level),
            expected="a whole number, like 0",
        ) from None


def _written(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
