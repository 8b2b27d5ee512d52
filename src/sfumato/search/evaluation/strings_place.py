"""Where a search in the space of partitions is: at its start, or where it was stopped."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from sfumato.front.dominance import as_costs
from sfumato.front.indicators.hypervolume import dominated_share
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings
from sfumato.search.result import Progress, Steps
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.arrays import Floats
    from sfumato.measures.measure import Direction
    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem


def write_strings(packed: Iterable[bytes]) -> str:
    """Return packed strings as text: end to end, compressed, in base 64.

    >>> read_strings(write_strings([b"ab", b"cd"]), 16)
    [b'ab', b'cd']
    """
    return base64.b64encode(zlib.compress(b"".join(packed))).decode("ascii")


def read_strings(text: str, bits: int) -> list[bytes]:
    """Return the packed strings of a text, each of so many bits."""
    try:
        together = zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if bits == 0:
        return [b""]
    width = -(-bits // 8)
    if len(together) % width:
        raise ValueError("strings of another length")
    return [together[at : at + width] for at in range(0, len(together), width)]


MOST_OBJECTIVES = 4
"""Of more objectives the volume takes longer than the search itself."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GrowingVolume:
    """The share of the objective space that a front dominates, for the progress of a search.

    The scale runs from the best to the worst finite values of the first population, so that the
    share of a growing front never falls. What is better than that scale counts as its best.
    """

    directions: tuple[Direction, ...]
    ideal: Floats
    nadir: Floats

    @classmethod
    def of(cls, values: Floats, directions: Sequence[Direction]) -> GrowingVolume:
        """Return the scale of the first population."""
        costs = as_costs(values, directions)
        finite = np.where(np.isfinite(costs), costs, np.nan)
        empty = np.isnan(finite).all(axis=0)
        finite[:, empty] = 0.0
        return cls(
            directions=tuple(directions),
            ideal=np.nanmin(finite, axis=0),
            nadir=np.nanmax(finite, axis=0),
        )

    def share(self, values: Floats) -> float | None:
        """Return the dominated share, between 0 and 1; see `sfumato.front.indicators.hypervolume`.

        None for more objectives than it can be computed for in passing.
        """
        if len(self.directions) > MOST_OBJECTIVES:
            return None
        if not values.shape[0]:
            return 0.0
        width = np.where(self.nadir > self.ideal, self.nadir - self.ideal, 1.0)
        costs = (as_costs(values, self.directions) - self.ideal) / width
        return dominated_share(np.unique(costs.clip(min=0.0), axis=0))

    def record(self) -> dict[str, list[float]]:
        """Return the scale as JSON has it."""
        return {"ideal": self.ideal.tolist(), "nadir": self.nadir.tolist()}

    @classmethod
    def read(cls, record: dict[str, list[float]], directions: Sequence[Direction]) -> GrowingVolume:
        """Return the scale of a record."""
        ideal, nadir = np.array(record["ideal"]), np.array(record["nadir"])
        if ideal.shape != (len(directions),) or nadir.shape != ideal.shape:
            raise ValueError("the scale has other objectives")
        return cls(directions=tuple(directions), ideal=ideal, nadir=nadir)


@dataclass(kw_only=True, eq=False)
class StringsPlace:
    """All that the next step of a search depends on, except the random generator."""

    evaluated: EvaluatedStrings
    population: list[bytes]
    volume: GrowingVolume
    nodes: int
    done: int

    @classmethod
    def first(
        cls, problem: Problem, population: list[bytes], control: SearchControl, *, done: int
    ) -> Self:
        """Return the start of a search: its first population, evaluated."""
        evaluated = EvaluatedStrings(problem, threads=control.threads)
        evaluated.evaluate(population)
        values, _ = evaluated.values_together(population)
        return cls(
            evaluated=evaluated,
            population=population,
            volume=GrowingVolume.of(values, problem.directions),
            nodes=problem.partitions.size,
            done=done,
        )

    @classmethod
    def resumed(cls, problem: Problem, rng: np.random.Generator, control: SearchControl) -> Self:
        """Return where a search was stopped, and put the random generator there."""
        bits = problem.partitions.bits
        known = cast("Mapping[str, Any]", control.resume)
        with reading_state():
            population = read_strings(known["population"], bits)
            evaluated = EvaluatedStrings(
                problem, threads=control.threads, earlier=read_strings(known["evaluated"], bits)
            )
            evaluated.evaluate([*population, *read_strings(known["best"], bits)])
            rng.bit_generator.state = known["random"]
            return cls(
                evaluated=evaluated,
                population=population,
                volume=GrowingVolume.read(known["scale"], problem.directions),
                nodes=problem.partitions.size,
                done=int(known["done"]),
            )

    def record(self, rng: np.random.Generator) -> dict[str, object]:
        """Return the place as JSON has it."""
        return {
            "done": self.done,
            "population": write_strings(self.population),
            "best": write_strings(dict.fromkeys(string for string, _ in self.evaluated.best)),
            "evaluated": write_strings(sorted(self.evaluated.counted)),
            "scale": self.volume.record(),
            "random": dict(rng.bit_generator.state),
        }

    def progress(self, steps: str, *, total: int) -> Progress:
        """Return how many steps are done, and how the front has grown: its size and its volume."""
        return Progress(
            settled=len(self.evaluated),
            nodes=self.nodes,
            evaluated=len(self.evaluated),
            front_size=len(self.evaluated.best),
            steps=Steps(done=self.done, total=total, name=steps),
            hypervolume=self.volume.share(self.evaluated.best_values),
        )
