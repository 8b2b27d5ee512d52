"""A metric of a front: what it is about, which direction is better, and its scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Direction, Kind, Scale
from sfumato.measures.value_text import value_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.front.front import Front

SUPPRESSED = "suppressed"
"""The number of suppressed rows, which rules may name like a measure."""

_HALF_A_ROW = 0.5


def _itself(value: float) -> float:
    return value


def _logarithm(count: float) -> float:
    # A count of 0 has no logarithm: it lies one halving below 1.
    return math.log(max(count, _HALF_A_ROW))


def _safety(count: float) -> float:
    return -1 / max(count, _HALF_A_ROW)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A measure as fronts, rules and charts see it.

    Counts of rows (k, weighted-k, s-k, s-l, dm) grow by orders of magnitude and have a logarithmic
    scale: from 5 to 10 is as far as from 500 to 1,000. ``meaning`` explains it to a reader.
    """

    name: str
    kind: Kind
    direction: Direction
    unit: str
    scale: Scale = Scale.LINEAR
    meaning: str = ""

    @property
    def logarithmic(self) -> bool:
        """Whether equal ratios are equal distances."""
        return self.scale is Scale.LOGARITHMIC

    @property
    def percent(self) -> bool:
        """Whether the value is a share, which people read in percent."""
        return self.scale is Scale.SHARE

    def better(self, first: float, second: float) -> bool:
        """Say whether the first value is better than the second."""
        return first > second if self.direction is Direction.HIGHER else first < second

    def cost(self, value: float) -> float:
        """Return the value with its sign turned if more is better, so that less always is."""
        return -value if self.direction is Direction.HIGHER else value

    def gains(self, values: Sequence[float]) -> list[float]:
        """Return how good every value is on the metric's scale: 0 the worst of them, 1 the best.

        An infinite value counts as the most extreme finite one. If all are equal, nothing is
        gained anywhere.

        >>> metric_named("k").gains([1, 10, 100])
        [0.0, 0.5, 1.0]
        >>> metric_named("normalized-loss").gains([0.0, 0.2, 0.8])
        [1.0, 0.75, 0.0]
        """
        return self._gains(values, _logarithm if self.logarithmic else _itself)

    def risk_gains(self, values: Sequence[float]) -> list[float]:
        """Return the same on the scale of risk, on which 1 / k counts and not k.

        A row in a class of k is found with probability 1 / k, so the gain from 1 to 2 is half of
        all that there is, and that from 1,000 to 2,000 next to nothing. Metrics that do not
        count rows to hide among keep their own scale.

        >>> [round(gain, 2) for gain in metric_named("k").risk_gains([1, 2, 10, 1000])]
        [0.0, 0.5, 0.9, 1.0]
        """
        return self._gains(values, _safety) if self.enters_as_risk else self.gains(values)

    @property
    def enters_as_risk(self) -> bool:
        """Whether 1 / value is what counts: it counts rows to hide among."""
        return self.logarithmic and self.direction is Direction.HIGHER

    def _gains(self, values: Sequence[float], place: Callable[[float], float]) -> list[float]:
        finite = [value for value in values if math.isfinite(value)]
        if not finite:
            return [0.0] * len(values)
        low, high = min(finite), max(finite)
        start, width = place(low), place(high) - place(low)
        if width == 0:
            return [0.0] * len(values)
        shares = [(place(min(max(value, low), high)) - start) / width for value in values]
        return shares if self.direction is Direction.HIGHER else [1 - share for share in shares]

    def written(self, value: float) -> str:
        """Return a value as people read it.

        >>> metric_named("k").written(30162), metric_named("normalized-loss").written(0.1234)
        ('30,162', '12.3 %')
        """
        return value_text(value, share=self.percent)


def metric_named(name: str, *, direction: Direction | None = None, people: bool = False) -> Metric:
    """Return the metric of a name: a measure's text, or ``suppressed``.

    Of a measure that is not in the catalogue only its direction is known: it is taken to be about
    privacy if higher values are better, else about loss. ``people`` says that the study counts
    people, so that the unit and the meaning of what protects them are those of people.

    >>> metric_named("k").unit, metric_named("k", people=True).unit
    ('rows', 'people')
    >>> metric_named("t").direction, metric_named("t").kind
    (<Direction.LOWER: 'lower'>, <Kind.PRIVACY: 'privacy'>)
    """
    if name == SUPPRESSED:
        return Metric(
            name=name,
            kind=Kind.LOSS,
            direction=Direction.LOWER,
            unit="suppressed rows",
            meaning="The number of records that the release leaves out.",
        )
    try:
        known = measure(name)
    except SettingsError:
        if direction is None:
            raise
        kind = Kind.PRIVACY if direction is Direction.HIGHER else Kind.LOSS
        return Metric(name=name, kind=kind, direction=direction, unit="")
    return Metric(
        name=name,
        kind=known.kind,
        direction=known.direction,
        unit=known.unit_of(people=people),
        scale=known.scale,
        meaning=known.meaning_to(people=people),
    )


def objective_metrics(front: Front, *, people: bool = False) -> tuple[Metric, ...]:
    """Return the objectives of a front as metrics, in their order; ``people`` if it counts them."""
    return tuple(
        metric_named(name, direction=way, people=people) for name, way in front.objectives.items()
    )
