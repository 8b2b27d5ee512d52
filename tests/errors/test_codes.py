"""The codes of all errors in the source, also of those that are seldom raised."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import sfumato

PACKAGE = Path(sfumato.__file__).parent


@cache
def codes() -> frozenset[str]:
    """Return every literal that stands in the code of a call."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "code":
                value = node.value
                choices = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                found |= {
                    each.value
                    for each in choices
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return frozenset(found)


def test_every_code_is_in_kebab_case() -> None:
    assert "out-of-range" in codes()
    assert [code for code in codes() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)] == []
