"""Runs the notebooks of the documentation, and writes what their cells show into them.

    python -m tools.notebooks docs/notebooks/*.ipynb

A notebook is JSON (nbformat 4). Cells run in their order in one namespace, in an empty folder; the
value of the last expression of a cell is shown as a notebook shows it: its HTML, else its repr;
of matplotlib's axes their figure. Nothing but the package itself and matplotlib is needed for it.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "sfumato_notebook"


def run_notebook(path: Path) -> dict[str, Any]:
    """Return a notebook with the outputs that its cells have when they are run now."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    module = ModuleType(NAME)
    sys.modules[NAME] = module
    number = 0
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)), _quiet_figures():
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                where = f"{path.name}, cell {number}"
                cell["outputs"] = _outputs("".join(cell["source"]), where, vars(module), number)
                cell["execution_count"] = number
    return notebook


def notebook_text(notebook: dict[str, Any]) -> str:
    """Return the text of the file of a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _quiet_figures() -> Iterator[None]:
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    before = mpl.get_backend()
    mpl.use("Agg")
    try:
        yield
    finally:
        plt.close("all")
        mpl.use(before)


def _outputs(source: str, where: str, space: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell and return what a notebook shows below it."""
    tree = ast.parse(source, filename=where)
    last: ast.Expression | None = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(body=tree.body.pop().value)  # type: ignore[attr-defined]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec", dont_inherit=True), space)
        value = None if last is None else eval(compile(last, where, "eval"), space)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        outputs.append(
            {
                "data": _shown(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _shown(value: object) -> dict[str, object]:
    """Return a value in the forms that a notebook can show."""
    from matplotlib.axes import Axes

    if isinstance(value, Axes):
        picture = io.BytesIO()
        figure = value.get_figure(root=True)
        assert figure is not None
        figure.savefig(picture, format="png", dpi=80)
        return {"image/png": base64.b64encode(picture.getvalue()).decode()}
    found: dict[str, object] = {"text/plain": _lines(repr(value))}
    as_html = getattr(value, "_repr_html_", None)
    if as_html is not None:
        found = {"text/html": _lines(as_html()), **found}
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    """Run the notebooks that are named, and write their outputs into them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("notebook", type=Path, nargs="+")
    for path in parser.parse_args().notebook:
        path.write_text(notebook_text(run_notebook(path)), encoding="utf-8")
        print(f"{path} was run")


if __name__ == "__main__":
    main()
