"""Run one command of sfumato in this process, and say which phase its time went to.

``python -m benchmarks.phases COMMAND …`` writes JSON to stderr at the end: the wall and CPU seconds
of every phase, without those of the phases inside it. The command itself knows nothing of it: the
functions at which a phase begins are wrapped.
"""

from __future__ import annotations

import functools
import importlib._bootstrap as bootstrap
import json
import sys
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PHASES = {
    "kernels": (("sfumato.classes.compilation", "AnnouncedKernels.load"),),
    "connect": (("duckdb", "connect"),),
    "count": tuple(
        ("sfumato.engines.sql.engine", f"SqlEngine.{name}")
        for name in ("columns", "count", "values", "combinations", "rows_at_most", "unreadable")
    ),
    "findings": (
        *(
            ("sfumato.engines.sql.engine", f"SqlEngine.{name}")
            for name in ("facts", "about_distinct", "unique_rows")
        ),
        ("sfumato.findings.catalogue", "find"),
    ),
    "rewrite": (
        ("sfumato.engines.sql.engine", "SqlEngine.rewrite"),
        ("sfumato.engines.sql.engine", "SqlEngine.kept_values"),
    ),
    "verify": (
        *(
            ("sfumato.engines.sql.engine", f"SqlEngine.{name}")
            for name in ("intended_content", "written_metrics", "released_people")
        ),
        ("sfumato.release.release", "_verified"),
    ),
    "hash": (("sfumato.sources.source_stamp", "file_sha256"),),
    "search": (("sfumato.study.study", "Study.search"),),
    "measure": (("sfumato.study.evaluation", "evaluate_recoding"),),
}
IMPORTS, REST = "imports", "rest"


class Clock:
    """The time of every phase; what is not in a phase is the rest."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.inside = [REST]
        self.thread = threading.get_ident()
        # A process has spent CPU before this: starting Python.
        self.last = (time.perf_counter(), 0.0)

    def turn(self) -> None:
        """Give what passed since the last turn to the phase that was on."""
        now = (time.perf_counter(), time.process_time())
        for place in (0, 1):
            self.seconds[self.inside[-1]][place] += now[place] - self.last[place]
        self.last = now

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count what happens inside as one phase, unless another thread does it."""
        if threading.get_ident() != self.thread:
            yield
            return
        self.turn()
        self.inside.append(name)
        try:
            yield
        finally:
            self.turn()
            self.inside.pop()


def watch_imports(clock: Clock) -> None:
    """Count imports, and wrap the functions of every module that appears."""
    find_and_load = bootstrap._find_and_load  # type: ignore[attr-defined]
    wrapped: set[tuple[str, str]] = set()
    depth = [0]

    def watched(name: str, *rest: object) -> object:
        if depth[0] or threading.get_ident() != clock.thread:
            return find_and_load(name, *rest)
        depth[0] += 1
        try:
            # Numba is loaded for the kernels alone.
            what = "kernels" if clock.inside[-1] == "kernels" else IMPORTS
            with clock.phase(what):
                return find_and_load(name, *rest)
        finally:
            depth[0] -= 1
            wrap_all(clock, wrapped)

    bootstrap._find_and_load = watched  # type: ignore[attr-defined]


def wrap_all(clock: Clock, wrapped: set[tuple[str, str]]) -> None:
    for phase, places in PHASES.items():
        for place in places:
            module = sys.modules.get(place[0])
            if module is not None and place not in wrapped and wrap(module, place[1], clock, phase):
                wrapped.add(place)


def wrap(module: object, name: str, clock: Clock, phase: str) -> bool:
    """Wrap a function wherever it is known by its name; say whether it is there yet."""
    owner: object = module
    *path, last = name.split(".")
    for part in path:
        owner = vars(owner).get(part)
        if owner is None:
            return False
    function: Callable[..., object] | None = vars(owner).get(last)
    if function is None:
        return False

    @functools.wraps(function)
    def timed(*arguments: object, **named: object) -> object:
        with clock.phase(phase):
            return function(*arguments, **named)

    setattr(owner, last, timed)
    for other in list(sys.modules.values()):
        is_ours = getattr(other, "__name__", "").startswith("sfumato.")
        if is_ours and vars(other).get(last) is function:
            setattr(other, last, timed)
    return True


def main() -> None:
    clock = Clock()
    watch_imports(clock)
    from sfumato.cli.main import main as command

    code = 70
    try:
        code = command(sys.argv[1:])
    finally:
        clock.turn()
        print("\n" + json.dumps(clock.seconds), file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
