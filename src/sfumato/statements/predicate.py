"""Predicates of decision logic: what may be confidential about a person (Granulation §3.1)."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.arrays import Flags

KEYWORDS = ("not", "and", "or", "in")
_BARE = re.compile(r"""[^\s(){},=!"'`]+""")


@dataclass(frozen=True)
class Predicate(ABC):
    """A statement that a row satisfies or does not.

    ``str`` writes it as `sfumato.statements.predicate_parser.predicate` reads it. Predicates are
    joined by ``&``, ``|`` and ``~`` in Python.

    >>> str(atom("Health", "2") & ~atom("Income", "300K", "400K"))
    'Health = 2 and not Income in {300K, 400K}'
    """

    @abstractmethod
    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy it, given which rows satisfy an atomic predicate."""

    @abstractmethod
    def atoms(self) -> Iterator[Atom]:
        """Iterate over its atomic predicates, from left to right."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names, each once."""
        return tuple(dict.fromkeys(each.column for each in self.atoms()))

    def values_of(self, column: str) -> tuple[str, ...]:
        """Return the values of a column that it names, each once."""
        named = (value for each in self.atoms() if each.column == column for value in each.values)
        return tuple(dict.fromkeys(named))

    def __and__(self, other: Predicate) -> Predicate:
        return And(parts=(*_parts(And, self), *_parts(And, _checked(other))))

    def __or__(self, other: Predicate) -> Predicate:
        return Or(parts=(*_parts(Or, self), *_parts(Or, _checked(other))))

    def __invert__(self) -> Predicate:
        return Not(part=self)


@dataclass(frozen=True, kw_only=True)
class Atom(Predicate):
    """(j, α): the value of a column is one of ``values``, compared as texts; α is a set."""

    column: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.column, str) or not self.column:
            raise SettingsError(
                code="not-a-name",
                key="column",
                found=shown(self.column),
                expected="the name of a column",
            )
        for value in self.values:
            if not isinstance(value, str):
                raise SettingsError(
                    f"a value of column {self.column!r} is {shown(value)}",
                    code="not-a-text",
                    column=self.column,
                    key="values",
                    found=shown(value),
                    expected="a text, because values are compared as texts",
                    suggestion=str(value) if isinstance(value, int | float) else None,
                )
        if not self.values:
            raise SettingsError(
                f"the predicate about column {self.column!r} has no value",
                code="no-values",
                column=self.column,
                key="values",
            )
        object.__setattr__(self, "values", tuple(sorted(set(self.values))))

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy it: what is said of it."""
        return truth_of(self)

    def atoms(self) -> Iterator[Atom]:
        """Iterate over itself."""
        yield self

    def __str__(self) -> str:
        values = ", ".join(map(word_text, self.values))
        if len(self.values) == 1:
            return f"{word_text(self.column)} = {values}"
        return f"{word_text(self.column)} in {{{values}}}"


@dataclass(frozen=True, kw_only=True)
class Not(Predicate):
    """¬φ: the part does not hold."""

    part: Predicate

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows do not satisfy the part."""
        flags: Flags = ~self.part.truth(truth_of)
        return flags

    def atoms(self) -> Iterator[Atom]:
        """Iterate over the atoms of the part."""
        return self.part.atoms()

    def __str__(self) -> str:
        return f"not {_enclosed(self.part, And, Or)}"


@dataclass(frozen=True, kw_only=True)
class And(Predicate):
    """φ ∧ ψ ∧ …: all parts hold."""

    parts: tuple[Predicate, ...]

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy all parts."""
        flags = self.parts[0].truth(truth_of)
        for part in self.parts[1:]:
            flags = flags & part.truth(truth_of)
        return flags

    def atoms(self) -> Iterator[Atom]:
        """Iterate over the atoms of all parts."""
        for part in self.parts:
            yield from part.atoms()

    def __str__(self) -> str:
        return " and ".join(_enclosed(part, Or) for part in self.parts)


@dataclass(frozen=True, kw_only=True)
class Or(Predicate):
    """φ ∨ ψ ∨ …: some part holds."""

    parts: tuple[Predicate, ...]

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy some part."""
        flags = self.parts[0].truth(truth_of)
        for part in self.parts[1:]:
            flags = flags | part.truth(truth_of)
        return flags

    def atoms(self) -> Iterator[Atom]:
        """Iterate over the atoms of all parts."""
        for part in self.parts:
            yield from part.atoms()

    def __str__(self) -> str:
        return " or ".join(map(str, self.parts))


def atom(column: str, *values: str) -> Atom:
    """Return the predicate that a column has a value, or one of several.

    >>> str(atom("HIV", "+")), str(atom("marital status", "Divorced", "Widowed"))
    ('HIV = +', '"marital status" in {Divorced, Widowed}')
    """
    return Atom(column=column, values=values)


def word_text(word: str) -> str:
    """Return a name or value as a predicate has it: bare if it can be, quoted otherwise.

    >>> word_text("300K"), word_text("not"), word_text("two words")
    ('300K', '"not"', '"two words"')
    """
    if _BARE.fullmatch(word) and word.lower() not in KEYWORDS:
        return word
    return '"' + word.replace('"', '""') + '"'


def _parts(kind: type[And | Or], predicate: Predicate) -> tuple[Predicate, ...]:
    return (
        predicate.parts
        if isinstance(predicate, And | Or) and type(predicate) is kind
        else (predicate,)
    )


def _checked(other: Predicate) -> Predicate:
    if not isinstance(other, Predicate):
        raise SettingsError(
            f"{shown(other)} is not a predicate, and cannot be joined with one",
            code="not-a-predicate",
            found=shown(other),
            expected="a predicate like atom('Health', '2') or predicate('Health = 2')",
        )
    return other


def _enclosed(part: Predicate, *looser: type[Predicate]) -> str:
    return f"({part})" if isinstance(part, looser) else str(part)
