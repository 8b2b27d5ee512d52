from __future__ import annotations

import pytest
from tests.raised import raises

from sfumato.compare.catalogue import (
    comparator,
    comparator_names,
    index_names,
    property_named,
    property_names,
)
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.rank import Rank
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.errors import SettingsError

TEXTS = [
    "coverage",
    "dominance",
    "goal(goals=1 0.5)",
    "goal(goals=3, indices=min)",
    "hypervolume",
    "hypervolume(origin=-1)",
    "lexicographic",
    "lexicographic(significance=0.1 0, indices=spread min)",
    "max",
    "mean",
    "min",
    "rank",
    "rank(tolerance=2, point=10)",
    "spread",
    "strictly-better",
    "sum",
    "weighted",
    'weighted(weights=0.3 0.7, indices="rank(tolerance=2, point=3) coverage")',
    "weighted(normalize=False)",
    'goal(goals=2 3, indices="hypervolume rank(point=3)")',
    "lexicographic(significance=0.1 0, indices=coverage hypervolume)",
    "lexicographic(indices=mean sum)",
    "rank(point=3)",
    "weighted(indices=min hypervolume)",
    "weighted(indices=hypervolume mean, normalize=False)",
]


def test_names() -> None:
    assert set(property_names()) == {
        *("class-size", "own-value-count", "own-value-share", "row-loss", "row-utility"),
        *("breach-probability", "sensitive-distance", "statement-risk"),
    }
    sets = {"dominance", "weighted", "lexicographic", "goal"}
    assert set(comparator_names()) - set(index_names()) == sets
    assert {text.split("(")[0] for text in TEXTS} == set(comparator_names())


@pytest.mark.parametrize("text", TEXTS)
def test_texts_go_round(text: str) -> None:
    assert str(comparator(text)) == text


@pytest.mark.parametrize("name", property_names())
def test_every_property_speaks_for_itself(name: str) -> None:
    found = property_named(name)
    assert (str(found), found.name) == (name, name)
    assert found.unit
    assert found.reference
    assert found.direction.value in ("higher", "lower")


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("covrage", "unknown-comparator", "'covrage'"),
        ("rank(tolerance=x)", "wrong-type", "'x'"),
        ("goal", "missing-parameter", None),
        ("goal(goals=a b)", "wrong-type", "'a b'"),
        ("weighted(indices=dominance)", "not-an-index", "'dominance'"),
        ("weighted(normalize=perhaps)", "wrong-type", "'perhaps'"),
        ("coverage(x=1)", "unknown-parameter", "'x'"),
        ("(", "not-a-name", "'('"),
    ],
)
def test_errors_teach(text: str, code: str, found: str | None) -> None:
    with raises(SettingsError, code=code, found=found):
        comparator(text)


def test_vectors_are_not_written_out() -> None:
    point = PropertyVector.of_rows([1, 2], name="class-size")
    assert str(Rank(point=point)) == "rank(point=vector of class-size)"
    assert str(Mean()) == "mean"
