"""Objectives of privacy that get worse from one solution to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.metric import Figure, objective_figures
from sfumato.measures.measure import Direction, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.front.front import Front, Solution


@dataclass(frozen=True, kw_only=True)
class PrivacyFall:
    """A figure of privacy that is worse after a step than before it.

    >>> from sfumato.front.decisions.metric import figure_named
    >>> print(PrivacyFall(figure=figure_named("distinct-l"), before=3, after=2))
    distinct-l falls from 3 to 2
    >>> print(PrivacyFall(figure=figure_named("t"), before=0.2, after=0.25))
    t rises from 0.2 to 0.25
    """

    figure: Figure
    before: float
    after: float

    def __str__(self) -> str:
        way = "falls" if self.figure.direction is Direction.HIGHER else "rises"
        before, after = map(self.figure.written, (self.before, self.after))
        if before == after:
            return f"{self.figure.name} {way} slightly from {before}"
        return f"{self.figure.name} {way} from {before} to {after}"


def privacy_falls(front: Front, start: Solution, end: Solution) -> tuple[PrivacyFall, ...]:
    """Return the objectives of privacy that are worse at the end than at the start."""
    return tuple(
        PrivacyFall(figure=figure, before=start.values[figure.name], after=end.values[figure.name])
        for figure in _of_privacy(front)
        if figure.better(start.values[figure.name], end.values[figure.name])
    )


def some_privacy_falls(front: Front, start: Sequence[Solution], end: Sequence[Solution]) -> bool:
    """Say whether privacy falls on any of the ways from some solutions to some others."""
    return any(
        min(figure.cost(one.values[figure.name]) for one in start)
        < max(figure.cost(other.values[figure.name]) for other in end)
        for figure in _of_privacy(front)
    )


def _of_privacy(front: Front) -> list[Figure]:
    return [figure for figure in objective_figures(front) if figure.kind is Kind.PRIVACY]
