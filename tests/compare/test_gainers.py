from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from tests.raised import raises

from sfumato.compare.catalogue import property_named
from sfumato.compare.curves.gainers import gainers, gainers_by_value
from sfumato.compare.indices.spread import Spread
from sfumato.compare.indices.strictly_better import StrictlyBetter
from sfumato.errors import SettingsError
from sfumato.papers.comparison.people import PEOPLE, generalized
from sfumato.testing.drawn_vectors import pairs, vector

if TYPE_CHECKING:
    from sfumato.compare.vectors.property_vector import PropertyVector


@given(pairs())
def test_gains_are_the_indices(pair: tuple[PropertyVector, PropertyVector]) -> None:
    found = gainers(*pair)
    counts, spread = StrictlyBetter().compare(*pair), Spread().compare(*pair)
    assert (found.better_off, found.worse_off) == (counts.first, counts.second)
    assert (found.gained, found.lost) == (spread.first, spread.second)
    assert found.unchanged >= 0


def test_by_value_of_a_quasi_identifier_and_of_a_sensitive_column() -> None:
    sizes = [property_named("class-size").vector(generalized(label)) for label in ("T4", "T3b")]
    for column, position in (("zip", 0), ("status", 2)):
        groups = gainers_by_value(sizes[0], sizes[1], column)
        assert {group.value for group in groups} == {person[position] for person in PEOPLE}
        # People 1, 4 and 8 are in a class of 4 instead of 3; all others were in one of 7.
        better = (
            {"13053": 2, "13052": 1} if column == "zip" else {"CF-Spouse": 2, "Spouse Present": 1}
        )
        assert {g.value: g.better_off for g in groups if g.better_off} == better
        assert sum(group.rows for group in groups) == 10
        assert sum(group.worse_off for group in groups) == 7
        assert sum(group.lost for group in groups) == 6 * 1 + 3


def test_columns_that_are_not_there() -> None:
    sizes = property_named("class-size").vector(generalized("T4"))
    with raises(SettingsError, code="unknown-column", column="hat"):
        gainers_by_value(sizes, sizes, "hat")
    with raises(SettingsError, code="unknown-column", column="zip"):
        gainers_by_value(vector([1]), vector([2]), "zip")
