"""Which bounds of other objectives local recodings are made for."""

from __future__ import annotations

import pandas
import pytest

import sfumato as sf
from sfumato.search.local.asked_sizes import asked_bounds

ROWS = pandas.DataFrame(
    {
        "age": [str(20 + row % 40) for row in range(240)],
        "ill": [f"i{row % 60}" for row in range(240)],
    }
)


def bounds(*require: str) -> list[str]:
    study = sf.Study(
        source=ROWS,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=59, widths=(5, 10, 20))),
            sf.sensitive("ill"),
        ],
        objectives=["k", "distinct-l", "normalized-loss"],
        require=require,
        space="local",
    )
    return [str(each) for each in asked_bounds(study.problem)]


@pytest.mark.parametrize(("comparison", "bound"), [(">=", 10), (">", 9), (">=", 7)])
def test_what_the_policy_implies_is_not_asked_for_again(comparison: str, bound: float) -> None:
    free, policy = bounds(), f"distinct-l{comparison}{bound}"
    assert "distinct-l>=5" in free
    kept = [each for each in free if float(each.split(">=")[1]) > bound]
    assert bounds("k>=5", policy) == kept
    assert kept
    # Others say nothing about it.
    assert bounds("k>=5", "t<=0.9") == free
