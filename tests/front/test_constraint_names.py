from __future__ import annotations

import pytest

from sfumato.errors import SettingsError
from sfumato.front.decisions.constraint_names import check_constraint_names
from sfumato.front.decisions.pick_rule import read_constraints

KNOWN = {"k": 5.0, "distinct-l": 2.0, "recursive-l(c=3)": 1.0}


def test_names_come_as_the_metrics_write_them() -> None:
    rule = read_constraints("recursive-l( c=3.0 )>=2, k>=5")
    assert check_constraint_names(rule, KNOWN) == ("recursive-l(c=3)", "k")
    assert check_constraint_names(rule, list(KNOWN)) == ("recursive-l(c=3)", "k")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k>=5, distinct-i>=2", "character 7: there is no value 'distinct-i'; did you mean"),
        ("Distinct-L>=2", "did you mean 'distinct-l'? the metrics are distinct-l, k, recursive-l"),
        ("banana>=2", "there is no value 'banana'; the metrics are distinct-l"),
        ("t<=0.3", "there is no value 't' here; name it among the objectives"),
        ("recursive-l(d=3)>=2", "has no parameter 'd'"),
    ],
)
def test_other_names_are_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_constraint_names(read_constraints(text), KNOWN)
    assert said in str(caught.value)
