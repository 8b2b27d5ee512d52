"""Evaluating measures: the one way from classes to metrics, for every caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.measures.measure import Measure


@dataclass(frozen=True, kw_only=True, eq=False)
class Metrics:
    """The values of measures by their texts, one for every candidate.

    ``lacking`` says of the others why they cannot be computed of these classes.
    """

    values: Mapping[str, Floats]
    lacking: Mapping[str, str]

    def of(self, candidate: int = 0) -> dict[str, float]:
        """Return the values of one candidate."""
        return {name: float(values[candidate]) for name, values in self.values.items()}


def evaluate(measures: Iterable[Measure], classes: Classes) -> Metrics:
    """Evaluate measures of classes; the classes carry what the measures count."""
    values: dict[str, Floats] = {}
    lacking: dict[str, str] = {}
    for one in measures:
        reason = one.lacking(classes)
        if reason is None:
            values[str(one)] = one.evaluate(classes)
        else:
            lacking[str(one)] = reason
    return Metrics(values=values, lacking=lacking)
