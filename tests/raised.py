"""Assertions about the fields of an error; the words are free to change."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import pytest

from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = TypeVar("Kind", bound=SfumatoError)


@contextmanager
def raises(
    kind: type[Kind],
    *,
    code: str,
    file: object = None,
    table: str | None = None,
    column: str | None = None,
    key: str | None = None,
    line: int | None = None,
    character: int | None = None,
    found: str | None = None,
    expected: str | tuple[str, ...] | None = None,
    suggestion: str | None = None,
) -> Iterator[pytest.ExceptionInfo[Kind]]:
    """Expect an error of a kind whose fields are those that are given; others may be anything."""
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    wanted = {
        "code": (code, error.code),
        "file": (None if file is None else str(file), error.where.file),
        "table": (table, error.where.table),
        "column": (column, error.where.column),
        "key": (key, error.where.key),
        "line": (line, error.where.line),
        "character": (character, error.where.character),
        "found": (found, error.found),
        "expected": (expected, error.expected),
        "suggestion": (suggestion, error.suggestion),
    }
    given = {name: pair for name, pair in wanted.items() if pair[0] is not None}
    assert {name: has for name, (_, has) in given.items()} == {
        name: asked for name, (asked, _) in given.items()
    }, str(error)
