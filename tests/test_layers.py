"""Imports go downward only, at every depth (docs/architecture.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import sfumato

PACKAGE = Path(sfumato.__file__).parent

# Lowest first. A module may import from its own room and from those below it, never from one
# beside it; imports for type checking count too.
ROOMS = (
    "arrays",
    "errors",
    "documents",
    "pages",
    "plugins",
    "recognition",
    "hierarchies",
    "sources",
    "statements",
    "engines",
    "microdata",
    "recoding",
    "classes",
    "measures",
    "front",
    "compare",
    "search",
    "risk",
    "findings",
    "release",
    "utility",
    "study",
    "datasets",
    "testing",
    "papers",
    "views",
    "report",
    "explorer",
    "cli",
    "__main__",
)
HEIGHT = {name: height for height, name in enumerate(ROOMS)}


def imported_modules(source: str) -> set[str]:
    """Every sfumato module that a source imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which room is meant"
            assert node.module is not None
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {module for module in found if module.startswith("sfumato.")}


def modules() -> dict[str, str]:
    """The source of every module but the package's own, by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(("sfumato", *(parts[:-1] if parts[-1] == "__init__" else parts)))
        if name != "sfumato":
            found[name] = path.read_text(encoding="utf-8")
    return found


def upward_imports(module: str, source: str) -> list[str]:
    own = HEIGHT[module.split(".")[1]]
    return [
        f"{module} imports {imported}"
        for imported in sorted(imported_modules(source))
        if HEIGHT.get(imported.split(".")[1], -1) > own
    ]


def cycles(imports: dict[str, set[str]], folder: str) -> list[list[str]]:
    """Return the cycles between the files and folders that lie directly in a folder."""
    depth = folder.count(".") + 2
    edges: dict[str, set[str]] = {}
    for module, targets in imports.items():
        if module.startswith(f"{folder}."):
            own = ".".join(module.split(".")[:depth])
            edges.setdefault(own, set()).update(
                ".".join(target.split(".")[:depth])
                for target in targets
                if target.startswith(f"{folder}.")
            )
            edges[own].discard(own)
    found = []
    while True:
        free = {name for name in edges if not edges[name] & edges.keys()}
        if not free:
            break
        edges = {name: targets - free for name, targets in edges.items() if name not in free}
    if edges:
        found.append(sorted(edges))
    return found


def test_every_module_has_a_room() -> None:
    assert {module.split(".")[1] for module in modules()} <= set(ROOMS)


def test_imports_go_downward_only() -> None:
    wrong = [
        line for module, source in modules().items() for line in upward_imports(module, source)
    ]
    assert wrong == []


def test_there_is_no_cycle_at_any_depth() -> None:
    sources = modules()
    imports = {
        module: {name for name in imported_modules(source) if name in sources}
        for module, source in sources.items()
    }
    folders = {module.rpartition(".")[0] for module in sources}
    assert {folder: found for folder in sorted(folders) if (found := cycles(imports, folder))} == {}


def test_every_folder_says_its_role() -> None:
    for init in PACKAGE.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))), init


def test_an_upward_import_is_found() -> None:
    source = "def late():\n    from sfumato.search.methods.sweep import sweep\n"
    assert upward_imports("sfumato.measures.privacy.k", source) == [
        "sfumato.measures.privacy.k imports sfumato.search.methods.sweep",
        "sfumato.measures.privacy.k imports sfumato.search.methods.sweep.sweep",
    ]
    assert upward_imports("sfumato.front.front", "import sfumato.compare.index") != []
    assert upward_imports("sfumato.search.points", "import sfumato.measures.privacy.k") == []


def test_a_cycle_is_found() -> None:
    imports = {
        "sfumato.a.x.one": {"sfumato.a.y"},
        "sfumato.a.x.two": set(),
        "sfumato.a.y": {"sfumato.a.x.two"},
        "sfumato.a.z": {"sfumato.a.y"},
    }
    assert cycles(imports, "sfumato.a") == [["sfumato.a.x", "sfumato.a.y", "sfumato.a.z"]]
    assert cycles(imports, "sfumato.a.x") == []


def test_import_is_light() -> None:
    """What takes long to import comes with its first use, so that `import sfumato` stays quick."""
    heavy = (
        "duckdb",
        "numba",
        "pandas",
        "polars",
        "pyarrow",
        "moocore",
        "pydantic",
        "rich",
        "tomlkit",
    )
    code = (
        "import sys, sfumato; sfumato.Study; sfumato.Intervals; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == "[]"
