"""Confidential statements of drawn studies: their text, and whom they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class Atom:
    """A column has one of some values, or with ``negated`` none of them."""

    column: str
    values: tuple[str, ...]
    negated: bool = False

    def __str__(self) -> str:
        listing = ", ".join(map(_quoted, self.values))
        return f"{_quoted(self.column)} {'not in' if self.negated else 'in'} {{{listing}}}"

    def holds(self, row: Mapping[str, str]) -> bool:
        """Say whether it holds of the values of a row."""
        return (row[self.column] in self.values) != self.negated


@dataclass(frozen=True, kw_only=True)
class DrawnStatement:
    """What is protected (one of the atoms holds, or with ``every`` all), by whom, and the damage.

    ``where`` is about values of the source as they are released.
    """

    atoms: tuple[Atom, ...]
    every: bool = True
    where: Atom | None = None
    damage: float | None = None

    @property
    def protect(self) -> str:
        """The predicate as a study has it."""
        return (" and " if self.every else " or ").join(map(str, self.atoms))

    def satisfied(self, row: Mapping[str, str]) -> bool:
        """Say whether a row satisfies the predicate."""
        return (all if self.every else any)(atom.holds(row) for atom in self.atoms)

    def protected(self, row: Mapping[str, str]) -> bool:
        """Say whether a row protects the predicate."""
        return self.where is None or self.where.holds(row)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
