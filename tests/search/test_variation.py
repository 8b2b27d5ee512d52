"""Selection, crossover and mutation of nodes, and the fitness, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.front.dominance import dominates
from sfumato.measures.measure import Direction
from sfumato.search.operators import fitness as module
from sfumato.search.operators.crossover import single_point_crossover
from sfumato.search.operators.fitness import dominance_fitness
from sfumato.search.operators.mutation import single_step_mutation
from sfumato.search.operators.selection import binary_tournament

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER
SEEDS = st.integers(0, 2**32)


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@given(
    st.lists(st.tuples(*[st.integers(0, 5).map(float)] * 3), min_size=1, max_size=20),
    st.sampled_from([1, 7, 10_000]),
)
def test_fitness_is_its_definition(points: list[tuple[float, ...]], pairs: int) -> None:
    ways = (HIGHER, LOWER, HIGHER)
    values = np.array(points)
    dom = [sum(dominates(a, b, ways) for b in values) for a in values]
    expected = [
        sum(d for a, d in zip(values, dom, strict=True) if dominates(a, b, ways)) for b in values
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PAIRS_AT_ONCE", pairs)
        assert dominance_fitness(values, ways).tolist() == expected


def test_fitness_by_hand() -> None:
    # a dominates b, c and d; b dominates d; c dominates d; e is on the front beside a.
    points = {"a": (4, 1), "b": (3, 2), "c": (2, 1.5), "d": (1, 3), "e": (9, 9)}
    fitness = dominance_fitness(np.array(list(points.values())), (HIGHER, LOWER))
    assert dict(zip(points, fitness.tolist(), strict=True)) == {
        "a": 0,
        "b": 3,
        "c": 3,
        "d": 3 + 1 + 1,
        "e": 0,
    }


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), SEEDS)
def test_the_least_fit_never_wins_against_another(fitness: list[int], seed: int) -> None:
    winners = binary_tournament(np.array(fitness), count=40, rng=rng(seed))
    assert winners.shape == (40,)
    assert ((winners >= 0) & (winners < len(fitness))).all()
    worst = max(fitness)
    if fitness.count(worst) == 1 and len(fitness) > 1:
        assert worst not in [fitness[w] for w in winners]


def test_tournaments_between_equals_are_fair() -> None:
    winners = binary_tournament(np.zeros(4, dtype=np.int64), count=40_000, rng=rng(1))
    assert np.bincount(winners) / 10_000 == pytest.approx(np.ones(4), abs=0.05)


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=n, max_size=n)
    ),
    SEEDS,
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_crossover_swaps_tails_of_pairs(
    nodes: list[tuple[int, ...]], seed: int, probability: float
) -> None:
    parents = np.array(nodes, dtype=np.int64)
    before = parents.copy()
    children = single_point_crossover(parents, probability=probability, rng=rng(seed))
    assert (parents == before).all()
    # Every column keeps its levels, and the first column never moves between two of a pair.
    for q in range(4):
        assert sorted(children[:, q]) == sorted(parents[:, q])
    if probability == 0:
        assert sorted(children.tolist()) == sorted(parents.tolist())
    # Each pair comes from two parents by one cut; of an odd number the last is a parent.
    order = rng(seed).permutation(len(nodes))
    for place in range(0, len(nodes) - 1, 2):
        a, b = (parents[order[place + i]].tolist() for i in (0, 1))
        pair = children[place].tolist(), children[place + 1].tolist()
        cuts = [(a[:c] + b[c:], b[:c] + a[c:]) for c in (1, 2, 3)]
        assert pair in ([*cuts] if probability == 1 else [*cuts, (a, b)])
    if len(nodes) % 2:
        assert children[-1].tolist() == parents[order[-1]].tolist()


def test_crossover_points_are_uniform() -> None:
    parents = np.array([[0, 0, 0, 0], [1, 1, 1, 1]] * 10_000)
    children = single_point_crossover(parents, probability=1.0, rng=rng(5))
    pairs = children.reshape(-1, 2, 4)
    mixed = pairs[pairs[:, 0, 0] != pairs[:, 1, 0]]
    lengths = (mixed == mixed[:, :, :1]).sum(axis=2)[:, 0]
    assert set(lengths) == {1, 2, 3}
    assert np.bincount(lengths)[1:] / len(lengths) == pytest.approx(np.full(3, 1 / 3), abs=0.03)


@given(SEEDS, st.sampled_from([0.0, 0.3, 1.0]))
def test_mutation_takes_single_steps_inside_the_lattice(seed: int, probability: float) -> None:
    heights = (6, 3, 1, 0)
    nodes = rng(seed).integers(0, np.array(heights) + 1, size=(30, 4))
    mutated = single_step_mutation(nodes, heights=heights, probability=probability, rng=rng(seed))
    assert ((mutated >= 0) & (mutated <= np.array(heights))).all()
    steps = np.abs(mutated - nodes)
    assert steps.max() <= 1
    inner = (nodes > 0) & (nodes < np.array(heights))
    if probability == 1:
        assert (steps[inner] == 1).all()
    if probability == 0:
        assert (steps == 0).all()


def test_mutation_goes_both_ways_with_its_probability() -> None:
    nodes = np.full((20_000, 2), 3)
    mutated = single_step_mutation(nodes, heights=(6, 6), probability=0.125, rng=rng(2))
    assert (mutated == 4).mean() == pytest.approx(0.0625, abs=0.005)
    assert (mutated == 2).mean() == pytest.approx(0.0625, abs=0.005)
