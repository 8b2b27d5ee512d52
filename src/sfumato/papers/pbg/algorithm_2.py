"""PBG Algorithm 2 in the readings that its text allows, on nodes whose values are remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.front.box_archive import BoxArchive
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints, Node, nodes_of
from sfumato.search.methods.pbg_ea import PbgEaSettings, first_nodes, pool_with_fitness
from sfumato.search.operators.crossover import single_point_crossover
from sfumato.search.operators.fitness import dominance_fitness
from sfumato.search.operators.selection import binary_tournament

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts
    from sfumato.front.front import Front
    from sfumato.search.problem import Problem

Rounding = Literal["stays", "inward", "around"]
"""What becomes of a level that would leave its hierarchy: it stays, or goes one step the other way,
or comes in at the other end."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How the paper's text is read, and in which words."""

    described: str
    rounding: Rounding = "stays"
    populations: int = 100
    pool: Literal["set", "list"] = "set"
    mutated: Literal["levels", "node"] = "levels"
    mutations: int = 1
    same_in_tournament: bool = False
    repeats: bool = True
    evaluations: Literal["run", "population"] = "run"


LITERAL = Reading(described="as implemented")

READINGS = (
    LITERAL,
    Reading(
        described="101 populations: the loop of the algorithm counted literally", populations=101
    ),
    Reading(described="a level at the end of its hierarchy always steps inward", rounding="inward"),
    Reading(
        described="a level that leaves its hierarchy comes in at the other end", rounding="around"
    ),
    Reading(
        described="P_t ∪ A as a list, in which a node counts as often as it is there", pool="list"
    ),
    Reading(described="p_mut for the whole node, whose levels then all move", mutated="node"),
    Reading(described="mutation before and after crossover", mutations=2),
    Reading(described="both nodes of a tournament may be the same one", same_in_tournament=True),
    Reading(described="a child that is in P_t+1 already is mutated until it is not", repeats=False),
    Reading(
        described="nodes that differ within a population are counted, and added up",
        evaluations="population",
    ),
)


@dataclass(frozen=True, kw_only=True)
class ReadingRun:
    """What a run ends with: its archive, and how many nodes it evaluated."""

    front: Front
    evaluations: int


def run_reading(
    problem: Problem,
    reading: Reading,
    *,
    seed: int,
    evaluated: EvaluatedPoints,
    epsilon: Mapping[str, float],
) -> ReadingRun:
    """Run Algorithm 2 in a reading.

    ``evaluated`` is shared by all runs of a problem, so that no node is evaluated twice; what a run
    evaluates is counted apart. `LITERAL` is `sfumato.search.methods.pbg_ea.pbg_ea` with its
    default settings. The problem has no criteria, so that a node has one candidate.
    """
    settings, lattice = PbgEaSettings(), problem.tables.lattice
    rng = np.random.Generator(np.random.PCG64(seed))
    archive: BoxArchive[tuple[Node, int]] = BoxArchive(
        directions=problem.directions, epsilon=tuple(epsilon.values())
    )
    seen: set[Node] = set()
    population = first_nodes(lattice, settings.population, rng)
    counted = _offer(archive, evaluated, seen, population)
    for _ in range(reading.populations - 1):
        if reading.pool == "set":
            pool, fitness = pool_with_fitness(problem, archive, evaluated, population)
        else:
            pool, fitness = _list_with_fitness(problem, archive, evaluated, population)
        selected = _tournament(reading, fitness, settings.population, rng)
        children = pool[selected]
        for _ in range(reading.mutations - 1):
            children = _mutated(children, reading, lattice.heights, rng)
        children = single_point_crossover(children, probability=settings.crossover, rng=rng)
        population = _mutated(children, reading, lattice.heights, rng)
        if not reading.repeats:
            population = _without_repeats(population, reading, lattice.heights, rng)
        counted += _offer(archive, evaluated, seen, population)
    return ReadingRun(
        front=evaluated.front_of(archive.members),
        evaluations=len(seen) if reading.evaluations == "run" else counted,
    )


def _offer(
    archive: BoxArchive[tuple[Node, int]],
    evaluated: EvaluatedPoints,
    seen: set[Node],
    population: Counts,
) -> int:
    """Offer what this run has not seen yet; return how many different nodes the population has."""
    nodes = list(dict.fromkeys(nodes_of(population)))
    evaluated.evaluate(nodes)
    for node in nodes:
        if node not in seen:
            archive.offer((node, 0), evaluated.values(node)[0])
    seen.update(nodes)
    return len(nodes)


def _list_with_fitness(
    problem: Problem,
    archive: BoxArchive[tuple[Node, int]],
    evaluated: EvaluatedPoints,
    population: Counts,
) -> tuple[Counts, Counts]:
    nodes = [*nodes_of(population), *(node for node, _ in archive.members)]
    values = np.concatenate([evaluated.values(node) for node in nodes])
    return np.array(nodes, dtype=np.int64), dominance_fitness(values, problem.directions)


def _tournament(reading: Reading, fitness: Counts, count: int, rng: np.random.Generator) -> Counts:
    if not reading.same_in_tournament:
        return binary_tournament(fitness, count=count, rng=rng)
    first, second = rng.integers(fitness.shape[0], size=(2, count))
    winners: Counts = np.where(fitness[second] < fitness[first], second, first)
    return winners


def _mutated(
    nodes: Counts, reading: Reading, heights: tuple[int, ...], rng: np.random.Generator
) -> Counts:
    shape = nodes.shape if reading.mutated == "levels" else (nodes.shape[0], 1)
    chosen = rng.random(shape) < 1 / len(heights)
    steps = 2 * rng.integers(0, 2, size=nodes.shape) - 1
    return rounded(nodes, chosen * steps, rounding=reading.rounding, heights=heights)


def rounded(
    nodes: Counts, steps: Counts, *, rounding: Rounding, heights: tuple[int, ...]
) -> Counts:
    """Return nodes after their steps, by what becomes of levels that would leave.

    >>> nodes, steps = np.array([[0, 2, 1]]), np.array([[-1, 1, 1]])
    >>> [
    ...     rounded(nodes, steps, rounding=each, heights=(3, 2, 3)).tolist()
    ...     for each in ("stays", "inward", "around")
    ... ]
    [[[0, 2, 2]], [[1, 1, 2]], [[3, 0, 2]]]
    """
    moved, top = nodes + steps, np.array(heights)
    inside: Counts = np.clip(moved, 0, top)
    if rounding == "stays":
        return inside
    away = np.where(rounding == "inward", nodes - steps, moved % (top + 1))
    other: Counts = np.where(inside == moved, moved, away)
    return other


def _without_repeats(
    population: Counts, reading: Reading, heights: tuple[int, ...], rng: np.random.Generator
) -> Counts:
    found: dict[Node, None] = {}
    for row in population:
        node = row[None, :]
        while nodes_of(node)[0] in found:
            node = _mutated(node, reading, heights, rng)
        found[nodes_of(node)[0]] = None
    return np.array(list(found), dtype=np.int64)
