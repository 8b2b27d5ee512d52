"""The text of a member, as study files and the command line write it.

``name`` or ``name(parameter=value, …)``; a value that holds one of ``, ( ) = " '`` or begins or
ends with a space is quoted, with a backslash before quotes and backslashes inside it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN = re.compile(r"[^\s,()='\"\\](?:[^,()='\"\\\n]*[^\s,()='\"\\])?")
_WHOLE = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\((?P<inside>.*)\))?\s*", re.DOTALL)
_PARAMETER = re.compile(
    r"\s*(?P<name>\w+)\s*=\s*"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'|(?P<plain>[^,()='\"\\]+))"
    r"\s*(?:,|$)",
    re.DOTALL,
)


def write_measure(name: str, parameters: Mapping[str, object]) -> str:
    """Return the text of a measure, or another member, and its parameters.

    >>> write_measure("k", {}), write_measure("recursive-l", {"c": 3.0})
    ('k', 'recursive-l(c=3)')
    """
    if not parameters:
        return name
    inside = ", ".join(f"{key}={_written(value)}" for key, value in parameters.items())
    return f"{name}({inside})"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_written, value))
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    text = str(value)
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


MEASURE_HINT = (
    "its name, like k, or its name and parameters, like recursive-l(c=3) or "
    "s-l(column='marital status')"
)


def read_measure(
    text: str, *, noun: str = "measure", hint: str = MEASURE_HINT
) -> tuple[str, dict[str, str]]:
    """Return the name and the still untyped parameters of a text.

    Other families give their ``noun``, and a ``hint``: what an error expects.

    >>> read_measure("s-l(column='marital status')")
    ('s-l', {'column': 'marital status'})
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        raise _malformed(text, noun, hint)
    inside = whole["inside"]
    parameters: dict[str, str] = {}
    position = 0
    while inside is not None and inside[position:].strip():
        found = _PARAMETER.match(inside, position)
        if found is None:
            raise _malformed(text, noun, hint)
        if found["name"] in parameters:
            raise SettingsError(
                f"{noun} {text!r} gives the parameter {found['name']!r} twice",
                code="duplicate",
                found=repr(found["name"]),
            )
        quoted = found["double"] if found["double"] is not None else found["single"]
        parameters[found["name"]] = (
            found["plain"].strip() if quoted is None else re.sub(r"(?s)\\(.)", r"\1", quoted)
        )
        position = found.end()
    return whole["name"], parameters


def _malformed(text: str, noun: str, hint: str) -> SettingsError:
    return SettingsError(
        f"{text!r} does not name a {noun}", code="not-a-name", found=repr(text), expected=hint
    )
