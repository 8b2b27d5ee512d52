"""Places, components and cycles against plain reachability."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.mean import Mean
from sfumato.compare.tournament import components, tournament
from sfumato.errors import SettingsError
from sfumato.testing.drawn_vectors import vector

if TYPE_CHECKING:
    from sfumato.compare.vectors.property_vector import PropertyVector


def reachable(beaten: dict[str, list[str]]) -> dict[str, set[str]]:
    """Return whom everyone reaches along victories, themselves included."""
    found = {name: {name} for name in beaten}
    for _ in beaten:
        for name in beaten:
            for other in list(found[name]):
                found[name] |= set(beaten[other])
    return found


@st.composite
def fields(draw: st.DrawFn) -> dict[str, PropertyVector]:
    rows = draw(st.integers(1, 5))
    count = draw(st.integers(2, 7))
    one = st.lists(st.integers(0, 4), min_size=rows, max_size=rows)
    return {f"S{number}": vector(draw(one)) for number in range(count)}


@given(fields())
def test_places_cycles_and_verdicts(entrants: dict[str, PropertyVector]) -> None:
    found = tournament(entrants, Coverage())
    names = list(entrants)
    beaten = {
        a: [b for b in names if b != a and Coverage().compare(entrants[a], entrants[b]).margin > 0]
        for a in names
    }
    reach = reachable(beaten)
    together = {a: {b for b in names if b in reach[a] and a in reach[b]} for a in names}
    place_of = {name: place.place for place in found.places for name in place.members}
    assert sorted(place_of) == sorted(names)
    assert [place.place for place in found.places] == list(range(1, len(found.places) + 1))
    for a, b in itertools.permutations(names, 2):
        assert found.beats(a, b) == (b in beaten[a])
        if b in beaten[a] and b not in together[a]:
            assert place_of[a] < place_of[b]
    groups = {group for place in found.places for group in place.groups}
    assert {frozenset(group) for group in groups} == {frozenset(g) for g in together.values()}
    for name in names:
        # Nobody stands lower than the victories over them demand.
        above = [place_of[o] for o in names if name in beaten[o] and o not in together[name]]
        above += [
            place_of[o]
            for m in together[name]
            for o in names
            if m in beaten[o] and o not in together[name]
        ]
        assert place_of[name] == max(above, default=0) + 1
    assert len(found.cycles) == sum(len(group) > 1 for group in groups)
    assert found.consistent == (not found.cycles)
    for cycle in found.cycles:
        assert len(set(cycle)) == len(cycle) >= 3
        for winner, loser in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            assert found.beats(winner, loser)


@given(fields())
def test_an_index_of_one_vector_makes_no_cycle(entrants: dict[str, PropertyVector]) -> None:
    found = tournament(entrants, Mean())
    assert found.consistent
    means = [{Mean().value(entrants[name]) for name in place.members} for place in found.places]
    assert all(len(values) == 1 for values in means)
    assert [max(values) for values in means] == sorted((max(v) for v in means), reverse=True)


def test_condorcet() -> None:
    entrants = {"A": vector([3, 2, 1]), "B": vector([1, 3, 2]), "C": vector([2, 1, 3])}
    found = tournament(entrants, Coverage())
    assert found.cycles == (("A", "C", "B"),)
    assert [place.groups for place in found.places] == [(("A", "B", "C"),)]
    assert found.verdicts["A", "B"].outcome.value == "worse"


def test_a_long_chain_needs_no_recursion() -> None:
    names = [f"n{number}" for number in range(2000)]
    beaten = {name: names[position + 1 : position + 2] for position, name in enumerate(names)}
    assert [group[0] for group in components(beaten)] == names
    beaten[names[-1]] = [names[0]]
    assert components(beaten) == [tuple(names)]


def test_one_alone_is_no_tournament() -> None:
    with raises(SettingsError, code="too-few", found="1"):
        tournament({"A": vector([1])}, Mean())
    with raises(SettingsError, code="unknown-entrant", found="'C'", expected=("A", "B")):
        tournament({"A": vector([1]), "B": vector([2])}, Mean()).beats("A", "C")
