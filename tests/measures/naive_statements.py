"""Statements straight from their definitions, row by row and pair by pair; nothing shared with src.

A predicate is a nested tuple: ("is", column, values), ("not", φ), ("and", φ, ψ), ("or", φ, ψ).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import random

Row: TypeAlias = Mapping[str, str]
NaivePredicate: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class NaiveStatement:
    """A rule: the rows that satisfy ``where`` protect a predicate."""

    protect: NaivePredicate
    where: NaivePredicate | None = None
    damage: Fraction | None = None


def satisfies(row: Row, predicate: NaivePredicate) -> bool:
    """Say whether a row satisfies a predicate (Granulation §3.1)."""
    if predicate[0] == "is":
        return row[predicate[1]] in predicate[2]
    if predicate[0] == "not":
        return not satisfies(row, predicate[1])
    if predicate[0] == "and":
        return satisfies(row, predicate[1]) and satisfies(row, predicate[2])
    return satisfies(row, predicate[1]) or satisfies(row, predicate[2])


def text_of(predicate: NaivePredicate) -> str:
    """Write a predicate with all the parentheses that there can be."""
    if predicate[0] == "is":
        values = ", ".join(f'"{value}"' for value in predicate[2])
        return f"`{predicate[1]}` in {{{values}}}"
    if predicate[0] == "not":
        return f"not ({text_of(predicate[1])})"
    # (φ and ψ) and χ is the same predicate as φ and (ψ and χ).
    return f" {predicate[0]} ".join(
        f"({text_of(part)})" for part in _parts(predicate, predicate[0])
    )


def _parts(predicate: NaivePredicate, kind: str) -> list[NaivePredicate]:
    if predicate[0] != kind:
        return [predicate]
    return [*_parts(predicate[1], kind), *_parts(predicate[2], kind)]


def confidential(row: Row, statements: Sequence[NaiveStatement]) -> dict[str, NaivePredicate]:
    """Return CON(u), by the texts of the predicates."""
    return {
        text_of(each.protect): each.protect
        for each in statements
        if each.where is None or satisfies(row, each.where)
    }


def damage(row: Row, text: str, statements: Sequence[NaiveStatement]) -> Fraction:
    """Return dm(u, φ)."""
    if statements[0].damage is None:
        return Fraction(1, len(confidential(row, statements)))
    given = [
        each.damage or Fraction(0)
        for each in statements
        if text_of(each.protect) == text and (each.where is None or satisfies(row, each.where))
    ]
    return sum(given, Fraction(0))


def is_secure(classes: Sequence[Sequence[Row]], statements: Sequence[NaiveStatement]) -> bool:
    """Function SECURITY of fig. 6: for every row and predicate, look at every row of its class."""
    for members in classes:
        for row in members:
            for predicate in confidential(row, statements).values():
                if all(satisfies(other, predicate) for other in members):
                    return False
    return True


def risk(
    row: Row,
    members: Sequence[Row],
    priors: Mapping[str, Fraction],
    statements: Sequence[NaiveStatement],
) -> float:
    """Return ri(τ, u) of a row in its class."""
    total = 0.0
    for text, predicate in confidential(row, statements).items():
        prior = priors[text]
        after = Fraction(sum(satisfies(other, predicate) for other in members), len(members))
        if prior == 1 or after == 0:
            continue
        gain = (math.log(prior) - math.log(after)) / math.log(prior)
        total += float(damage(row, text, statements)) * max(gain, 0.0)
    return total


def prior_shares(rows: Sequence[Row], statements: Sequence[NaiveStatement]) -> dict[str, Fraction]:
    """Return Pr φ of every predicate, by its text."""
    return {
        text_of(each.protect): Fraction(sum(satisfies(r, each.protect) for r in rows), len(rows))
        for each in statements
    }


def security(
    classes: Sequence[Sequence[Row]], rows: Sequence[Row], statements: Sequence[NaiveStatement]
) -> float:
    """Return sf(τ) of classes that hold all rows."""
    priors = prior_shares(rows, statements)
    risks = [risk(row, members, priors, statements) for members in classes for row in members]
    return 1 - math.fsum(risks) / len(rows)


def drawn_predicate(
    rng: random.Random, values: Mapping[str, Sequence[str]], depth: int = 2
) -> NaivePredicate:
    """Draw a predicate about some columns."""
    kind = rng.choice(["is", "is", "not", "and", "or"]) if depth else "is"
    if kind == "is":
        column = rng.choice(sorted(values))
        some = rng.sample(list(values[column]), rng.randint(1, min(2, len(values[column]))))
        return ("is", column, sorted(some))
    if kind == "not":
        return ("not", drawn_predicate(rng, values, depth - 1))
    return (kind, drawn_predicate(rng, values, depth - 1), drawn_predicate(rng, values, depth - 1))


def drawn_statements(
    rng: random.Random,
    sensitive: Mapping[str, Sequence[str]],
    every: Mapping[str, Sequence[str]],
    *,
    common: bool,
) -> list[NaiveStatement]:
    """Draw statements with and without damages, common to all or by rules on any column."""
    predicates = [drawn_predicate(rng, sensitive) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        return [
            NaiveStatement(
                protect=predicate,
                where=None if common or rng.random() < 0.3 else drawn_predicate(rng, every),
            )
            for predicate in predicates
        ]
    shares = [Fraction(rng.randint(1, 4)) for _ in predicates]
    damages = [share / sum(shares, Fraction(0)) for share in shares]
    statements = [
        NaiveStatement(protect=predicate, damage=damage)
        for predicate, damage in zip(predicates, damages, strict=True)
    ]
    if common:
        return statements
    # Some people protect these, all others one predicate alone.
    some = drawn_predicate(rng, every)
    statements = [
        NaiveStatement(protect=each.protect, damage=each.damage, where=some) for each in statements
    ]
    alone = NaiveStatement(
        protect=drawn_predicate(rng, sensitive), damage=Fraction(1), where=("not", some)
    )
    return [*statements, alone]
