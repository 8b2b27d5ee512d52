"""GENITOR: one child at a time takes the place of the worst (Whitley 1989; Crossover §3-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.suppression import Policy
from sfumato.errors import SettingsError
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_candidates import pack, unpack
from sfumato.search.evaluation.strings_place import StringsPlace
from sfumato.search.methods.genitor.ranked_population import RankedPopulation
from sfumato.search.methods.genitor.settings import (
    DEFAULT_SETTINGS,
    GenitorSettings,
)
from sfumato.search.operators.crossover import reduced_surrogate_crossover
from sfumato.search.operators.mutation import bit_flip_mutation
from sfumato.search.operators.partition_crossover import (
    random_individual_crossover,
    random_strings,
    repaired_random_strings,
    validity_preserving_child,
)
from sfumato.search.operators.selection import biased_place
from sfumato.search.result import SearchResult
from sfumato.search.space import Space, written_size

if TYPE_CHECKING:
    from sfumato.arrays import Flags
    from sfumato.recoding.partition_space import PartitionSpace
    from sfumato.search.problem import Problem

FITNESS = "loss"
CHILDREN_A_STEP = 100
"""After so many children a search reports its progress and can be stopped."""
MOST_TRIES = 2_000
"""So many pairs of parents without a child that may live mean that the population is all alike."""


def genitor(
    problem: Problem,
    *,
    settings: GenitorSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of all that GENITOR evaluated while it minimized GL + SL at k.

    The population is sorted by fitness. Two parents are selected by rank, their child is evaluated
    and, if it is fitter than the worst, takes its place at once. Unless duplicates are allowed, a
    child that lives already is not evaluated, and other parents are drawn.
    """
    _check(problem)
    space, fitness_at = problem.partitions, problem.names.index(FITNESS)
    rng = np.random.Generator(np.random.PCG64(control.seed))
    weights = [each.weight for each in problem.table.quasi_identifiers]
    everything = float(sum(weights) * problem.table.rows)

    def fitness_of(string: bytes) -> float:
        # What misses the criteria is worse than all that meets them, by how many rows miss them.
        missed = int(place.evaluated.violations(string)[0])
        loss = float(place.evaluated.values(string)[0, fitness_at])
        return everything + missed if missed else loss

    if control.resume is None:
        strings = first_population(space, settings, rng=rng)
        place = StringsPlace.first(problem, strings, control, done=len(strings))
    else:
        place = StringsPlace.resumed(problem, rng, control)
    strings = place.population
    population = RankedPopulation(
        strings, [*map(fitness_of, strings)], bits=space.bits, borders=space.borders
    )
    alike = False
    while True:
        going = control.goes_on(place.progress("evaluations", total=settings.evaluations))
        if place.done >= settings.evaluations or alike or not going:
            break
        for _ in range(min(CHILDREN_A_STEP, settings.evaluations - place.done)):
            child = next_child(population, space=space, settings=settings, rng=rng)
            if child is None:
                alike = True
                break
            place.evaluated.evaluate([child])
            population.admit(child, fitness_of(child))
            place.done += 1
    finished = place.done >= settings.evaluations or alike
    place.population = population.strings
    evaluated = place.evaluated
    if finished:
        evaluated.check_met(longer="evaluations")
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=len(evaluated) == space.size,
        evaluated=len(evaluated),
        nodes=space.size,
        reason=_reason(
            population.fitness[0],
            place.done,
            settings.evaluations,
            space.size,
            alike=alike,
            exact=len(evaluated) == space.size,
        ),
        finished=finished,
        state=None if finished else place.record(rng),
    )


def next_child(
    population: RankedPopulation,
    *,
    space: PartitionSpace,
    settings: GenitorSettings,
    rng: np.random.Generator,
) -> bytes | None:
    """Return a valid child of two parents selected by rank, packed; None if none may live."""
    for _ in range(MOST_TRIES):
        one, other = _parents(len(population), settings.bias, rng)
        child = (
            _new_child(population, one, other, space, settings, rng)
            if settings.operator == "new"
            else _trad_child(population.flags(one), population.flags(other), space, settings, rng)
        )
        if child is not None and (settings.duplicates or child not in population):
            return child
    return None


def _parents(count: int, bias: float, rng: np.random.Generator) -> tuple[int, int]:
    """Return the places of two different parents."""
    one = biased_place(rng.random(), count=count, bias=bias)
    other = biased_place(rng.random(), count=count - 1, bias=bias)
    return one, other + (other >= one)


def _new_child(
    population: RankedPopulation,
    one: int,
    other: int,
    space: PartitionSpace,
    settings: GenitorSettings,
    rng: np.random.Generator,
) -> bytes | None:
    numbers = population.bordered
    number = validity_preserving_child(
        population.number(one),
        population.number(other),
        length=numbers.length,
        uniform=rng.random(),
    )
    if number is None:
        return None
    child = unpack([numbers.packed(number)], space.bits)
    child = random_individual_crossover(
        child, space=space, probability=settings.random_crossover, rng=rng
    )
    return pack(_flipped(child, space, settings, ~space.constrained_bits, rng))[0]


def _trad_child(
    first: Flags,
    second: Flags,
    space: PartitionSpace,
    settings: GenitorSettings,
    rng: np.random.Generator,
) -> bytes | None:
    child = reduced_surrogate_crossover(first, second, rng=rng)
    if child is None:
        return None
    everywhere = np.ones(space.bits, dtype=np.bool_)
    flipped = _flipped(child[None, :], space, settings, everywhere, rng)
    return pack(space.nearest_valid(flipped, rng=rng))[0]


def _flipped(
    child: Flags,
    space: PartitionSpace,
    settings: GenitorSettings,
    allowed: Flags,
    rng: np.random.Generator,
) -> Flags:
    mutation = 1 / space.bits if settings.mutation is None else settings.mutation
    return bit_flip_mutation(child, probability=mutation, allowed=allowed, rng=rng)


def _check(problem: Problem) -> None:
    if problem.suppression.policy is not Policy.GIVEN_K:
        raise SettingsError(
            "method 'genitor' minimizes the loss at a given k, and the suppression policy is "
            f"{problem.suppression.policy.value!r}",
            code="conflicting-settings",
            key="policy",
            found=repr(problem.suppression.policy.value),
            expected="'given-k' with a k, like 5",
            remedy="or choose the method 'nsga-ii'",
        )
    if FITNESS not in problem.names:
        raise SettingsError(
            f"method 'genitor' minimizes {FITNESS!r}, and the objectives are "
            f"{', '.join(problem.names)}",
            code="missing-setting",
            key="objectives",
            found=", ".join(problem.names),
            remedy=f"add {FITNESS!r}, or choose the method 'nsga-ii'",
        )


def first_population(
    space: PartitionSpace, settings: GenitorSettings, *, rng: np.random.Generator
) -> list[bytes]:
    """Return random strings, each once unless duplicates are allowed or there are too few."""
    draw = random_strings if settings.start == "trees" else repaired_random_strings
    strings = pack(draw(space, settings.population, rng=rng))
    if settings.duplicates:
        return strings
    unique = dict.fromkeys(strings)
    for _ in range(MOST_TRIES):
        if len(unique) >= settings.population:
            break
        lacking = settings.population - len(unique)
        unique |= dict.fromkeys(pack(draw(space, lacking, rng=rng)))
    if len(unique) < 2:
        # The two ends: a population of one has no parents.
        unique |= dict.fromkeys(pack(space.ends))
    return list(unique)


def _reason(
    fitness: float, done: int, evaluations: int, size: int, *, alike: bool, exact: bool
) -> str:
    ran = f"{done:,}" if done >= evaluations else f"{done:,} of {evaluations:,}"
    ended = ", after which its population had no new child," if alike else ""
    if exact:
        return f"every valid partition was evaluated; the least loss is {fitness:g}"
    return (
        f"the least loss that {ran} evaluations of GENITOR{ended} found is {fitness:g}, among "
        f"{written_size(size)} partitions; others may be better or as good"
    )


METHOD = SearchMethod(
    name="genitor",
    summary="a genetic search for the partition with the least loss at a given k",
    search=genitor,
    settings=GenitorSettings,
    capabilities=SearchCapabilities(
        spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
