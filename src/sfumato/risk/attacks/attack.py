"""What an attack finds, and the expectation by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arrays import Counts
    from sfumato.risk.attacks.released_classes import ReleasedClasses

_WORST = 10


class ExposedClass(NamedTuple):
    """A class that an attack is about, without any of its values: its rows, and those found."""

    rows: int
    exposed: int
    different_values: int


@dataclass(frozen=True, kw_only=True)
class AttackFinding:
    """How many people an attack is successful with, among how many, and by chance.

    ``learnt`` are those whose sensitive value, or a group of it, becomes known or much more
    probable. ``by_chance`` is the mean over ``draws`` shuffles of the sensitive values over the
    same classes: what no link between class and value would give. ``worst`` are classes, those
    with most such people first; no value of anybody is told.
    """

    attack: str
    knows: str
    learns: str
    people: int
    learnt: int
    by_chance: float
    draws: int
    worst: tuple[ExposedClass, ...]

    @property
    def share(self) -> float:
        """The share of the people."""
        return self.learnt / self.people if self.people else 0.0


def found_by(
    exposed: Callable[[ReleasedClasses], Counts],
    release: ReleasedClasses,
    *,
    attack: str,
    knows: str,
    learns: str,
    draws: int = 20,
    seed: int = 0,
) -> AttackFinding:
    """Run an attack, a function that tells the people of every class whom it is right about."""
    own = exposed(release)
    rng = np.random.default_rng(seed)
    chance = [int(exposed(release.shuffled(rng)).sum()) for _ in range(draws)]
    order = np.lexsort((np.arange(own.shape[0]), release.sizes, -own))[:_WORST]
    return AttackFinding(
        attack=attack,
        knows=knows,
        learns=learns,
        people=release.people,
        learnt=int(own.sum()),
        by_chance=float(np.mean(chance)) if chance else 0.0,
        draws=draws,
        worst=tuple(
            ExposedClass(int(release.sizes[place]), int(own[place]), int(release.different[place]))
            for place in order
            if own[place]
        ),
    )
