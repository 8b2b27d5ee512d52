"""The notebook on reading a release runs, and its analyses find what was put into the data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.notebooks.cells import run_notebook

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTEBOOK = Path(__file__).parents[2] / "docs" / "release-notebook.ipynb"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, object]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("notebook"))
        return run_notebook(NOTEBOOK)


def test_the_regression_finds_what_was_put_in(space: Mapping[str, object]) -> None:
    coefficients = space["coefficients"]
    assert isinstance(coefficients, np.ndarray)
    assert coefficients[1] == pytest.approx(30, abs=2)
    assert coefficients[2] == pytest.approx(200, abs=40)


def test_the_cross_table_has_all_released_rows(space: Mapping[str, object]) -> None:
    table, released = space["table"], space["released"]
    assert isinstance(table, pd.DataFrame)
    assert isinstance(released, pd.DataFrame)
    assert int(table.to_numpy().sum()) == len(released) > 1900
    assert isinstance(released["age"].dtype, pd.IntervalDtype)
    assert released["town"].cat.ordered
