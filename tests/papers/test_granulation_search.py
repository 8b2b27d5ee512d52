"""Granulation §§2.2, 3.3, 3.4 and 4.3: orders, searches, properties 1 to 3, codes."""

from __future__ import annotations

import itertools
from collections import defaultdict, deque

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.search.random_orders import RandomOrders, random_orders

from sfumato.classes.suppression import Suppression
from sfumato.datasets.granulation_example import COLUMNS, PEOPLE, granulation_attributes
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.front.decisions.criterion import read_criterion
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.measures.catalogue import measure
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying
from sfumato.papers.granulation.fig_1 import example_study
from sfumato.recoding.admissible_space import AdmissibleSpace
from sfumato.search.methods.aog_ga import AogCodes
from sfumato.search.methods.breadth_first import breadth_first
from sfumato.search.methods.incognito import incognito
from sfumato.search.problem import Problem
from sfumato.search.space import Space


def test_the_codes_of_the_example() -> None:
    codes = AogCodes(counts=(4, 6, 5))
    assert codes.bits == 8
    string = np.array([[bit == "1" for bit in "01011010"]])
    assert codes.decoded(string).tolist() == [[1, 3, 2]]
    crossed = np.array([[1, 0, 5], [0, 7, 2]])
    assert codes.repaired(crossed).tolist() == [[1, 0, 0], [0, 1, 2]]
    offspring = codes.encoded(codes.repaired(crossed))
    assert ["".join("01"[int(bit)] for bit in row) for row in offspring] == ["01000000", "00001010"]
    assert codes.repaired(codes.decoded(offspring)).tolist() == [[1, 0, 0], [0, 1, 2]]


@given(counts=st.lists(st.integers(1, 9), min_size=1, max_size=4), seed=st.integers(0, 999))
def test_every_code_is_read_back(counts: list[int], seed: int) -> None:
    codes = AogCodes(counts=tuple(counts))
    numbers = np.random.default_rng(seed).integers(0, counts, size=(5, len(counts)))
    assert np.array_equal(codes.decoded(codes.encoded(numbers)), numbers)
    assert codes.encoded(numbers).shape == (5, codes.bits)


def _secure_by_hand(levels: tuple[int, ...]) -> bool:
    """Health = 2 of everybody: no class has only people who are seriously ill."""
    trees = [each.hierarchy for each in granulation_attributes() if each.hierarchy is not None]
    classes: defaultdict[tuple[int, ...], set[str]] = defaultdict(set)
    for person in PEOPLE:
        key = []
        for name, tree, level in zip(COLUMNS[1:4], trees, levels, strict=True):
            leaf = tree.domain.leaves.index(person[COLUMNS.index(name)])  # type: ignore[union-attr]
            key.append(int(tree.levels[level][leaf]))  # type: ignore[union-attr]
        classes[tuple(key)].add(person[5])
    return all(health != {"2"} for health in classes.values())


def test_the_minimal_secure_recodings_of_the_example() -> None:
    study = example_study("Health = 2", criteria=["secure"])
    heights = study.lattice.heights
    # I_20 holds all heights of the table: it is the coarsest partition, which counts once.
    nodes = [
        node
        for node in itertools.product(*(range(height + 1) for height in heights))
        if node[2] < heights[2]
    ]
    secure = [node for node in nodes if _secure_by_hand(node)]
    assert (1, 3, 2) in secure
    expected = {
        one
        for one in secure
        if not any(
            other != one and all(a <= b for a, b in zip(other, one, strict=True))
            for other in secure
        )
    }
    for method in ("breadth-first", "incognito"):
        found = study.search(method=method)
        assert {tuple(s.levels.values()) for s in found.front} == expected
        assert found.nodes == len(nodes) == 96


@settings(max_examples=examples(60))
@given(table=random_orders(most_columns=2), predicate=st.sampled_from(["a", "b", "ab", "ac"]))
def test_properties_1_to_3(table: RandomOrders, predicate: str) -> None:
    """Security is inherited upwards and by restrictions, and falsified predicates roll up."""
    names = list(itertools.product(*table.choices))
    falsified = {
        chosen: [any(value not in predicate for value in c) for c in table.classes(chosen)]
        for chosen in names
    }
    tops = [each.names[-1] for each in table.admissible]
    for first, second in itertools.product(names, names):
        if table.finer(first, second):
            # Property 1.
            assert not all(falsified[first]) or all(falsified[second])
    for chosen in names:
        for column in range(len(tops)):
            # Property 2: a restriction has a column at its coarsest partition.
            restricted = (*chosen[:column], tops[column], *chosen[column + 1 :])
            assert table.finer(chosen, restricted)
            assert not all(falsified[chosen]) or all(falsified[restricted])
    # Property 3, from the finest upwards: the union of what the parts falsify.
    finest = tuple(each.names[0] for each in table.admissible)
    parts = {
        tuple(leaves): any(v not in predicate for at, v in table.rows if at == leaves)
        for leaves, _ in table.rows
    }
    assert sorted(parts.values()) == sorted(falsified[finest])
    for chosen in names:
        union: defaultdict[tuple[int, ...], bool] = defaultdict(bool)
        for leaves, told in parts.items():
            key = tuple(
                table.choices[q][n][leaf]
                for q, (n, leaf) in enumerate(zip(chosen, leaves, strict=True))
            )
            union[key] |= told
        assert sorted(union.values()) == sorted(falsified[chosen])


def test_an_order_that_is_not_graded() -> None:
    """In the order of arrival a recoding comes before one below it.

    The pentagon: values ≺ a ≺ b ≺ * and values ≺ c ≺ *. The value reaches * from c before it
    has tested b.
    """
    values = [f"v{i}" for i in range(6)]
    pentagon = AdmissiblePartitions.of(
        {
            "a": ["x", "x", "y", "z", "z", "z"],
            "b": ["x", "x", "x", "z", "z", "z"],
            "c": ["x", "y", "z", "x", "y", "u"],
        },
        values=values,
        name="pentagon",
    )
    assert pentagon.names == ("values", "c", "a", "b", "*")
    order = pentagon.order
    assert order.successors == ((1, 2), (4,), (3,), (4,), ())
    assert order.ranks == (0, 1, 1, 2, 3)
    rows = [value for value in values for _ in range(2)]
    smallest = {
        name: int(np.bincount([pentagon.levels[p][values.index(row)] for row in rows]).min())
        for p, name in enumerate(pentagon.names)
    }
    assert smallest == {"values": 2, "c": 2, "a": 2, "b": 6, "*": 12}
    # Fig. 5 as it is printed: a queue, and a flag for what needs no test.
    queue, settled, printed = deque([0]), set[int](), []
    while queue:
        here = queue.popleft()
        if here in settled:
            continue
        settled.add(here)
        if smallest[pentagon.names[here]] >= 6:
            printed.append(pentagon.names[here])
            settled |= set(np.flatnonzero(order.refines[here]).tolist())
        else:
            queue.extend(after for after in order.successors[here] if after not in settled)
    assert printed == ["*", "b"]
    table = build_count_table(
        GroupedCounts.of_rows({"q": rows}), [quasi_identifying("q", pentagon)]
    )
    problem = Problem(
        table=table,
        objectives=(measure("k"), measure("loss")),
        suppression=Suppression(criteria=(read_criterion("k>=6"),)),
        space=Space.ADMISSIBLE,
    )
    for search in (breadth_first, incognito):
        assert [pentagon.names[s.levels["q"]] for s in search(problem).front] == ["b"]


@settings(max_examples=examples(60))
@given(table=random_orders(most_columns=2))
def test_the_order_is_that_of_the_pairs_that_partitions_join(table: RandomOrders) -> None:
    space = AdmissibleSpace.of(table.counted)
    numbers = list(space)
    named = {
        choice: tuple(table.admissible[q].names[p] for q, p in enumerate(choice))
        for choice in numbers
    }
    below = {
        (one, other): table.finer(named[one], named[other])
        for one, other in itertools.product(numbers, numbers)
    }
    every = np.array(numbers, dtype=np.int64)
    for other in numbers:
        assert space.finer(every, other).tolist() == [below[one, other] for one in numbers]
    for one in numbers:
        coarser = [other for other in numbers if below[one, other] and other != one]
        direct = {
            other
            for other in coarser
            if not any(below[between, other] and between != other for between in coarser)
        }
        assert set(space.successors(one)) == direct
        assert all(space.rank(other) > space.rank(one) for other in coarser)
        assert numbers.index(one) <= min((numbers.index(other) for other in coarser), default=10**9)
