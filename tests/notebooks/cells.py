"""Runs the code cells of a notebook in one namespace: no kernel is needed for that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def code_cells(notebook: Path) -> list[str]:
    """Return the code of a notebook, cell by cell."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4
    return ["".join(c["source"]) for c in content["cells"] if c["cell_type"] == "code"]


def run_notebook(notebook: Path) -> dict[str, object]:
    """Run a notebook from top to bottom and return the names that it leaves."""
    space: dict[str, object] = {"__name__": "__main__"}
    for number, code in enumerate(code_cells(notebook), start=1):
        exec(compile(code, f"{notebook.name}, cell {number}", "exec"), space)
    return space
