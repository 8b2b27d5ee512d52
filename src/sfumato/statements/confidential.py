"""Confidential statements, CON(u): the predicates that each person protects (Granulation §3.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sfumato.errors import SettingsError, shown
from sfumato.statements.predicate import Predicate
from sfumato.statements.predicate_parser import predicate

CLOSE_TO_ONE = 1e-9
"""How far from 1 the damages of a person may sum up to, by rounding alone."""


@dataclass(frozen=True, kw_only=True)
class ConfidentialStatement:
    """A rule: the rows that satisfy ``where``, or all without it, protect a predicate.

    ``damage`` is dm(u, φ), the share of the harm to a person that comes from this predicate.

    >>> str(ConfidentialStatement(protect="Health = 2", where="Ward = oncology"))
    'Health = 2, where Ward = oncology'
    """

    protect: Predicate
    damage: float | None = None
    where: Predicate | None = None

    def __init__(
        self,
        *,
        protect: Predicate | str,
        damage: float | None = None,
        where: Predicate | str | None = None,
    ) -> None:
        object.__setattr__(self, "protect", predicate(protect))
        object.__setattr__(self, "where", None if where is None else predicate(where))
        object.__setattr__(self, "damage", damage)
        plain = isinstance(damage, int | float) and not isinstance(damage, bool)
        if damage is not None and not (plain and 0 < damage <= 1 + CLOSE_TO_ONE):
            raise SettingsError(
                f"the damage of {str(self.protect)!r} is {shown(damage)}",
                code="out-of-range",
                key="damage",
                found=shown(damage),
                expected="a share of a person's harm: a number above 0 and at most 1",
            )

    def __str__(self) -> str:
        return f"{self.protect}" if self.where is None else f"{self.protect}, where {self.where}"


@dataclass(frozen=True, kw_only=True)
class ConfidentialStatements:
    """The rules of a table, in their order.

    Damages are given for all rules or for none; a person's damages sum to 1. Without them the
    predicates of a person have equal shares. A person whom no rule applies to has no confidential
    statements.

    >>> young = ConfidentialStatement(protect="HIV = +", where="Age = 17")
    >>> statements = ConfidentialStatements.of(["Health = 2", young])
    >>> statements.common_to_all, [str(each) for each in statements.predicates]
    (False, ['Health = 2', 'HIV = +'])
    """

    rules: tuple[ConfidentialStatement, ...]

    @classmethod
    def of(
        cls,
        given: ConfidentialStatements
        | ConfidentialStatement
        | Predicate
        | str
        | Sequence[ConfidentialStatement | Predicate | str],
    ) -> ConfidentialStatements:
        """Return the statements of rules, predicates or texts; a bare predicate is everybody's."""
        if isinstance(given, ConfidentialStatements):
            return given
        if isinstance(given, ConfidentialStatement | Predicate | str) or not isinstance(
            given, Sequence
        ):
            given = (given,)
        return cls(rules=tuple(_rule(each) for each in given))

    def __post_init__(self) -> None:
        if not self.rules:
            raise SettingsError(
                "there are no confidential statements",
                code="no-statements",
                key="statements",
                expected="a predicate like 'Health = 2'",
            )
        without = [str(rule) for rule in self.rules if rule.damage is None]
        if without and len(without) < len(self.rules):
            raise SettingsError(
                f"the statement {without[0]!r} has no damage and others have one",
                code="missing-setting",
                key="damage",
                found=repr(without[0]),
                remedy="give all of them one, or none: then the predicates of a person have equal "
                "shares",
            )
        if not without and self.common_to_all:
            self.check_damages(range(len(self.rules)))

    @property
    def common_to_all(self) -> bool:
        """Whether everybody protects the same predicates.

        "Within the limit it can be made secure" is monotone along generalization only then: with
        suppression, breadth-first and Incognito pruning are not valid for other statements.
        """
        return all(rule.where is None for rule in self.rules)

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """The predicates that somebody may protect, each once, in the order of the rules."""
        return tuple(dict.fromkeys(rule.protect for rule in self.rules))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that predicates and rules name, each once."""
        named = [name for rule in self.rules for name in rule.protect.columns]
        named += [name for rule in self.rules if rule.where for name in rule.where.columns]
        return tuple(dict.fromkeys(named))

    def check_damages(self, applying: Sequence[int]) -> None:
        """Refuse rules that apply to one person and whose damages do not sum to 1."""
        if not applying or self.rules[0].damage is None:
            return
        damages = [self.rules[rule].damage or 0.0 for rule in applying]
        if abs(math.fsum(damages) - 1) > CLOSE_TO_ONE:
            named = "; ".join(
                f"{self.rules[rule]} ({d:g})" for rule, d in zip(applying, damages, strict=True)
            )
            raise SettingsError(
                f"where these statements meet, the damages of a person sum to "
                f"{math.fsum(damages):g}: {named}",
                code="wrong-sum",
                key="damage",
                found=f"{math.fsum(damages):g}",
                expected="a sum of 1",
                remedy="change them, or leave all damages out for equal shares",
            )


def _rule(given: ConfidentialStatement | Predicate | str) -> ConfidentialStatement:
    if isinstance(given, ConfidentialStatement):
        return given
    if isinstance(given, Predicate | str):
        return ConfidentialStatement(protect=given)
    raise SettingsError(
        f"{shown(given)} is not a confidential statement",
        code="not-a-statement",
        key="statements",
        found=shown(given),
        expected="'Health = 2', or ConfidentialStatement(protect='Health = 2', …)",
    )
