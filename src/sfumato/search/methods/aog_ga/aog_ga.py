"""The genetic algorithm on AOG codes (Granulation §4.3, figs 7 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.errors import SettingsError, UnmetError
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Direction
from sfumato.search.capabilities import CriteriaUse, SearchCapabilities
from sfumato.search.catalogue import SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_points import EvaluatedPoints, Node, nodes_of
from sfumato.search.methods.aog_ga.codes import AogCodes
from sfumato.search.methods.aog_ga.settings import DEFAULT_SETTINGS, AogGaSettings
from sfumato.search.operators.bit_flip_mutation import bit_flip_mutation
from sfumato.search.operators.roulette_wheel import roulette_wheel
from sfumato.search.operators.single_point_crossover import single_point
from sfumato.search.operators.two_point_crossover import two_point
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.resuming import reading_state
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.search.problem import Problem


def aog_ga(
    problem: Problem,
    *,
    settings: AogGaSettings = DEFAULT_SETTINGS,
    control: SearchControl = DEFAULT_CONTROL,
) -> SearchResult:
    """Return the front of all recodings that the generations evaluated.

    The first population is drawn uniformly. Every generation, a roulette wheel fills a mating
    pool, pairs are crossed and bits are flipped, codes that are not a recoding are repaired
    (`AogCodes`), and the children take the place of the population. A recoding that misses
    the criteria has no fitness. Each recoding is evaluated once.
    """
    objective = fitness_objective(problem, settings.fitness)
    lattice = problem.tables.lattice
    codes = AogCodes(counts=lattice.widths)
    minimum_levels = np.array(lattice.minimum_levels, dtype=np.int64)
    rng = np.random.Generator(np.random.PCG64(control.seed))
    if control.resume is None:
        evaluated = EvaluatedPoints(problem)
        drawn = rng.integers(
            0, np.array(codes.counts), size=(settings.population, len(codes.counts))
        )
        population = minimum_levels + drawn.astype(np.int64)
        done = 1
    else:
        evaluated, population, done = _resumed(problem, rng, control.resume)
    evaluated.evaluate(nodes_of(population))
    while True:
        progress = Progress(
            settled=len(evaluated),
            nodes=lattice.nodes,
            evaluated=len(evaluated),
            front_size=len(evaluated.best),
            steps=Steps(done=done, total=settings.generations, name="generations"),
        )
        going = control.goes_on(progress)
        if done == settings.generations or not going:
            break
        fitness = np.array([_fitness(evaluated, node, objective) for node in nodes_of(population)])
        pool = population[roulette_wheel(fitness, count=settings.population, rng=rng)]
        children = _children(codes.encoded(pool - minimum_levels), settings, rng)
        population = minimum_levels + codes.repaired(codes.decoded(children))
        evaluated.evaluate(nodes_of(population))
        done += 1
    finished = done == settings.generations
    if finished and not evaluated.best:
        said = " and ".join(map(str, problem.suppression.criteria))
        raise UnmetError(
            f"none of {len(evaluated):,} evaluated recodings meets {said}",
            code="criteria-unmet",
            key="criteria",
            found=said,
            remedy="run more generations, or ask for less",
        )
    return SearchResult(
        front=evaluated.front(),
        method=METHOD.name,
        exact=False,
        evaluated=len(evaluated),
        nodes=lattice.nodes,
        reason=f"the best that {_ran(done, settings.generations)} of the genetic algorithm "
        f"found while it maximized {settings.fitness}; others may be better or as good",
        finished=finished,
        state=None if finished else _state(problem, evaluated, population, done, rng),
    )


def fitness_objective(problem: Problem, name: str) -> int:
    """Return which objective is the fitness, or refuse one that cannot be maximized."""
    text = str(measure(name))
    if text not in problem.names:
        raise SettingsError(
            f"method 'aog-ga' maximizes {text!r}, and the objectives are "
            f"{', '.join(problem.names)}",
            code="missing-setting",
            key="fitness",
            found=repr(text),
            expected=problem.names,
            remedy="or add it to the objectives",
        )
    place = problem.names.index(text)
    if problem.directions[place] is not Direction.HIGHER:
        raise SettingsError(
            f"method 'aog-ga' maximizes its fitness, and lower values of {text!r} are better",
            code="wrong-direction",
            key="fitness",
            found=repr(text),
            expected="a measure of which higher values are better, like 'sf-ql'",
        )
    return place


def _ran(done: int, generations: int) -> str:
    return f"{done} generations" if done == generations else f"{done} of {generations} generations"


def _fitness(evaluated: EvaluatedPoints, node: Node, objective: int) -> float:
    """Return the fitness of a node: the best of its candidates that meet the criteria, or 0."""
    values: Floats = evaluated.values(node)[evaluated.meets(node), objective]
    return float(values.max(initial=0.0)) if (values >= 0).all() else float(values.max())


def _children(strings: Flags, settings: AogGaSettings, rng: np.random.Generator) -> Flags:
    children = strings[rng.permutation(strings.shape[0])]
    pairs = strings.shape[0] // 2
    first, second = children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2]
    crossed = rng.random(pairs) < settings.crossover
    two: Flags = {
        "one": np.zeros(pairs, dtype=np.bool_),
        "two": np.ones(pairs, dtype=np.bool_),
        "either": rng.random(pairs) < 0.5,
    }[settings.points]
    first, second = single_point(first, second, crossed=crossed & ~two, rng=rng)
    first, second = two_point(first, second, crossed=crossed & two, rng=rng)
    children[0 : 2 * pairs : 2], children[1 : 2 * pairs : 2] = first, second
    everywhere = np.ones(strings.shape[1], dtype=np.bool_)
    return bit_flip_mutation(children, probability=settings.mutation, allowed=everywhere, rng=rng)


def _state(
    problem: Problem,
    evaluated: EvaluatedPoints,
    population: Counts,
    done: int,
    rng: np.random.Generator,
) -> dict[str, object]:
    """Return all that the next generation depends on, as JSON has it."""
    lattice = problem.tables.lattice
    return {
        "generations": done,
        "population": population.tolist(),
        "evaluated": sorted(lattice.number(node) for node in evaluated.counted),
        "random": dict(rng.bit_generator.state),
    }


def _resumed(
    problem: Problem, rng: np.random.Generator, state: Mapping[str, object]
) -> tuple[EvaluatedPoints, Counts, int]:
    """Return where a search was stopped; what it had evaluated is evaluated again for its front."""
    lattice = problem.tables.lattice
    known = cast("Mapping[str, Any]", state)
    with reading_state():
        evaluated = EvaluatedPoints(problem)
        evaluated.evaluate([lattice.levels(int(number)) for number in known["evaluated"]])
        rng.bit_generator.state = known["random"]
        return evaluated, np.array(known["population"], dtype=np.int64), int(known["generations"])


METHOD = SearchMethod(
    name="aog-ga",
    summary="a genetic search for the recoding with the greatest sf·ql, or another single measure",
    search=aog_ga,
    settings=AogGaSettings,
    capabilities=SearchCapabilities(
        spaces=(Space.LATTICE, Space.ADMISSIBLE), criteria=CriteriaUse.KEPT, resumable=True
    ),
)
