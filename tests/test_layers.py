"""Imports go downward only (DESIGN.md, "Layers")."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import sfumato

PACKAGE = Path(sfumato.__file__).parent

# Lowest first. A module may import from its own layer and from those below it.
LAYERS = (
    ("errors",),
    ("data",),
    ("recoding",),
    ("measures",),
    ("front", "compare"),
    ("search",),
    ("release",),
    ("study",),
    ("datasets",),
    ("reproduce",),
    ("explorer", "report"),
    ("cli",),
    ("__main__",),
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}


def layer_of(module: str) -> str:
    return module.split(".")[1]


def imported_modules(source: str) -> set[str]:
    """Every sfumato module that a source imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which layer is meant"
            assert node.module is not None
            found.add(node.module)
            if node.module == "sfumato":
                found |= {f"sfumato.{alias.name}" for alias in node.names}
    return {module for module in found if module.startswith("sfumato.")}


def upward_imports(module: str, source: str) -> list[str]:
    own = layer_of(module)
    wrong = []
    for imported in sorted(imported_modules(source)):
        other = layer_of(imported)
        sideways = other != own and HEIGHT[other] == HEIGHT[own]
        if HEIGHT[other] > HEIGHT[own] or sideways:
            wrong.append(f"{module} imports {imported}")
    return wrong


def modules() -> dict[str, str]:
    return {
        ".".join(("sfumato", *path.relative_to(PACKAGE).with_suffix("").parts)): path.read_text(
            encoding="utf-8"
        )
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != PACKAGE / "__init__.py"
    }


def test_every_module_has_a_layer() -> None:
    assert {layer_of(module) for module in modules()} <= set(HEIGHT)


def test_imports_go_downward_only() -> None:
    wrong = [
        line for module, source in modules().items() for line in upward_imports(module, source)
    ]
    assert wrong == []


def test_an_upward_import_is_found() -> None:
    source = "def late():\n    from sfumato.search.sweep import sweep\n"
    assert upward_imports("sfumato.measures.k", source) == [
        "sfumato.measures.k imports sfumato.search.sweep"
    ]
    assert upward_imports("sfumato.front.front", "import sfumato.compare.index") != []
    assert upward_imports("sfumato.search.sweep", "import sfumato.measures.k") == []


def test_import_is_light() -> None:
    """What takes long to import comes with its first use, so that `import sfumato` stays quick."""
    heavy = ("duckdb", "numba", "pandas", "polars", "pyarrow", "moocore", "rich")
    code = (
        "import sys, sfumato; sfumato.Study; sfumato.Intervals; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == "[]"
