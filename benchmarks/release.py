"""Releasing 10 M rows against the same join, shuffle and copy typed into DuckDB.

Each is a process of its own, so that its greatest memory is its own; they take turns, and the
quickest of each counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np

from benchmarks.generated import attributes, generate
from benchmarks.measuring import peak_memory_in_megabytes
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.suppression import limited
from sfumato.engines.duckdb.session import REWRITE_MEMORY
from sfumato.recoding.levels import Levels
from sfumato.sources.source import ParquetFile
from sfumato.study.study import Study

ROWS = 10_000_000
QUASI_IDENTIFIERS = 5
LEVELS = {"age": 2, "sex": 0, "region": 1, "marital": 0, "education": 1}
TIMES = 3


def study_of(path: Path) -> Study:
    return Study(
        source=ParquetFile(path=path),
        attributes=attributes(QUASI_IDENTIFIERS),
        suppression=limited(0.01),
    )


def released(folder: Path) -> dict[str, float]:
    """Count, release and verify; return the seconds of each and the peak memory."""
    study = study_of(folder / "rows.parquet")
    started = time.perf_counter()
    study.evaluate(LEVELS)
    counted = time.perf_counter() - started
    release = study.release(LEVELS, folder / "released.parquet", force=True)
    return {
        "count": counted,
        "rewrite": release.rewrite_seconds,
        "verify": release.verify_seconds,
        "rows": release.rows,
        "peak": peak_memory_in_megabytes(),
    }


def typed(folder: Path) -> dict[str, float]:
    """Do what a person would type: lookups, suppressed classes, joins, a shuffle, a copy."""
    with duckdb.connect(config={"temp_directory": str(folder / "spill")}) as connection:
        connection.execute(f"SET memory_limit = '{REWRITE_MEMORY}'")
        connection.execute("SET preserve_insertion_order = false")
        found = typed_rewrite(
            connection, str(folder / "rows.parquet"), folder / "typed.parquet", folder
        )
    return {**found, "peak": peak_memory_in_megabytes()}


def typed_rewrite(
    connection: duckdb.DuckDBPyConnection, rows: str, target: Path, lookups: Path
) -> dict[str, float]:
    """Write the rows by joins with lookups that are there; return the seconds and the rows."""
    for lookup in lookups.glob("lookup-*.parquet"):
        name = lookup.stem.removeprefix("lookup-")
        connection.execute(f"CREATE TEMP TABLE to_{name} AS FROM '{lookup}'")
    connection.execute(f"CREATE TEMP TABLE gone AS FROM '{lookups / 'gone.parquet'}'")
    names = list(LEVELS)
    joins = " ".join(f"JOIN to_{n} ON r.{n} = to_{n}.value" for n in names)
    labels = ", ".join(f"to_{n}.label AS {n}" for n in names)
    same = " AND ".join(f"gone.{n} = to_{n}.label" for n in names)
    started = time.perf_counter()
    connection.execute(
        f"COPY (SELECT {labels}, r.diagnosis FROM '{rows}' AS r {joins} "
        f"ANTI JOIN gone ON {same} ORDER BY random()) TO '{target}'"
    )
    seconds = time.perf_counter() - started
    written = connection.execute(f"SELECT count(*) FROM '{target}'").fetchone()
    assert written is not None
    return {"rewrite": seconds, "rows": written[0]}


def prepare(folder: Path) -> dict[str, float]:
    """Write the rows, and the lookups that the typed version needs, ready to use.

    In a process of its own too: a process begins with the greatest memory of its parent.
    """
    generate(folder / "rows.parquet", rows=ROWS, columns=QUASI_IDENTIFIERS)
    typed_lookups(study_of(folder / "rows.parquet"), folder)
    return {}


def typed_lookups(study: Study, folder: Path) -> None:
    """Write the lookups that the typed version needs: labels, and the suppressed classes."""
    table = study.count_table
    found = study.evaluate(LEVELS)
    blocks = Levels.of(LEVELS).blocks(table)
    connection = duckdb.connect()
    for identifier, column in zip(table.quasi_identifiers, blocks, strict=True):
        kind = "INTEGER" if identifier.name == "age" else "VARCHAR"
        values = list(identifier.leaf_of_value)
        labels = [
            column.labels[column.block_of_leaf[leaf]] for leaf in identifier.leaf_of_value.values()
        ]
        connection.execute(
            f"COPY (SELECT CAST(unnest(?) AS {kind}) AS value, unnest(?) AS label) TO "
            f"'{folder}/lookup-{identifier.name}.parquet'",
            [values, labels],
        )
    batch = ClassTables(table=table).group(np.array([list(LEVELS.values())], dtype=np.int64))
    gone = np.flatnonzero(batch.sizes < found.threshold)
    texts = [
        [column.labels[code] for code in batch.codes(q, gone)] for q, column in enumerate(blocks)
    ]
    listed = ", ".join(f"unnest(?) AS {name}" for name in LEVELS)
    connection.execute(f"COPY (SELECT {listed}) TO '{folder}/gone.parquet'", texts)


def in_a_process(what: str, folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.release", what, str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    metrics: dict[str, float] = json.loads(done.stdout)
    return metrics


def main() -> None:
    if len(sys.argv) > 1:
        work = {"prepare": prepare, "ours": released, "typed": typed}[sys.argv[1]]
        print(json.dumps(work(Path(sys.argv[2]))))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        in_a_process("prepare", folder)
        runs = [(in_a_process("ours", folder), in_a_process("typed", folder)) for _ in range(TIMES)]
    ours = min((run[0] for run in runs), key=lambda run: run["rewrite"])
    plain = min((run[1] for run in runs), key=lambda run: run["rewrite"])
    assert ours["rows"] == plain["rows"]
    ratio = ours["rewrite"] / plain["rewrite"]
    print(
        f"{ROWS:,} rows, {QUASI_IDENTIFIERS} QIs and a sensitive column; {ours['rows']:,} released"
    )
    print(f"typed into DuckDB   {plain['rewrite']:6.2f} s, peak {plain['peak']:5.0f} MB")
    print(f"rewrite             {ours['rewrite']:6.2f} s")
    print(f"ratio               {ratio:6.2f} ×  (asked: at most 1.3 ×)")
    print(f"count before        {ours['count']:6.2f} s")
    print(f"verify after        {ours['verify']:6.2f} s")
    print(
        f"peak memory         {max(run[0]['peak'] for run in runs):6.0f} MB  (asked: under 2,000)"
    )


if __name__ == "__main__":
    main()
