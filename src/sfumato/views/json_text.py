"""Views as JSON: as texts for scripts, and in a form that can stand inside a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sfumato.documents.json_values import json_value

if TYPE_CHECKING:
    from sfumato.documents.json_values import JsonValue

_SIGNIFICANT = 7


def script_json(view: object) -> str:
    """Return a view as ``--json`` prints it.

    >>> print(script_json({"k": 5}))
    {
      "k": 5
    }
    """
    return json.dumps(json_value(view), ensure_ascii=False, indent=2, allow_nan=False)


def page_json(view: object) -> str:
    r"""Return a view as compact JSON in which nothing can end a script or begin a tag.

    Numbers are rounded to seven digits: no page shows more.

    >>> page_json({"</script>": 0.30000000004})
    '{"\\u003c/script\\u003e":0.3}'
    """
    rounded = _rounded(json_value(view))
    text = json.dumps(rounded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # The last two are line ends to some readers of scripts.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _rounded(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return int(value) if value == int(value) else float(f"{value:.{_SIGNIFICANT}g}")
    return value
