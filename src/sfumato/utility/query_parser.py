"""The text of a COUNT query: conditions joined by ``and``, each about another column.

::

    query     = [ "where" ] condition { "and" condition }
    condition = word "between" word "and" word
              | word ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) word
              | word "in" ( "{" | "(" ) word { "," word } ( "}" | ")" )
    word      = bare word | "quoted" | 'quoted' | `quoted`
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
    | (?P<sign><=|>=|!=|[<>=(){},])
    | (?P<quoted>"(?:[^"]|"")*" | '(?:[^']|'')*' | `(?:[^`]|``)*`)
    | (?P<bare>[^\s(){},<>=!"'`]+)
    """,
    re.VERBOSE,
)
_KEYWORDS = ("where", "and", "between", "in")
_ENDS = {"{": "}", "(": ")"}
SIGNS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, kw_only=True)
class AskedCondition:
    """A condition as it is written: ``between`` has two words, ``in`` any number, others one."""

    column: str
    sign: str
    words: tuple[str, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def parse_query(text: str) -> tuple[AskedCondition, ...]:
    """Return the conditions of a query, or say where its text cannot be read.

    >>> [(c.column, c.sign, c.words) for c in parse_query('age between 30 and 40 and sex = "F"')]
    [('age', 'between', ('30', '40')), ('sex', '=', ('F',))]
    """
    return _Reader(text).query()


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            _fail(text, place, f"{text[place]} cannot be read here")
        kind = str(match.lastgroup)
        if kind == "quoted":
            quote = match[0][0]
            yield _Token("word", match[0][1:-1].replace(quote * 2, quote), place)
        elif kind == "bare":
            keyword = match[0].lower() in _KEYWORDS
            yield _Token(
                "keyword" if keyword else "word", match[0].lower() if keyword else match[0], place
            )
        elif kind == "sign":
            yield _Token("sign", match[0], place)
        place = match.end()
    yield _Token("end", "", len(text))


def _fail(text: str, place: int, problem: str) -> NoReturn:
    raise SettingsError(
        f"the query {text!r} cannot be read at character {place + 1}: {problem}",
        code="not-a-query",
        key="queries",
        found=repr(text),
        expected="conditions joined by and, like 'age between 30 and 40 and sex = F'",
    )


class _Reader:
    """Reads a query token by token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0

    def query(self) -> tuple[AskedCondition, ...]:
        self._take("keyword", "where")
        found = [self._condition()]
        while self._take("keyword", "and"):
            found.append(self._condition())
        if self._now.kind != "end":
            self._refuse("expected and, or the end")
        columns = [each.column for each in found]
        twice = [name for name in columns if columns.count(name) > 1]
        if twice:
            raise SettingsError(
                f"the query {self._text!r} has several conditions about {twice[0]!r}",
                code="duplicate",
                key="queries",
                column=twice[0],
                found=repr(self._text),
                remedy="join them into one, like age between 30 and 40",
            )
        return tuple(found)

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _refuse(self, problem: str) -> NoReturn:
        _fail(self._text, self._now.start, problem)

    def _take(self, kind: str, text: str) -> bool:
        if (self._now.kind, self._now.text) != (kind, text):
            return False
        self._at += 1
        return True

    def _word(self, what: str) -> str:
        if self._now.kind != "word":
            self._refuse(f"expected {what}")
        self._at += 1
        return self._tokens[self._at - 1].text

    def _condition(self) -> AskedCondition:
        column = self._word("the name of a column")
        if self._take("keyword", "between"):
            low = self._word("a value")
            if not self._take("keyword", "and"):
                self._refuse("expected and, between the two values of between")
            return AskedCondition(column=column, sign="between", words=(low, self._word("a value")))
        if self._take("keyword", "in"):
            return AskedCondition(column=column, sign="in", words=self._list())
        sign = self._now.text
        if self._now.kind != "sign" or sign not in SIGNS:
            self._refuse("expected between, in, or one of = != < <= > >=")
        self._at += 1
        return AskedCondition(column=column, sign=sign, words=(self._word("a value"),))

    def _list(self) -> tuple[str, ...]:
        opened = self._now.text
        if self._now.kind != "sign" or opened not in _ENDS:
            self._refuse("expected { or (")
        self._at += 1
        words = [self._word("a value")]
        while self._take("sign", ","):
            words.append(self._word("a value"))
        if not self._take("sign", _ENDS[opened]):
            self._refuse(f"expected , or {_ENDS[opened]}")
        return tuple(words)
