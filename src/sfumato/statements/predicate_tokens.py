"""The words of a predicate, and errors that point at the character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sfumato.errors import SettingsError
from sfumato.statements.predicate import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
    | (?P<sign>!=|[(){},=])
    | (?P<quoted>"(?:[^"]|"")*" | '(?:[^']|'')*' | `(?:[^`]|``)*`)
    | (?P<bare>[^\s(){},=!"'`]+)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word, a keyword, a sign or the end, and where it begins."""

    kind: str
    text: str
    start: int


def tokens_of(text: str) -> Iterator[Token]:
    """Iterate over the tokens of a text, up to its end.

    >>> [token.text for token in tokens_of("Health != 'very ill'")]
    ['Health', '!=', 'very ill', '']
    """
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            sign = text[place]
            if sign in "\"'`":
                doubled = f"a {sign} inside a quoted text is doubled"
                fail(text, place, f"this {sign} is not closed", found=repr(sign), remedy=doubled)
            fail(text, place, "! stands before = only", found="'!'", suggestion="not")
        kind = str(match.lastgroup)
        if kind == "bare" and match[0] in (*KEYWORDS, *map(str.upper, KEYWORDS)):
            yield Token("keyword", match[0], place)
        elif kind == "quoted":
            quote = match[0][0]
            yield Token("word", match[0][1:-1].replace(quote * 2, quote), place)
        elif kind != "blank":
            yield Token("word" if kind == "bare" else "sign", match[0], place)
        place = match.end()
    yield Token("end", "", len(text))


def fail(
    text: str,
    place: int,
    problem: str,
    *,
    found: str | None = None,
    expected: str | None = None,
    suggestion: str | None = None,
    remedy: str | None = None,
) -> NoReturn:
    """Refuse a text, with a caret below the character at a place."""
    raise SettingsError(
        problem,
        code="not-a-predicate",
        character=place + 1,
        found=found,
        expected=expected,
        suggestion=suggestion,
        remedy=remedy,
        excerpt=text,
    )
