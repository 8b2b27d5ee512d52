"""The operators on strings of cuts: validity, reach, and what they leave alone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recoding.random_trees import WORKCLASS
from tests.search.small_spaces import column_lists, partition_problem

from sfumato.search.evaluation.evaluated_candidates import pack
from sfumato.search.methods.genitor.ranked_population import BorderedNumbers
from sfumato.search.operators.crossover import (
    reduced_surrogate_crossover,
    with_middle_of,
)
from sfumato.search.operators.mutation import bit_flip_mutation
from sfumato.search.operators.partition_crossover import (
    crossed_with_random,
    crossover_places,
    partition_crossover,
    random_individual_crossover,
    random_strings,
    repaired_random_strings,
    validity_preserving_child,
    validity_preserving_crossover,
    with_borders,
)

if TYPE_CHECKING:
    from sfumato.hierarchies.hierarchy import Hierarchy

    Columns = list[tuple[Hierarchy, bool]]


def places_by_hand(first: list[int], second: list[int]) -> list[bool]:
    """Crossover §3.2 word by word."""
    found = []
    for place in range(len(first)):
        both = first[place] == second[place] == 1
        before = [
            (i, j)
            for i, j in itertools.combinations(range(place), 2)
            if first[i] == second[i] and first[j] != second[j]
        ]
        after = any(first[i] != second[i] for i in range(place, len(first)))
        found.append(both and bool(before) and after)
    return found


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12))
def test_places_are_those_of_the_definition(pairs: list[tuple[bool, bool]]) -> None:
    first = np.array([[a for a, _ in pairs]], dtype=np.bool_).reshape(1, len(pairs))
    second = np.array([[b for _, b in pairs]], dtype=np.bool_).reshape(1, len(pairs))
    expected = places_by_hand([int(a) for a, _ in pairs], [int(b) for _, b in pairs])
    assert crossover_places(first, second)[0].tolist() == expected


def test_a_border_counts_as_a_shared_one() -> None:
    # Two columns of two bits: 0 1 | 0 0 and 0 0 | 1 0 have no 1 in common but the border.
    first, second = np.array([[0, 1, 0, 0]]) > 0, np.array([[0, 0, 1, 0]]) > 0
    assert not crossover_places(first, second).any()
    assert with_borders(first, [2]).astype(int).tolist() == [[0, 1, 1, 0, 0]]
    assert crossover_places(first, second, borders=[2]).tolist() == [
        [False, False, True] + [False] * 2
    ]
    head, tail, crossed = validity_preserving_crossover(
        first, second, borders=[2], rng=np.random.default_rng(1)
    )
    assert crossed.tolist() == [True]
    assert head.astype(int).tolist() == [[0, 1, 1, 0]]
    assert tail.astype(int).tolist() == [[0, 0, 0, 0]]


@given(column_lists(most_leaves=8), st.integers(0, 9999))
def test_valid_parents_have_valid_children(columns: Columns, seed: int) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    first, second = (random_strings(space, 30, rng=rng) for _ in range(2))
    assert space.valid(first).all()
    head, tail, crossed = validity_preserving_crossover(
        first, second, borders=space.borders, rng=rng
    )
    for child in (head, tail):
        assert space.valid(child).all()
    # Every bit comes from one of the parents, and the two children share them out.
    assert np.array_equal(head ^ tail, first ^ second)
    assert np.array_equal(head[~crossed], first[~crossed])
    parents = np.concatenate((first, second))
    children = partition_crossover(parents, space=space, probability=0.9, rng=rng)
    assert space.valid(children).all()
    assert children.sum() == parents.sum()
    assert space.valid(
        random_individual_crossover(parents, space=space, probability=0.7, rng=rng)
    ).all()
    mutated = bit_flip_mutation(parents, probability=0.5, allowed=~space.constrained_bits, rng=rng)
    assert space.valid(mutated).all()
    assert np.array_equal(mutated[:, space.constrained_bits], parents[:, space.constrained_bits])


def test_all_places_are_equally_likely() -> None:
    first = np.repeat(np.array([[0, 1, 0, 1, 1, 0, 1]]) > 0, 9000, axis=0)
    second = np.repeat(np.array([[0, 0, 1, 1, 1, 1, 1]]) > 0, 9000, axis=0)
    # Not 6: after the last disagreement the child would be the first parent.
    assert np.flatnonzero(crossover_places(first[:1], second[:1])[0]).tolist() == [3, 4]
    second = np.repeat(np.array([[0, 0, 1, 1, 0, 1, 1]]) > 0, 9000, axis=0)
    first[:, 4:] = [0, 1, 0]
    assert np.flatnonzero(crossover_places(first[:1], second[:1])[0]).tolist() == [3, 5]


def test_a_crossover_of_probability_zero_changes_nothing() -> None:
    space = partition_problem([(WORKCLASS, True), (WORKCLASS, False)]).partitions
    rng = np.random.default_rng(1)
    parents = random_strings(space, 9, rng=rng)
    assert np.array_equal(
        partition_crossover(parents, space=space, probability=0.0, rng=rng), parents
    )
    odd = partition_crossover(parents, space=space, probability=1.0, rng=rng)
    assert np.array_equal(odd[-1], parents[-1])


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12), st.integers(0, 99)
)
def test_reduced_surrogates_make_new_children(pairs: list[tuple[bool, bool]], seed: int) -> None:
    first, second = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    child = reduced_surrogate_crossover(first, second, rng=np.random.default_rng(seed))
    if (first != second).sum() < 2:
        assert child is None
        return
    assert child is not None
    assert not np.array_equal(child, first)
    assert not np.array_equal(child, second)
    assert np.logical_or(child == first, child == second).all()


@pytest.mark.parametrize(("low", "high"), [(0, 3), (1, 1), (2, 4)])
def test_two_points(low: int, high: int) -> None:
    child = with_middle_of(np.zeros(4, dtype=np.bool_), np.ones(4, dtype=np.bool_), low, high)
    assert child.tolist() == [low <= place < high for place in range(4)]


@given(
    pairs=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12),
    borders=st.sets(st.integers(1, 11), max_size=3),
    seed=st.integers(0, 9),
)
def test_a_single_pair_has_the_child_that_it_has_among_others(
    pairs: list[tuple[bool, bool]], borders: set[int], seed: int
) -> None:
    first, second = (np.array([pair[i] for pair in pairs], dtype=np.bool_) for i in (0, 1))
    inside = sorted(border for border in borders if border < len(pairs))
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    heads, _, crossed = validity_preserving_crossover(
        first[None, :], second[None, :], borders=inside, rng=one
    )
    numbers = BorderedNumbers(len(pairs), inside)
    packed = pack(np.stack((first, second)))
    assert [numbers.packed(numbers.of(each)) for each in packed] == packed
    child = validity_preserving_child(
        *map(numbers.of, packed), length=numbers.length, uniform=other.random()
    )
    assert (child is not None) == crossed[0]
    assert child is None or numbers.packed(child) == pack(heads)[0]


@given(column_lists(most_leaves=8), st.integers(0, 9999), st.booleans())
def test_no_child_equals_a_parent_unless_the_parents_allow_no_other(
    columns: Columns, seed: int, converged: bool
) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    first = random_strings(space, 30, rng=rng)
    second = random_strings(space, 30, rng=rng)
    if converged:
        # Parents that differ in one column only, as those of a population that is nearly alike.
        column = space.columns[seed % len(space.columns)]
        inside = (np.arange(space.bits) >= column.start) & (np.arange(space.bits) < column.end)
        second = np.where(inside, second, first)
    head, tail, crossed = validity_preserving_crossover(
        first, second, borders=space.borders, rng=rng
    )
    for child in (head, tail):
        assert (child[crossed] != first[crossed]).any(axis=1).all()
        assert (child[crossed] != second[crossed]).any(axis=1).all()
    # Those that were not crossed have no place of the definition at all.
    bordered = [with_borders(strings, space.borders).astype(int) for strings in (first, second)]
    for row in np.flatnonzero(~crossed):
        assert not any(places_by_hand(bordered[0][row].tolist(), bordered[1][row].tolist()))


@given(column_lists(most_leaves=8), st.integers(0, 9999), st.booleans())
def test_a_random_individual_changes_constrained_columns_only(
    columns: Columns, seed: int, converged: bool
) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    strings = random_strings(space, 1 if converged else 30, rng=rng)
    if converged:
        strings = np.repeat(strings, 30, axis=0)
    mutated = crossed_with_random(strings, space=space, rng=rng)
    assert space.valid(mutated).all()
    free = ~space.constrained_bits
    assert np.array_equal(mutated[:, free], strings[:, free])


def test_any_constrained_column_can_be_reached_by_a_random_individual() -> None:
    # One constrained column, all joined: it has no cut in common with any other string.
    space = partition_problem([(WORKCLASS, False), (WORKCLASS, True)]).partitions
    strings = np.zeros((2000, space.bits), dtype=np.bool_)
    mutated = crossed_with_random(strings, space=space, rng=np.random.default_rng(1))
    assert len(np.unique(mutated, axis=0)) == space.columns[1].size


@given(column_lists(most_leaves=8), st.integers(0, 9999))
def test_repaired_random_strings_are_valid(columns: Columns, seed: int) -> None:
    space = partition_problem(columns).partitions
    rng = np.random.default_rng(seed)
    assert space.valid(repaired_random_strings(space, 20, rng=rng)).all()
