"""Every command, by phase, on Adult and on as many rows as one likes.

``python -m benchmarks.commands [ROWS …]`` (default: 2 M and 10 M, after Adult itself) prints the
tables of docs/scale.md. Each command is a process of its own, as its user would start it; the
quickest of several counts. More rows than Adult has are drawn from it: every column of a row comes
from the same record, but for one in twenty, so that there are more cells too.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from tests.adult_wheel import fetch_adult

from sfumato.datasets.adult import QUASI_IDENTIFIERS
from sfumato.datasets.adult_file import hierarchy_path

COLUMNS = (*QUASI_IDENTIFIERS, "salary-class", "occupation")
SIZES = (2_000_000, 10_000_000)
PHASES = (
    "imports", "kernels", "connect", "count", "search", "measure", "findings", "rewrite", "verify",
    "hash", "rest",
)  # fmt: skip
COMMANDS = {
    "init": "init adult.csv -o proposed.toml --force",
    "search": "search study.toml -o run --force",
    "front": "front run",
    "report": "report run --force",
    "evaluate": "evaluate run --solution 2",
    "compare": "compare run 1 2",
    "release": "release run --pick k>=5 -o released.csv --force",
    "verify": "verify released.csv released.csv.certificate.json",
    "audit": "audit released.csv study.toml",
}


@dataclass(frozen=True)
class Measured:
    """A command that ran: its seconds from start to end, and its phases."""

    wall: float
    cpu: float
    phases: dict[str, list[float]] = field(default_factory=dict)


def prepare(folder: Path, rows: int | None) -> None:
    """Write the table and the study; Adult itself where no number of rows is given."""
    table = folder / "adult.csv"
    if rows is None:
        shutil.copy(fetch_adult(), table)
    else:
        draw(table, rows)
    (folder / "hierarchies").mkdir()
    text = '[source]\npath = "adult.csv"\n\n'
    for name in COLUMNS[:-1]:
        shutil.copy(hierarchy_path(name), folder / "hierarchies" / f"{name}.csv")
        text += f'[columns.{name}]\nrole = "quasi-identifying"\n'
        text += f'hierarchy = "hierarchies/{name}.csv"\n\n'
    text += '[columns.occupation]\nrole = "sensitive"\n\n[search]\nobjectives = ["k", "loss"]\n\n'
    text += '[suppression]\npolicy = "limit"\nlimit = 0.01\n'
    (folder / "study.toml").write_text(text)


def draw(path: Path, rows: int) -> None:
    """Write rows that are drawn from Adult, the same on every machine."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE adult AS SELECT *, row_number() OVER () - 1 AS place "
            f"FROM read_csv('{fetch_adult()}', delim = ';', header = true, all_varchar = true)"
        )
        ((size,),) = connection.execute("SELECT count(*) FROM adult").fetchall()
        record = f"hash(i) % {size}"
        cells, joins = [], []
        for q, name in enumerate(COLUMNS):
            drawn = f"hash(i * 16 + {q + 1})"
            joins.append(
                f"JOIN adult AS a{q} ON a{q}.place = CASE WHEN {drawn} % 20 = 0 "
                f"THEN ({drawn} // 20) % {size} ELSE {record} END"
            )
            cells.append(f'a{q}."{name}"')
        connection.execute(
            f"COPY (SELECT {', '.join(cells)} FROM range({rows}) AS t(i) {' '.join(joins)}) "
            f"TO '{path}' (FORMAT csv, DELIMITER ';', HEADER true)"
        )


def run(command: str, folder: Path, *, traced: bool) -> Measured:
    """Run a command in a process; by its phases, or as its user would."""
    module = "benchmarks.phases" if traced else "sfumato"
    root = str(Path(__file__).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "XDG_STATE_HOME": str(folder / "state"),
        "SFUMATO_STATE": str(folder / "state"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", module, *command.split()],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 3), done.stderr
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    phases = json.loads(done.stderr.splitlines()[-1]) if traced else {}
    return Measured(wall, cpu, phases)


def measured(rows: int | None, *, times: int) -> dict[str, tuple[Measured, Measured]]:
    """Run all commands, one after the other, and return the quickest of each, plain and traced."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, rows)
        found = {}
        for command, line in COMMANDS.items():
            plain = [run(line, folder, traced=False) for _ in range(times)]
            traced = [run(line, folder, traced=True) for _ in range(times)]
            found[command] = (
                min(plain, key=lambda each: each.wall),
                min(traced, key=lambda each: each.wall),
            )
    return found


def show(title: str, found: dict[str, tuple[Measured, Measured]]) -> None:
    print(f"\n{title}: wall and CPU seconds; then, by phase, wall / CPU\n")
    print("| command | wall | CPU | " + " | ".join(PHASES) + " |")
    print("|---|---:|---:|" + "---:|" * len(PHASES))
    for command, (plain, traced) in found.items():
        cells = []
        for phase in PHASES:
            wall, cpu = traced.phases.get(phase, (0.0, 0.0))
            cells.append("–" if max(wall, cpu) < 0.005 else f"{wall:.2f} / {cpu:.2f}")
        print(f"| {command} | {plain.wall:.2f} | {plain.cpu:.2f} | " + " | ".join(cells) + " |")
    both = found["search"][0].wall + found["release"][0].wall
    print(f"\nsearch and release together: {both:.2f} s", flush=True)


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    show("Adult, 30,162 rows", measured(None, times=3))
    for rows in sizes:
        show(f"{rows:,} rows", measured(rows, times=1))


if __name__ == "__main__":
    main()
