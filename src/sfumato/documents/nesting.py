"""JSON that is read without trusting how deep it is nested."""

from __future__ import annotations

import json

DEEPEST = 100
"""No document of ours is nested so deep."""


class TooDeepError(ValueError):
    """A document is nested deeper than any that sfumato writes."""


def parsed_json(text: str | bytes) -> object:
    """Return the value of a JSON text; a ValueError says that it is none, or nested too deep.

    >>> parsed_json('{"k": [5]}')
    {'k': [5]}
    >>> parsed_json("[" * 200_000)
    Traceback (most recent call last):
    ...
    sfumato.documents.nesting.TooDeepError: it is nested more than 100 levels deep
    """
    try:
        value: object = json.loads(text)
    except RecursionError:
        raise TooDeepError(f"it is nested more than {DEEPEST} levels deep") from None
    check_depth(value)
    return value


def check_depth(value: object) -> None:
    """Refuse a value of lists and tables that is nested too deep."""
    level = [value]
    for _ in range(DEEPEST):
        inside: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inside.extend(each.values())
            elif isinstance(each, list):
                inside.extend(each)
        if not inside:
            return
        level = [each for each in inside if isinstance(each, dict | list)]
    raise TooDeepError(f"it is nested more than {DEEPEST} levels deep")
