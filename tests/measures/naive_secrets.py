"""Secrets straight from their definitions, row by row and pair by pair; nothing shared with src.

A sentence is a nested tuple: ("is", column, values), ("not", φ), ("and", φ, ψ), ("or", φ, ψ).
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
NaiveSentence: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class NaiveSecret:
    """A rule: the rows that satisfy ``where`` protect a sentence."""

    protect: NaiveSentence
    where: NaiveSentence | None = None
    damage: Fraction | None = None


def satisfies(row: Row, sentence: NaiveSentence) -> bool:
    """Say whether a row satisfies a sentence (Granulation §3.1)."""
    if sentence[0] == "is":
        return row[sentence[1]] in sentence[2]
    if sentence[0] == "not":
        return not satisfies(row, sentence[1])
    if sentence[0] == "and":
        return satisfies(row, sentence[1]) and satisfies(row, sentence[2])
    return satisfies(row, sentence[1]) or satisfies(row, sentence[2])


def text_of(sentence: NaiveSentence) -> str:
    """Write a sentence with all the parentheses that there can be."""
    if sentence[0] == "is":
        values = ", ".join(f'"{value}"' for value in sentence[2])
        return f"`{sentence[1]}` in {{{values}}}"
    if sentence[0] == "not":
        return f"not ({text_of(sentence[1])})"
    # (φ and ψ) and χ is the same sentence as φ and (ψ and χ).
    return f" {sentence[0]} ".join(f"({text_of(part)})" for part in _parts(sentence, sentence[0]))


def _parts(sentence: NaiveSentence, kind: str) -> list[NaiveSentence]:
    if sentence[0] != kind:
        return [sentence]
    return [*_parts(sentence[1], kind), *_parts(sentence[2], kind)]


def confidential(row: Row, secrets: Sequence[NaiveSecret]) -> dict[str, NaiveSentence]:
    """Return CON(u), by the texts of the sentences."""
    return {
        text_of(each.protect): each.protect
        for each in secrets
        if each.where is None or satisfies(row, each.where)
    }


def damage(row: Row, text: str, secrets: Sequence[NaiveSecret]) -> Fraction:
    """Return dm(u, φ)."""
    if secrets[0].damage is None:
        return Fraction(1, len(confidential(row, secrets)))
    given = [
        each.damage or Fraction(0)
        for each in secrets
        if text_of(each.protect) == text and (each.where is None or satisfies(row, each.where))
    ]
    return sum(given, Fraction(0))


def is_secure(classes: Sequence[Sequence[Row]], secrets: Sequence[NaiveSecret]) -> bool:
    """Function SECURITY of fig. 6: for every row and sentence, look at every row of its class."""
    for members in classes:
        for row in members:
            for sentence in confidential(row, secrets).values():
                if all(satisfies(other, sentence) for other in members):
                    return False
    return True


def risk(
    row: Row,
    members: Sequence[Row],
    priors: Mapping[str, Fraction],
    secrets: Sequence[NaiveSecret],
) -> float:
    """Return ri(τ, u) of a row in its class."""
    total = 0.0
    for text, sentence in confidential(row, secrets).items():
        prior = priors[text]
        after = Fraction(sum(satisfies(other, sentence) for other in members), len(members))
        if prior == 1 or after == 0:
            continue
        gain = (math.log(prior) - math.log(after)) / math.log(prior)
        total += float(damage(row, text, secrets)) * max(gain, 0.0)
    return total


def prior_shares(rows: Sequence[Row], secrets: Sequence[NaiveSecret]) -> dict[str, Fraction]:
    """Return Pr φ of every sentence, by its text."""
    return {
        text_of(each.protect): Fraction(sum(satisfies(r, each.protect) for r in rows), len(rows))
        for each in secrets
    }


def security(
    classes: Sequence[Sequence[Row]], rows: Sequence[Row], secrets: Sequence[NaiveSecret]
) -> float:
    """Return sf(τ) of classes that hold all rows."""
    priors = prior_shares(rows, secrets)
    risks = [risk(row, members, priors, secrets) for members in classes for row in members]
    return 1 - math.fsum(risks) / len(rows)


def drawn_sentence(
    rng: random.Random, values: Mapping[str, Sequence[str]], depth: int = 2
) -> NaiveSentence:
    """Draw a sentence about some columns."""
    kind = rng.choice(["is", "is", "not", "and", "or"]) if depth else "is"
    if kind == "is":
        column = rng.choice(sorted(values))
        some = rng.sample(list(values[column]), rng.randint(1, min(2, len(values[column]))))
        return ("is", column, sorted(some))
    if kind == "not":
        return ("not", drawn_sentence(rng, values, depth - 1))
    return (kind, drawn_sentence(rng, values, depth - 1), drawn_sentence(rng, values, depth - 1))


def drawn_secrets(
    rng: random.Random,
    sensitive: Mapping[str, Sequence[str]],
    every: Mapping[str, Sequence[str]],
    *,
    common: bool,
) -> list[NaiveSecret]:
    """Draw secrets with and without damages, common to all or by rules on any column."""
    sentences = [drawn_sentence(rng, sensitive) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        return [
            NaiveSecret(
                protect=sentence,
                where=None if common or rng.random() < 0.3 else drawn_sentence(rng, every),
            )
            for sentence in sentences
        ]
    shares = [Fraction(rng.randint(1, 4)) for _ in sentences]
    damages = [share / sum(shares, Fraction(0)) for share in shares]
    secrets = [
        NaiveSecret(protect=sentence, damage=damage)
        for sentence, damage in zip(sentences, damages, strict=True)
    ]
    if common:
        return secrets
    # Some people protect these, all others one sentence alone.
    some = drawn_sentence(rng, every)
    secrets = [
        NaiveSecret(protect=each.protect, damage=each.damage, where=some) for each in secrets
    ]
    alone = NaiveSecret(
        protect=drawn_sentence(rng, sensitive), damage=Fraction(1), where=("not", some)
    )
    return [*secrets, alone]
