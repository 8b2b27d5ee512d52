"""Criteria that all classes must meet, as study files write them: ``k>=5``, ``t<=0.2``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import ClassCriterion
from sfumato.errors import SettingsError, shown
from sfumato.front.decisions.pick_rule import Constraint, read_constraints
from sfumato.measures.catalogue import measure, measure_classes
from sfumato.measures.confidentiality.secure import Secure
from sfumato.measures.measure import Direction, Measure
from sfumato.measures.privacy.k import K
from sfumato.measures.risk.prosecutor_risk import ProsecutorRisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Flags
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried, CountTable


ROUNDING = 1e-12
"""The relative error that is forgiven a value which passed through rounding."""


@dataclass(frozen=True, kw_only=True)
class MeasureCriterion(ClassCriterion):
    """A class meets it if its own value of a measure is on the right side of a bound.

    The measure is the worst value of all kept classes, so that a released table of which every
    class meets the criterion meets it as a whole. Only a bound from the worse side is one: k>=5,
    not k<=5.

    >>> str(read_criterion("k >= 5")), read_criterion("t<=0.2").measure.name
    ('k>=5', 't')
    """

    measure: Measure
    comparison: str
    bound: float

    def __str__(self) -> str:
        if isinstance(self.measure, Secure):
            return self.measure.name
        return f"{self.measure}{self.comparison}{self.bound:.15g}"

    @property
    def least_size(self) -> int | None:
        """The least k that meets it, if it is about k, or about one over k.

        >>> read_criterion("k>4").least_size, read_criterion("distinct-l>=2").least_size
        (5, None)
        >>> read_criterion("prosecutor-risk<=0.2").least_size
        5
        """
        if isinstance(self.measure, ProsecutorRisk) and self.bound > 0:
            size = 1 / Fraction(repr(float(self.bound)))
            return math.ceil(size) + (self.comparison == "<" and size.denominator == 1)
        if not isinstance(self.measure, K):
            return None
        strict = self.comparison == ">" and float(self.bound).is_integer()
        return math.ceil(self.bound) + strict

    def check(self, table: CountTable) -> None:
        """Refuse a table that lacks what the measure needs."""
        self.measure.check(table)

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the measure needs."""
        return self.measure.carries(table)

    def failing(self, batch: ClassBatch) -> Flags:
        """Say of every class whether its value is on the wrong side."""
        metrics = self.measure.class_values(batch)
        assert metrics is not None
        if np.issubdtype(metrics.dtype, np.floating):
            metrics = (metrics * self._forgiving).astype(np.float64)
        flags: Flags = ~self._constraint.holds_of(metrics)
        return flags

    def met_by(self, value: float) -> bool:
        """Say whether a table meets it whose measure has this value.

        >>> read_criterion("t<=0.2").met_by(0.2), read_criterion("k>=5").met_by(4)
        (True, False)
        """
        return self._constraint.holds(value * self._forgiving)

    @property
    def _forgiving(self) -> float:
        """Sums of rounded parts: what is at the bound must not miss it by a last bit.

        Otherwise merging two classes that are at the bound could miss it.
        """
        better = 1.0 if self.measure.direction is Direction.HIGHER else -1.0
        return 1.0 + better * ROUNDING

    @property
    def _constraint(self) -> Constraint:
        return Constraint(
            name=str(self.measure), comparison=self.comparison, bound=self.bound, place=0
        )

    def not_inherited(self, table: CountTable) -> str | None:
        """Return why classes that meet the bound can miss it when they are merged."""
        return None if self.measure.inherited(table) else self.measure.not_inherited(table)

    def not_inherited_by_parts(self, table: CountTable) -> str | None:
        """Return why a class can miss the bound though one of its parts does not."""
        if self.measure.parts_fail_too(table):
            return None
        return (
            f"a class can fail {self} though one of its parts does not, so that merging classes "
            "can make more rows fail"
        )


def read_criterion(text: str, *, key: str = "criteria") -> ClassCriterion:
    """Return the criterion of a text; ``key`` is the setting that errors name.

    >>> str(read_criterion("recursive-l(c=3)>=2")), str(read_criterion("secure"))
    ('recursive-l(c=3)>=2', 'secure')
    """
    if not isinstance(text, str):
        raise SettingsError(
            f"a criterion is {shown(text)}",
            code="not-a-text",
            key=key,
            found=shown(text),
            expected="a text like 'k>=5'",
        )
    # What is either met or not needs no bound.
    rule = read_constraints(f"{text}>=1" if text.strip() == Secure.name else text)
    if len(rule.constraints) != 1:
        raise SettingsError(
            f"the criterion {text!r} has {len(rule.constraints)} constraints",
            code="several-constraints",
            key=key,
            found=repr(text),
            expected="a list with one constraint each, like ['k>=5', 't<=0.2']",
        )
    (constraint,) = rule.constraints
    return _criterion(measure(constraint.name), constraint, key)


def read_criteria(
    given: Sequence[ClassCriterion | str] | ClassCriterion | str, *, key: str = "criteria"
) -> tuple[ClassCriterion, ...]:
    """Return criteria that are given as texts or as they are, each once.

    >>> [str(each) for each in read_criteria(["k>=5", "k >= 5", "t<=0.2"])]
    ['k>=5', 't<=0.2']
    """
    several = (given,) if isinstance(given, str | ClassCriterion) else tuple(given)
    found = [read_criterion(each, key=key) if isinstance(each, str) else each for each in several]
    for each in found:
        if not isinstance(each, ClassCriterion):
            raise SettingsError(
                code="wrong-type", key=key, found=shown(each), expected="criteria like 'k>=5'"
            )
    return tuple({str(each): each for each in found}.values())


def _criterion(known: Measure, constraint: Constraint, key: str) -> MeasureCriterion:
    if type(known).class_values is Measure.class_values:
        raise SettingsError(
            f"{known.name!r} is not a criterion: no class meets or misses it by itself",
            code="not-a-criterion",
            key=key,
            found=repr(known.name),
            expected=f"a bound of {', '.join(_worst_cases())}",
        )
    wanted = Direction.HIGHER if constraint.at_least else Direction.LOWER
    if wanted is not known.direction:
        right = ">=" if known.direction is Direction.HIGHER else "<="
        raise SettingsError(
            f"{constraint} asks for less privacy, and coarser recodings meet it less and less",
            code="wrong-direction",
            key=key,
            found=repr(str(constraint)),
            suggestion=f"{known}{right}{constraint.bound:.15g}",
        )
    return MeasureCriterion(measure=known, comparison=constraint.comparison, bound=constraint.bound)


def _worst_cases() -> tuple[str, ...]:
    return tuple(
        name
        for name, kind in measure_classes().items()
        if kind.class_values is not Measure.class_values
    )
