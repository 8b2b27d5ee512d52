"""Personalized privacy: everybody's guarding node, its probability, and the criterion."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError

GUARDS = (
    sf.ConfidentialStatement(protect="illness in {flu, cold}", where="guard = respiratory"),
    sf.ConfidentialStatement(protect="illness = flu", where="guard = flu"),
)


def patients() -> pd.DataFrame:
    """Return four values of a, whose first two and last two are one block each at level 1."""
    return pd.DataFrame(
        {
            "a": list("ppqqrrss"),
            "illness": ["flu", "gout", "flu", "flu", "cold", "gout", "cold", "gout"],
            "guard": ["flu", "none", "none", "none", "respiratory", "none", "none", "respiratory"],
        }
    )


def study(**settings: object) -> sf.Study:
    tree = sf.Hierarchy.from_rows(
        [("p", "pq", "*"), ("q", "pq", "*"), ("r", "rs", "*"), ("s", "rs", "*")]
    )
    return sf.Study(
        source=patients(),
        attributes=[
            sf.quasi_identifying("a", tree),
            sf.sensitive("illness"),
            sf.insensitive("guard"),
        ],
        statements=sf.ConfidentialStatements.of(list(GUARDS)),
        **settings,  # type: ignore[arg-type]
    )


def breach(level: int) -> float:
    return study().evaluate({"a": level}).values["breach-probability"]


def test_everybody_is_measured_by_their_own_guarding_node() -> None:
    # p guards flu: 1 of 2. q has flu only, and guards nothing. r, s guard what 1 of 2 have.
    assert breach(0) == 1 / 2
    # p is merged with q, where flu is frequent: 3 of 4. Guards that differ make it rise.
    assert breach(1) == 3 / 4
    # flu is 3 of 8, flu or cold 5 of 8.
    assert breach(2) == 5 / 8


def test_as_a_criterion_every_class_keeps_to_it() -> None:
    found = study(objectives=("breach-probability", "loss"), criteria=("breach-probability<=0.5",))
    assert [s.levels["a"] for s in found.search(method="sweep").front] == [0]


@pytest.mark.parametrize("method", ["incognito", "samarati"])
def test_guards_that_differ_are_not_inherited(method: str) -> None:
    asked = study(objectives=("k", "loss"), criteria=("breach-probability<=0.5",))
    with raises(SettingsError, code="not-inherited"):
        asked.search(method=method)
