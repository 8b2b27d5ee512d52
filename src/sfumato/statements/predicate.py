"""Predicates of decision logic: what may be confidential about a person (Granulation §3.1)."""

from __future__ import annotations

import functools
import operator
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
        return And.of((self, _checked(other)))

    def __or__(self, other: Predicate) -> Predicate:
        return Or.of((self, _checked(other)))

    def __invert__(self) -> Predicate:
        return Not(part=self)


@dataclass(frozen=True, kw_only=True)
class Atom(Predicate):
    """(j, α): the value of a column is one of ``values``, compared as texts; α is a set."""

    column: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.column, str) or not self.column:
            raise SettingsError.wrong_setting(
                "column", self.column, "the name of a column", code="not-a-name"
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
        """Return which rows satisfy it, as ``truth_of`` has it."""
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
class Joined(Predicate):
    """Several predicates joined by one sign."""

    parts: tuple[Predicate, ...]

    def atoms(self) -> Iterator[Atom]:
        """Iterate over the atoms of all parts."""
        for part in self.parts:
            yield from part.atoms()

    @classmethod
    def of(cls, parts: Iterable[Predicate]) -> Predicate:
        """Join predicates; parts of a part of the same kind become parts of the whole."""
        flat: list[Predicate] = []
        for part in parts:
            flat.extend(part.parts if isinstance(part, cls) else (part,))
        return flat[0] if len(flat) == 1 else cls(parts=tuple(flat))


@dataclass(frozen=True, kw_only=True)
class And(Joined):
    """φ ∧ ψ ∧ …: all parts hold."""

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy all parts."""
        return functools.reduce(operator.and_, (part.truth(truth_of) for part in self.parts))

    def __str__(self) -> str:
        return " and ".join(_enclosed(part, Or) for part in self.parts)


@dataclass(frozen=True, kw_only=True)
class Or(Joined):
    """φ ∨ ψ ∨ …: some part holds."""

    def truth(self, truth_of: Callable[[Atom], Flags]) -> Flags:
        """Return which rows satisfy some part."""
        return functools.reduce(operator.or_, (part.truth(truth_of) for part in self.parts))

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
