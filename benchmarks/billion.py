"""A billion rows on one machine: count, search, release and verify, beside the same typed.

``python -m benchmarks.billion [ROWS] [FOLDER]`` writes the rows as a folder of Parquet parts (five
quasi-identifiers, a name and a diagnosis), and removes what it wrote. Every step is a process of
its own, whose greatest memory is its own. What is typed into DuckDB comes second, when the files
are warm if anything.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np

from benchmarks.generated import COLUMNS, attributes, generate_part
from benchmarks.measuring import peak_memory_in_megabytes
from benchmarks.release import LEVELS, QUASI_IDENTIFIERS, typed_lookups, typed_rewrite
from sfumato.classes.suppression import limited
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.session import REWRITE_MEMORY
from sfumato.sources.source import ParquetFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 1_000_000_000
ROWS_A_PART = 25_000_000
MEMORY = "1500MB"
"""What DuckDB may take to count, as a release may by itself; Python takes the rest."""
SECONDS = 5.0


def study_of(folder: Path) -> Study:
    return Study(
        source=ParquetFile(path=folder / "rows"),
        attributes=attributes(QUASI_IDENTIFIERS),
        suppression=limited(0.01),
        engine=DuckDBEngine(memory_limit=MEMORY),
    )


def generated(folder: Path, rows: int) -> dict[str, float]:
    parts = folder / "rows"
    parts.mkdir()
    for number, first in enumerate(range(0, rows, ROWS_A_PART)):
        generate_part(
            parts / f"part-{number:04}.parquet",
            first=first,
            rows=min(ROWS_A_PART, rows - first),
            columns=QUASI_IDENTIFIERS,
        )
    return {"seconds": 0.0, "bytes": float(size_of(parts))}


def counted(folder: Path) -> dict[str, float]:
    table = study_of(folder).count_table
    return {"rows": table.rows, "cells": table.cells}


def searched(folder: Path) -> dict[str, float]:
    """Count and search, and note how long each took."""
    study = study_of(folder)
    started = time.perf_counter()
    table = study.count_table
    counted = time.perf_counter()
    result = study.search()
    return {
        "count": counted - started,
        "search": time.perf_counter() - counted,
        "nodes": result.nodes,
        "solutions": len(result.front),
        "rows": table.rows,
    }


def released(folder: Path) -> dict[str, float]:
    """Count, rewrite and verify, as a command does that knows nothing of the source yet."""
    study = study_of(folder)
    started = time.perf_counter()
    study.evaluate(LEVELS)
    counted = time.perf_counter() - started
    begun = time.perf_counter()
    release = study.release(LEVELS, folder / "released.parquet", force=True, ledger=False)
    written = release.rewrite_seconds + release.verify_seconds
    return {
        "count": counted,
        "rest": time.perf_counter() - begun - written,
        "rewrite": release.rewrite_seconds,
        "verify": release.verify_seconds,
        "rows": release.rows,
        "bytes": float((folder / "released.parquet").stat().st_size),
    }


def typed_count(folder: Path) -> dict[str, float]:
    names = [column.name for column in COLUMNS[:QUASI_IDENTIFIERS]] + ["diagnosis"]
    with connection_to(folder) as connection:
        found = connection.execute(
            f"SELECT {', '.join(names)}, count(*) FROM '{folder / 'rows'}/*.parquet' GROUP BY ALL"
        ).fetchnumpy()
    return {"combinations": len(found["count_star()"])}


def prepared(folder: Path) -> dict[str, float]:
    typed_lookups(study_of(folder), folder)
    return {}


def typed_release(folder: Path) -> dict[str, float]:
    with connection_to(folder) as connection:
        return typed_rewrite(
            connection, f"{folder / 'rows'}/*.parquet", folder / "typed.parquet", folder
        )


def typed_check(folder: Path) -> dict[str, float]:
    """Read the written file back as somebody would: its rows, and its smallest class."""
    with connection_to(folder) as connection:
        sizes = connection.execute(
            f"SELECT {', '.join(LEVELS)}, count(*) AS n FROM '{folder / 'typed.parquet'}' "
            "GROUP BY ALL"
        ).fetchnumpy()["n"]
    return {"rows": float(np.sum(sizes)), "smallest": float(np.min(sizes))}


def connection_to(folder: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"temp_directory": str(folder / "spill")})
    connection.execute(f"SET memory_limit = '{REWRITE_MEMORY}'")
    connection.execute("SET preserve_insertion_order = false")
    return connection


STEPS: dict[str, Callable[[Path], dict[str, float]]] = {
    "count": counted,
    "typed-count": typed_count,
    "search": searched,
    "release": released,
    "prepare": prepared,
    "typed-release": typed_release,
    "typed-check": typed_check,
}


def size_of(folder: Path) -> int:
    """Return the bytes below a folder; what goes away meanwhile is not counted."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def in_a_process(step: str, folder: Path, rows: int) -> dict[str, float]:
    """Do a step in a process; the greatest size of the folder meanwhile is in the result too."""
    most = [size_of(folder)]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(SECONDS):
            most[0] = max(most[0], size_of(folder))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    started = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.billion", step, str(folder), str(rows)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    finally:
        over.set()
        watcher.join()
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    found["wall"] = time.perf_counter() - started
    found["disk"] = float(most[0])
    print(step, json.dumps(found), file=sys.stderr, flush=True)
    return found


def step_in_this_process(step: str, folder: Path, rows: int) -> None:
    started, cpu = time.perf_counter(), time.process_time()
    found = generated(folder, rows) if step == "generate" else STEPS[step](folder)
    found["seconds"] = time.perf_counter() - started
    found["cpu"] = time.process_time() - cpu
    found["peak"] = peak_memory_in_megabytes()
    print(json.dumps(found))


def table(found: dict[str, dict[str, float]], rows: int) -> list[str]:
    """Return the table of docs/scale.md."""
    giga = 1 << 30
    release, search = found["release"], found["search"]
    lines = [
        "| step | sfumato (s) | typed into DuckDB (s) | ratio | peak, sfumato (MB) "
        "| peak, typed (MB) |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for step, ours, typed, own, plain in (
        (
            "count",
            found["count"]["seconds"],
            found["typed-count"]["seconds"],
            "count",
            "typed-count",
        ),
        ("search, without the count", search["search"], None, "search", None),
        (
            "rewrite",
            release["rewrite"],
            found["typed-release"]["rewrite"],
            "release",
            "typed-release",
        ),
        ("findings and certificates", release["rest"], None, "release", None),
        ("verify", release["verify"], found["typed-check"]["seconds"], "release", "typed-check"),
    ):
        plainly = "– | –" if typed is None else f"{typed:,.1f} | {ours / typed:.2f} ×"
        peak = "–" if plain is None else f"{found[plain]['peak']:,.0f}"
        lines.append(f"| {step} | {ours:,.1f} | {plainly} | {found[own]['peak']:,.0f} | {peak} |")
    beside = (release["disk"] - found["generate"]["bytes"]) / giga
    lines += [
        "",
        f"{rows:,} rows in {-(-rows // ROWS_A_PART)} parts, "
        f"{found['generate']['bytes'] / giga:.1f} GB; {found['count']['cells']:,.0f} cells, "
        f"{search['nodes']:,.0f} nodes, {search['solutions']:,.0f} solutions; "
        f"{release['rows']:,.0f} rows released, {release['bytes'] / giga:.1f} GB; at most "
        f"{beside:.1f} GB of disk beside the source.",
    ]
    return lines


def main() -> None:
    if len(sys.argv) == 4:
        step_in_this_process(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
        return
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    parent = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="sfumato-billion-", dir=parent))
    try:
        found = {"generate": in_a_process("generate", folder, rows)}
        for step in STEPS:
            found[step] = in_a_process(step, folder, rows)
            if step == "release":
                (folder / "released.parquet").unlink()
        assert found["release"]["rows"] == found["typed-release"]["rows"]
        print("\n".join(table(found, rows)))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
