"""Trials of GENITOR side by side: one kernel call evaluates the children of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings
from sfumato.search.methods.genitor.genitor import FITNESS, first_population, next_child
from sfumato.search.methods.genitor.ranked_population import RankedPopulation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.search.methods.genitor.settings import GenitorSettings
    from sfumato.search.problem import Problem

EVERY = 100
"""The best so far is noted after so many evaluations."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Trials:
    """What the trials of one setting found.

    ``best[trial, i]`` is the least loss after ``evaluations[i]`` evaluations of a trial, and
    ``populations`` are the strings that live in the end, packed, the fittest first; none of trials
    that were kept in a file.
    """

    settings: GenitorSettings
    evaluations: Counts
    best: Floats
    evaluated: int
    populations: tuple[tuple[bytes, ...], ...] = ()

    @property
    def final(self) -> Floats:
        """The least loss that every trial found."""
        last: Floats = self.best[:, -1]
        return last

    def needed(self, loss: float) -> list[int | None]:
        """Return after how many evaluations every trial was at a loss or below; None if never."""
        # The best so far never gets worse: it is reached once, and from then on.
        missing = (self.best > loss).sum(axis=1).tolist()
        return [
            int(self.evaluations[place]) if place < len(self.evaluations) else None
            for place in missing
        ]


def genitor_trials(
    problem: Problem, settings: GenitorSettings, seeds: Sequence[int], *, threads: int | None = 1
) -> Trials:
    """Run GENITOR once for every seed, all trials in step.

    Each trial is the one that `genitor` makes of its seed: it draws from a
    generator of its own, and a string has the same loss whoever asks for it. A trial whose
    population has no new child any more keeps its best. The space must have more strings than a
    population.
    """
    space, fitness_at = problem.partitions, problem.names.index(FITNESS)
    evaluated = EvaluatedStrings(problem, threads=threads)

    def fitness_of(string: bytes) -> float:
        return float(evaluated.values(string)[0, fitness_at])

    generators = [np.random.Generator(np.random.PCG64(seed)) for seed in seeds]
    living = []
    for rng in generators:
        strings = first_population(space, settings, rng=rng)
        evaluated.evaluate(strings)
        living.append(
            RankedPopulation(
                strings, [*map(fitness_of, strings)], bits=space.bits, borders=space.borders
            )
        )
    start = settings.population
    noted = [*range(start, settings.evaluations, EVERY), settings.evaluations]
    best = np.empty((len(living), len(noted)), dtype=np.float64)
    going = list(range(len(living)))
    for column, until in enumerate(noted):
        for _ in range(noted[column - 1] if column else start, until):
            bred = []
            for trial in going:
                child = next_child(
                    living[trial], space=space, settings=settings, rng=generators[trial]
                )
                bred.append((trial, child))
            going = [trial for trial, child in bred if child is not None]
            if not going:
                break
            born = [child for _, child in bred if child is not None]
            evaluated.evaluate(born)
            for trial, string in zip(going, born, strict=True):
                living[trial].admit(string, fitness_of(string))
        best[:, column] = [population.fitness[0] for population in living]
    return Trials(
        settings=settings,
        evaluations=np.array(noted, dtype=np.int64),
        best=best,
        populations=tuple(tuple(population.strings) for population in living),
        evaluated=len(evaluated),
    )
