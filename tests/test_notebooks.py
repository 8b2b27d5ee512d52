"""The notebooks of the documentation run, and show what they showed when they were written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tools.notebooks import notebook_text, run_notebook

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    """Leave out what depends on the fonts of the machine; that there is a picture stays."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                assert output["data"]["image/png"]
                output["data"]["image/png"] = "a picture"
    return notebook


def test_there_is_one() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["nbformat"] == 4
    assert len({cell["id"] for cell in kept["cells"]}) == len(kept["cells"])
    # If what is shown has changed for good: python -m tools.notebooks docs/notebooks/*.ipynb
    assert without_pictures(run_notebook(path)) == without_pictures(kept)


def test_a_cell_that_fails_fails(tmp_path: Path) -> None:
    path = tmp_path / "wrong.ipynb"
    cell = {"cell_type": "code", "source": ["1 / 0"], "outputs": [], "metadata": {}}
    path.write_text(notebook_text({"cells": [cell]}), encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        run_notebook(path)


def test_the_last_value_of_a_cell_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "small.ipynb"
    cells = [
        {"cell_type": "markdown", "source": ["# Text"], "metadata": {}},
        {"cell_type": "code", "source": ["x = 2\n", "print(x)\n", "x + 1"], "metadata": {}},
        {"cell_type": "code", "source": ["x;"], "metadata": {}},
    ]
    path.write_text(notebook_text({"cells": cells}), encoding="utf-8")
    first, second = run_notebook(path)["cells"][1:]
    stream, result = first["outputs"]
    assert stream["text"] == ["2\n"]
    assert result["data"] == {"text/plain": ["3"]}
    assert second["outputs"] == []
