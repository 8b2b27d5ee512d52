"""Values as JSON that can stand inside a page."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass

_SIGNIFICANT = 7


def json_text(value: object) -> str:
    r"""Return a value as compact JSON in which nothing can end a script or begin a tag.

    Metrics are rounded to seven digits, which no page shows; infinite ones become texts, as JSON
    has no number for them.

    >>> json_text({"</script>": 0.30000000004})
    '{"\\u003c/script\\u003e":0.3}'
    """
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # The last two are line ends to some readers of scripts.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return _number(value)
    return value


def _number(value: float) -> float | int | str:
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return int(value)
    return float(f"{value:.{_SIGNIFICANT}g}")
