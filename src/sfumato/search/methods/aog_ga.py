"""The genetic algorithm on AOG codes (Granulation §4.3, figs 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args

import numpy as np

from sfumato.arrays import plain_numbers
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Direction
from sfumato.search.catalogue import CriteriaUse, SearchCapabilities, SearchMethod
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.evaluation.evaluated_candidates import EvaluatedPoints, Node, nodes_of
from sfumato.search.operators.crossover import single_point, two_point
from sfumato.search.operators.mutation import bit_flip_mutation
from sfumato.search.operators.selection import roulette_wheel
from sfumato.search.result import Progress, SearchResult, Steps
from sfumato.search.resuming import reading_state
from sfumato.search.setting_checks import check_choice, check_probability, check_whole
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.search.problem import Problem


Points = Literal["one", "two", "either"]


@dataclass(frozen=True, kw_only=True)
class AogGaSettings:
    """The settings of the genetic algorithm; the paper gives no numbers.

    ``fitness`` is the objective that is maximized. ``crossover`` is the probability that a pair is
    crossed, at ``points``: one, two, or either with equal chances. ``mutation`` is that of a bit to
    be flipped.

    >>> AogGaSettings(fitness="k").population
    40
    """

    fitness: Annotated[str, "The objective that is raised."] = "sf-ql"
    population: Annotated[int, "Recodings in a generation."] = 40
    generations: Annotated[int, "Generations, with the first."] = 60
    crossover: Annotated[float, "Probability that a pair is crossed."] = 0.8
    mutation: Annotated[float, "Probability that a bit is turned."] = 0.03
    points: Annotated[Points, "At how many points a pair is crossed."] = "either"

    def __post_init__(self) -> None:
        plain_numbers(self)
        if not isinstance(self.fitness, str):
            raise SettingsError.wrong_setting(
                "fitness", self.fitness, "the name of an objective, like 'sf-ql'", code="wrong-type"
            )
        for name, least in (("population", 2), ("generations", 1)):
            check_whole(name, getattr(self, name), least=least)
        for name in ("crossover", "mutation"):
            check_probability(name, getattr(self, name))
        check_choice("points", self.points, get_args(Points))


DEFAULT_SETTINGS = AogGaSettings()


@dataclass(frozen=True, kw_only=True)
class AogCodes:
    """Every quasi-identifier has its partitions numbered from 0, written with ⌈log₂ |Π_i|⌉ bits.

    ``counts`` are the numbers |Π_i| of partitions. Any other string is repaired: a number
    beyond the last partition is taken modulo |Π_i|.

    >>> codes = AogCodes(counts=(4, 6, 5))
    >>> codes.bits, codes.decoded(np.array([[c == "1" for c in "01011010"]])).tolist()
    (8, [[1, 3, 2]])
    >>> codes.repaired(np.array([[1, 0, 5], [0, 7, 2]])).tolist()
    [[1, 0, 0], [0, 1, 2]]
    """

    counts: tuple[int, ...]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of bits of every quasi-identifier."""
        return tuple((count - 1).bit_length() for count in self.counts)

    @property
    def bits(self) -> int:
        """The length of a string."""
        return sum(self.widths)

    def encoded(self, numbers: Counts) -> Flags:
        """Return the strings of recodings, a row of partition numbers for each."""
        parts = [
            (numbers[:, [q]] >> np.arange(width - 1, -1, -1)) & 1 == 1
            for q, width in enumerate(self.widths)
        ]
        return np.concatenate(parts, axis=1)

    def decoded(self, strings: Flags) -> Counts:
        """Return the numbers that strings say, legal or not."""
        numbers: Counts = np.zeros((strings.shape[0], len(self.counts)), dtype=np.int64)
        start = 0
        for q, width in enumerate(self.widths):
            places = 1 << np.arange(width - 1, -1, -1)
            numbers[:, q] = strings[:, start : start + width] @ places
            start += width
        return numbers

    def repaired(self, numbers: Counts) -> Counts:
        """Return legal numbers: each modulo the number of partitions."""
        legal: Counts = numbers % np.array(self.counts, dtype=np.int64)
        return legal


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
    if finished:
        evaluated.check_met(longer="generations")
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
