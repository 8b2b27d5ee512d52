"""The text of a predicate, read by recursive descent; errors point at the character.

::

    predicate   = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation    = "not" negation | "(" predicate ")" | atom
    atom        = word ( "=" | "!=" ) word
                | word [ "not" ] "in" "{" word { "," word } "}"
    word        = bare word | "quoted" | 'quoted' | `quoted`
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sfumato.errors import SettingsError, shown
from sfumato.statements.predicate import KEYWORDS, And, Atom, Not, Or, Predicate

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


_MOST_NESTED = 100
_OTHER_SIGNS = {
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "∧": "and",
    "∨": "or",
}
"""What other languages write, and what it is here."""


def predicate(text: str | Predicate) -> Predicate:
    """Return the predicate that a text says; a predicate is returned as it is.

    ``not`` binds tighter than ``and``, ``and`` tighter than ``or``. Names and values with blanks,
    signs or keywords stand in quotes of any kind; a quote inside is doubled.

    >>> str(predicate('Health=2 or not (Health = 1 and Income in {"300K", 400K})'))
    'Health = 2 or not (Health = 1 and Income in {300K, 400K})'
    """
    if isinstance(text, Predicate):
        return text
    if not isinstance(text, str):
        raise SettingsError(
            f"{shown(text)} is not a predicate",
            code="not-a-predicate",
            found=shown(text),
            expected="a text like 'Health = 2'",
        )
    parser = _Parser(text=text, tokens=list(tokens_of(text)))
    found = parser.disjunction(0)
    parser.finish()
    return found


@dataclass
class _Parser:
    """Reads tokens from left to right, one function for every rule of the grammar."""

    text: str
    tokens: list[Token]
    position: int = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self, kind: str, *texts: str) -> Token | None:
        """Return the next token and step over it if it is one of these."""
        token = self.next
        if token.kind != kind or (texts and token.text.lower() not in texts):
            return None
        self.position += 1
        return token

    def expected(
        self, what: str, *, suggestion: str | None = None, remedy: str | None = None
    ) -> NoReturn:
        token = self.next
        fail(
            self.text,
            token.start,
            "the predicate ends here"
            if token.kind == "end"
            else f"the predicate has {token.text!r} here",
            found="the end" if token.kind == "end" else repr(token.text),
            expected=what,
            suggestion=suggestion,
            remedy=remedy,
        )

    def disjunction(self, depth: int) -> Predicate:
        parts = [self.conjunction(depth)]
        while self.take("keyword", "or"):
            parts.append(self.conjunction(depth))
        return Or.of(parts)

    def conjunction(self, depth: int) -> Predicate:
        parts = [self.negation(depth)]
        while self.take("keyword", "and"):
            parts.append(self.negation(depth))
        return And.of(parts)

    def negation(self, depth: int) -> Predicate:
        if depth > _MOST_NESTED:
            fail(
                self.text,
                self.next.start,
                "the predicate is nested too deep",
                expected=f"at most {_MOST_NESTED} levels",
            )
        if self.take("keyword", "not"):
            return Not(part=self.negation(depth + 1))
        if self.take("sign", "("):
            inner = self.disjunction(depth + 1)
            if not self.take("sign", ")"):
                self.expected("')' or 'and' or 'or'")
            return inner
        return self.atom()

    def atom(self) -> Predicate:
        column = self.take("word")
        if column is None:
            self.expected("a column name", remedy=self._quoting("column"))
        if self.take("sign", "="):
            if self.next.text == "=" and self.next.kind == "sign":
                self.expected("a value", remedy="one = is enough")
            return self.one_of(column, [self.value()])
        if self.take("sign", "!="):
            return Not(part=self.one_of(column, [self.value()]))
        negated = self.take("keyword", "not") is not None
        if not self.take("keyword", "in"):
            self.expected("'=' or 'in'", remedy=self._comparing(column.text))
        if not self.take("sign", "{"):
            self.expected("'{'", remedy="values are listed as in {1, 2}")
        values = [self.value()]
        while self.take("sign", ","):
            values.append(self.value())
        if not self.take("sign", "}"):
            self.expected("',' or '}'")
        found = self.one_of(column, values)
        return Not(part=found) if negated else found

    def one_of(self, column: Token, values: list[str]) -> Predicate:
        if not column.text:
            fail(self.text, column.start, "a column name is empty", found='""')
        return Atom(column=column.text, values=tuple(values))

    def value(self) -> str:
        token = self.take("word")
        if token is None:
            self.expected("a value", remedy=self._quoting("value"))
        return token.text

    def _comparing(self, column: str) -> str:
        if self.next.text[:1] in ("<", ">"):
            return "values are compared as texts: list those that are meant"
        if self.next.kind == "word":
            return "a name with blanks stands in quotes"
        return f'for example {column} = value, or {column} in {{value, "other value"}}'

    def _quoting(self, what: str) -> str | None:
        if self.next.kind == "keyword":
            return f'if that is the {what}, it stands in quotes: "{self.next.text}"'
        if self.next.kind == "sign" and self.next.text not in "()":
            return f"a {what} with signs stands in quotes"
        return None

    def finish(self) -> None:
        """Refuse what comes after the predicate."""
        if self.next.kind == "end":
            return
        ours = _OTHER_SIGNS.get(self.next.text)
        remedy = None
        if ours is None and self.next.kind == "word":
            remedy = "a value with blanks stands in quotes"
        elif self.next.kind == "sign" and self.next.text != ")":
            remedy = "a value with signs stands in quotes"
        self.expected("'and', 'or' or the end", suggestion=ours, remedy=remedy)
