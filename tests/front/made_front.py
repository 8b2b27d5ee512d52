"""Fronts made by hand, for the rules that pick from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.recoding.levels import Levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HIGHER_NAMES = ("k", "weighted-k", "s-k", "distinct-l", "own-privacy")


def made_front(
    names: Sequence[str], values: Sequence[Sequence[float]], suppressed: Sequence[int] = ()
) -> Front:
    """Return the front of solutions with these values, numbered as they are given."""
    return Front(
        objectives={
            name: Direction.HIGHER if name in HIGHER_NAMES else Direction.LOWER for name in names
        },
        solutions=tuple(
            Solution(
                id=place,
                recoding=Levels.of({"age": place}),
                values=dict(zip(names, row, strict=True)),
                suppressed=suppressed[place] if suppressed else 0,
                threshold=1,
            )
            for place, row in enumerate(values)
        ),
    )


def own_metrics(front: Front) -> list[Mapping[str, float]]:
    """Return the objectives of every solution as its metrics."""
    return [solution.values for solution in front]
