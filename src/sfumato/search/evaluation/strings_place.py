"""Where a search in the space of partitions is: at its start, or where it was stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

from sfumato.search.evaluation.evaluated_strings import EvaluatedStrings
from sfumato.search.evaluation.growing_volume import GrowingVolume
from sfumato.search.evaluation.packed_text import read_strings, write_strings
from sfumato.search.result import Progress, Steps
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem


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
