"""NSGA-II in the space of partitions (Deb et al. 2002; MOEA §1.4.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import numpy as np

from sfumato.arrays import plain_numbers
from sfumato.errors import UnmetError
from sfumato.front.dominance import pareto_ranks
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl, after_evaluations, never
from sfumato.search.evaluation.evaluated_candidates import EvaluatedStrings, pack, unpack
from sfumato.search.evaluation.strings_place import StringsPlace
from sfumato.search.methods.exact import SWEEPABLE, lattice_front
from sfumato.search.operators.fitness import behind_those_that_meet, crowding_distances
from sfumato.search.operators.mutation import bit_flip_mutation
from sfumato.search.operators.partition_crossover import (
    partition_crossover,
    random_individual_crossover,
    random_strings,
)
from sfumato.search.operators.selection import permuted_tournament
from sfumato.search.result import SearchResult
from sfumato.search.setting_checks import check_choice, check_probability, check_whole
from sfumato.search.space import Space, written_size

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.search.problem import Problem


Start = Literal["ends", "random", "lattice"]


@dataclass(frozen=True, kw_only=True)
class NsgaIISettings:
    """The settings of NSGA-II; those of the chapter (§1.5) unless given.

    ``crossover`` is the probability that a pair is crossed, ``mutation`` that of a bit of an
    unconstrained column to be flipped, ``random_crossover`` that of a child to be crossed with a
    random individual (Crossover §3.2), which the chapter does not do. ``start`` says what the
    first population has beside random strings: its two ``ends`` (everything joined, everything
    cut apart), nothing (``random``), or the ends and the exact front of the ``lattice``.

    >>> NsgaIISettings().population, NsgaIISettings().generations
    (200, 250)
    """

    population: Annotated[int, "Strings in a population."] = 200
    generations: Annotated[int, "Generations, with the first."] = 250
    crossover: Annotated[float, "Probability that two strings are crossed."] = 0.9
    mutation: Annotated[float, "Probability that a bit of an unconstrained column is turned."] = 0.1
    random_crossover: Annotated[
        float, "Probability that a child is crossed with a random string."
    ] = 0.0
    start: Annotated[Start, "What the first population has beside random strings."] = "ends"

    def __post_init__(self) -> None:
        plain_numbers(self)
        for name, least in (("population", 2), ("generations", 1)):
            check_whole(name, getattr(self, name), least=least)
        for name in ("crossover", "mutation", "random_crossover"):
            check_probability(name, getattr(self, name))
        check_choice("start", self.start, get_args(Start))


DEFAULT_SETTINGS = NsgaIISettings()


MOST_LATTICE_EVALUATIONS = 5_000
"""How long to look for a start in a lattice that is too large to be searched whole."""


def nsga_ii(
    problem: Problem,
    *,
    settings: NsgaIISettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of all that the generations of NSGA-II evaluated.

    Every generation, binary tournaments on rank and crowding distance select parents, crossover
    (`partition_crossover`) and mutation (`bit_flip_mutation`) make as many children, and of
    parents and children together the best by rank, then by crowding distance, survive. A string
    lives once: children that are there already are dropped, and none is evaluated twice. A string
    with several thresholds has the rank of its best candidate. Under criteria those that meet them
    come first, the others by how many rows miss them.

    The front is that of every string that was evaluated, which the last population, being of a
    fixed size, may no longer contain.
    """
    space = problem.partitions
    rng = np.random.Generator(np.random.PCG64(control.seed))
    if control.resume is None:
        strings = pack(_first_population(problem, settings, control, rng))
        place = StringsPlace.first(problem, list(dict.fromkeys(strings)), control, done=1)
    else:
        place = StringsPlace.resumed(problem, rng, control)
    evaluated = place.evaluated
    while True:
        going = control.goes_on(place.progress("generations", total=settings.generations))
        if place.done == settings.generations or not going:
            break
        # Among the survivors, not among all that were compared: so a population is the whole state.
        ranks, crowding = _standing(problem, evaluated, place.population)
        parents = permuted_tournament(ranks, crowding, count=settings.population, rng=rng)
        selected = unpack(place.population, space.bits)[parents]
        children = pack(_children(selected, problem, settings, rng))
        evaluated.evaluate(children)
        pool = list(dict.fromkeys([*place.population, *children]))
        ranks, crowding = _standing(problem, evaluated, pool)
        living = np.lexsort((-crowding, ranks))[: settings.population]
        place.population = [pool[number] for number in living]
        place.done += 1
    finished = place.done == settings.generations
    if finished:
        evaluated.check_met(longer="generations")
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=len(evaluated) == space.size,
        evaluated=len(evaluated),
        nodes=space.size,
        reason=_reason(len(evaluated), space.size, place.done, settings.generations),
        finished=finished,
        state=None if finished else place.record(rng),
    )


def _reason(evaluated: int, size: int, done: int, generations: int) -> str:
    if evaluated == size:
        return "every valid partition of the quasi-identifiers was evaluated"
    ran = f"{done} generations" if done == generations else f"{done} of {generations} generations"
    return (
        f"the best that {ran} of NSGA-II found among {written_size(size)} partitions; "
        "others may be better or as good"
    )


def _first_population(
    problem: Problem, settings: NsgaIISettings, control: SearchControl, rng: np.random.Generator
) -> Flags:
    """Return the strings that a search starts with, filled up with random ones."""
    space = problem.partitions
    given: list[Flags] = []
    if settings.start != "random":
        given.extend(space.ends)
    if settings.start == "lattice":
        # All of it, even if it is longer than a population: the first selection sees to that.
        nodes = _lattice_nodes(replace(problem, space=Space.LATTICE), control)
        given.extend(space.of_node(dict(node)) for node in nodes)
    drawn = random_strings(space, max(0, settings.population - len(given)), rng=rng)
    return np.concatenate((np.array(given, dtype=np.bool_).reshape(len(given), space.bits), drawn))


def _lattice_nodes(lattice: Problem, control: SearchControl) -> list[tuple[tuple[str, int], ...]]:
    """Return the nodes of the exact front of the lattice, or of one that is near it if it is huge.

    It is not stopped on the way: a run that is resumed must have started with the same.
    """
    huge = lattice.tables.lattice.nodes > SWEEPABLE
    try:
        found = lattice_front(
            lattice,
            control=SearchControl(
                threads=control.threads,
                listener=control.listener,
                should_stop=after_evaluations(MOST_LATTICE_EVALUATIONS) if huge else never,
            ),
        )
    except UnmetError:
        # No node meets the criteria; a partition that is not one may.
        return []
    return list(dict.fromkeys(tuple(solution.levels.items()) for solution in found.front))


def _children(
    parents: Flags, problem: Problem, settings: NsgaIISettings, rng: np.random.Generator
) -> Flags:
    space = problem.partitions
    children = partition_crossover(parents, space=space, probability=settings.crossover, rng=rng)
    if settings.random_crossover:
        children = random_individual_crossover(
            children, space=space, probability=settings.random_crossover, rng=rng
        )
    return bit_flip_mutation(
        children, probability=settings.mutation, allowed=~space.constrained_bits, rng=rng
    )


def _standing(
    problem: Problem, evaluated: EvaluatedStrings, strings: list[bytes]
) -> tuple[Counts, Floats]:
    """Return the rank and the crowding distance of every string: those of its best candidate."""
    values, owners = evaluated.values_together(strings)
    ranks = pareto_ranks(values, problem.directions)
    if problem.suppression.criteria:
        missed = np.concatenate([evaluated.violations(string) for string in strings])
        # Ranks among those that meet the criteria, as if there were no others.
        meets = missed == 0
        ranks[meets] = pareto_ranks(values[meets], problem.directions)
        ranks = behind_those_that_meet(ranks, missed)
    crowding = crowding_distances(values, ranks)
    if values.shape[0] == len(strings):
        return ranks, crowding
    order = np.lexsort((-crowding, ranks, owners))
    first = order[np.flatnonzero(np.diff(owners[order], prepend=-1))]
    return ranks[first], crowding[first]


METHOD = SearchMethod(
    name="nsga-ii",
    summary="an evolutionary search in the space of partitions, where recodings need no levels",
    search=nsga_ii,
    settings=NsgaIISettings,
    capabilities=SearchCapabilities(
        spaces=(Space.PARTITIONS,), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
