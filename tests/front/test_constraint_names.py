from __future__ import annotations

import pytest
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.decisions.constrained_front import check_constraint_names
from sfumato.front.decisions.pick_rule import read_constraints

KNOWN = {"k": 5.0, "distinct-l": 2.0, "recursive-l(c=3)": 1.0}


def test_names_come_as_the_metrics_write_them() -> None:
    rule = read_constraints("recursive-l( c=3.0 )>=2, k>=5")
    assert check_constraint_names(rule, KNOWN) == ("recursive-l(c=3)", "k")
    assert check_constraint_names(rule, list(KNOWN)) == ("recursive-l(c=3)", "k")


@pytest.mark.parametrize(
    ("text", "code", "character", "suggestion"),
    [
        ("k>=5, distinct-i>=2", "unknown-metric", 7, "distinct-l"),
        ("Distinct-L>=2", "unknown-metric", 1, "distinct-l"),
        ("banana>=2", "unknown-metric", 1, None),
        ("t<=0.3", "unmeasured-metric", 1, None),
        ("recursive-l(d=3)>=2", "unknown-metric", 1, None),
    ],
)
def test_other_names_are_refused(
    text: str, code: str, character: int, suggestion: str | None
) -> None:
    with raises(SettingsError, code=code, character=character) as caught:
        check_constraint_names(read_constraints(text), KNOWN)
    assert caught.value.suggestion == suggestion
    assert caught.value.expected == tuple(sorted(KNOWN))
