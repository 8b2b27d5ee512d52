"""PBG-EA: an evolutionary search for representative recodings (PBG Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - readers of study files resolve the types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

import numpy as np

from sfumato.arrays import plain_numbers
from sfumato.front.box_archive import BoxArchive
from sfumato.search.bounds.discretization import discretization
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints, Node, nodes_of
from sfumato.search.operators.crossover import single_point_crossover
from sfumato.search.operators.fitness import behind_those_that_meet, dominance_fitness
from sfumato.search.operators.mutation import single_step_mutation
from sfumato.search.operators.selection import binary_tournament
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.resuming import reading_state
from sfumato.search.setting_checks import check_probability, check_whole, checked_widths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.arrays import Counts
    from sfumato.recoding.lattice import Lattice
    from sfumato.search.problem import Problem


Archive: TypeAlias = BoxArchive[tuple[Node, int]]
"""The members are candidates: a node and which of its thresholds, counted from the least."""


@dataclass(frozen=True, kw_only=True)
class PbgEaSettings:
    """The settings of PBG-EA; those of the paper (§7) unless given.

    ``iterations`` is the number of populations with the first. ``mutation`` is the probability of
    a step for each level, 1 / number of quasi-identifiers if None. ``epsilon`` is the width of a
    box for objectives by name; see `sfumato.search.bounds.discretization` for those it leaves out.

    >>> PbgEaSettings(epsilon={"k": 5, "loss": 100}).population
    25
    """

    population: Annotated[int, "Nodes in a population."] = 25
    iterations: Annotated[int, "Populations, with the first."] = 100
    crossover: Annotated[float, "Probability that two nodes are crossed."] = 0.8
    mutation: Annotated[float | None, "Probability that a level changes."] = None
    epsilon: Annotated[Mapping[str, float] | None, "The width of a box by objective."] = None

    def __post_init__(self) -> None:
        plain_numbers(self)
        for name, least in (("population", 2), ("iterations", 1)):
            check_whole(name, getattr(self, name), least=least)
        check_probability("crossover", self.crossover)
        if self.mutation is not None:
            check_probability("mutation", self.mutation)
        object.__setattr__(self, "epsilon", checked_widths(self.epsilon))


DEFAULT_SETTINGS = PbgEaSettings()


def pbg_ea(
    problem: Problem,
    *,
    settings: PbgEaSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the archive of Algorithm 2 after all populations, or until it was stopped.

    The first population is the fully generalized and the fully specialized node and nodes drawn
    uniformly. Every candidate of every node is offered to the archive if it meets the criteria (a
    node has several where every threshold counts). Then, in the union P_t ∪ A, a set in which a
    node is once, fitness is assigned (`dominance_fitness`; that of a node is the best of its
    candidates, and what misses the criteria comes last), binary tournaments select as many nodes
    as a population has, and single point crossover and single-step mutation make the next one of
    them. Each node is evaluated once.
    """
    lattice = problem.tables.lattice
    rng = np.random.Generator(np.random.PCG64(control.seed))
    epsilon = discretization(problem, settings.epsilon)
    mutation = 1 / len(lattice.heights) if settings.mutation is None else settings.mutation
    archive: Archive = BoxArchive(directions=problem.directions, epsilon=tuple(epsilon.values()))
    if control.resume is None:
        evaluated = EvaluatedPoints(problem)
        population = _first_population(lattice, settings.population, rng)
        done = 1
        _offer(archive, evaluated, nodes_of(population))
    else:
        evaluated, population, done = _resumed(problem, archive, rng, control.resume)
    while True:
        progress = Progress(
            settled=len(evaluated),
            nodes=lattice.nodes,
            evaluated=len(evaluated),
            front_size=len(archive),
            steps=Steps(done=done, total=settings.iterations, name="populations"),
        )
        going = control.goes_on(progress)
        if done == settings.iterations or not going:
            break
        pool, fitness = _pool(problem, archive, evaluated, population)
        selected = binary_tournament(fitness, count=settings.population, rng=rng)
        children = single_point_crossover(pool[selected], probability=settings.crossover, rng=rng)
        population = single_step_mutation(
            children,
            heights=lattice.heights,
            minimum_levels=lattice.minimum_levels,
            probability=mutation,
            rng=rng,
        )
        _offer(archive, evaluated, nodes_of(population))
        done += 1
    finished = done == settings.iterations
    if finished:
        evaluated.check_met(longer="iterations")
    return SearchResult(
        front=evaluated.front_of(archive.members),
        method=METHOD.name,
        exact=False,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason=_reason(epsilon, done, settings.iterations),
        finished=finished,
        state=None if finished else _state(lattice, archive, evaluated, population, done, rng),
    )


def _reason(epsilon: Mapping[str, float], done: int, iterations: int) -> str:
    widths = ", ".join(f"{name} {width:g}" for name, width in epsilon.items())
    ran = f"{done} populations" if done == iterations else f"{done} of {iterations} populations"
    return (
        f"the best that {ran} of PBG-EA found, one solution for each box (widths: {widths}); "
        "other recodings may be better or as good"
    )


def _first_population(lattice: Lattice, count: int, rng: np.random.Generator) -> Counts:
    """Return the two ends of the lattice and nodes that are drawn uniformly."""
    drawn = rng.integers(
        np.array(lattice.minimum_levels),
        np.array(lattice.heights) + 1,
        size=(count - 2, len(lattice.heights)),
    )
    return np.concatenate(([lattice.top, lattice.bottom], drawn)).astype(np.int64)


def _offer(archive: Archive, evaluated: EvaluatedPoints, nodes: Iterable[Node]) -> None:
    """Evaluate nodes and offer all their candidates to the archive (steps 3 and 4, and 8)."""
    # A point that was offered before never changes the archive (its laws 1 and 2).
    for node in evaluated.evaluate(nodes):
        values = evaluated.values(node)
        for place in np.flatnonzero(evaluated.meets(node)).tolist():
            archive.offer((node, place), values[place])


def _pool(
    problem: Problem, archive: Archive, evaluated: EvaluatedPoints, population: Counts
) -> tuple[Counts, Counts]:
    """Return the nodes of P_t ∪ A, ascending, and the fitness of each (step 5)."""
    candidates = set(archive.members)
    for node in nodes_of(population):
        candidates |= {(node, place) for place in range(len(evaluated.values(node)))}
    ordered = sorted(candidates)
    values = np.stack([evaluated.values(node)[place] for node, place in ordered])
    missed = np.array([evaluated.violations(node)[place] for node, place in ordered])
    meets = missed == 0
    fitness: Counts = np.zeros(len(ordered), dtype=np.int64)
    fitness[meets] = dominance_fitness(values[meets], problem.directions)
    fitness = behind_those_that_meet(fitness, missed)
    levels = np.array([node for node, _ in ordered], dtype=np.int64)
    starts = np.flatnonzero(np.concatenate(([True], (levels[1:] != levels[:-1]).any(axis=1))))
    return levels[starts], np.minimum.reduceat(fitness, starts)


def _state(
    lattice: Lattice,
    archive: Archive,
    evaluated: EvaluatedPoints,
    population: Counts,
    done: int,
    rng: np.random.Generator,
) -> dict[str, object]:
    """Return all that the next population depends on, as JSON has it."""
    return {
        "populations": done,
        "population": population.tolist(),
        "archive": [[lattice.number(node), place] for node, place in archive.members],
        "evaluated": sorted(lattice.number(node) for node in evaluated.counted),
        "random": dict(rng.bit_generator.state),
    }


def _resumed(
    problem: Problem, archive: Archive, rng: np.random.Generator, state: Mapping[str, object]
) -> tuple[EvaluatedPoints, Counts, int]:
    """Return where a search was stopped: the evaluated nodes, the population, populations done."""
    lattice = problem.tables.lattice
    known = cast("Mapping[str, Any]", state)
    with reading_state():
        members = [(lattice.levels(number), int(place)) for number, place in known["archive"]]
        population: Counts = np.array(known["population"], dtype=np.int64)
        evaluated = EvaluatedPoints(problem, earlier=map(lattice.levels, known["evaluated"]))
        evaluated.evaluate([*(node for node, _ in members), *nodes_of(population)])
        for node, place in members:
            archive.offer((node, place), evaluated.values(node)[place])
        rng.bit_generator.state = known["random"]
        return evaluated, population, int(known["populations"])


METHOD = SearchMethod(
    name="pbg-ea",
    summary="an evolutionary search that keeps one solution a box, for very large lattices",
    search=pbg_ea,
    settings=PbgEaSettings,
    capabilities=SearchCapabilities(criteria=CriteriaUse.KEPT, resumable=True),
)
