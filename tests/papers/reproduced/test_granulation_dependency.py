"""Reducts and dependency of the running example and of Adult."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.reproduced import Conditions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_reducts_of_the_example_and_of_adult(adult_path: Path) -> None:
    reproduced = reproduction_named("granulation-dependency").reproduce(
        Conditions(runs=1, adult=adult_path)
    )
    reducts, example, *_ = (table.records() for table in reproduced.tables)
    # Every date of birth, ZIP code and height of fig. 1 is different: each alone is a reduct.
    assert reducts[0]["classes"] == 11
    assert reducts[0]["reducts"] == "D.O.B.; ZIP; Height"
    assert reducts[0]["core"] == "empty"
    assert all(row["γ alone"] == 1 for row in example)
    # No column of Adult can be dropped.
    assert reducts[1]["classes"] == 12_458
    assert str(reducts[1]["reducts"]).count(";") == 0
