"""Local recodings on Spark, with Java here or through Spark Connect: the rows of DuckDB."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.engines.odd_tables import released

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("rows", "suffix", "values"),
    [
        ("drop", "csv", "generalized"),
        ("star", "parquet", "generalized"),
        ("drop", "parquet", "microaggregated"),
    ],
)
def test_a_local_release_is_the_same(
    engine: sf.SparkEngine, rows: str, suffix: str, values: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, 200).astype(object),
            "town": rng.choice(["Bonn", "Frankfurt, Main", "Ulm"], 200),
            "illness": rng.choice(["flu", "gout"], 200),
        }
    )
    frame.loc[rng.random(200) < 0.1, "age"] = None
    frame.to_csv(tmp_path / "source.csv", index=False)
    on_duckdb = sf.Study(
        source=tmp_path / "source.csv",
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=59, widths=(10,))),
            sf.quasi_identifying("town", sf.Flat()),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(100),
        space="local",
    )
    table = on_duckdb.count_table
    classes = rng.integers(-1, 6, table.cells)
    recoding = sf.Local.of(table, classes, {q.name: q.output for q in table.quasi_identifiers})
    files = []
    for number, study in enumerate((on_duckdb, replace(on_duckdb, engine=engine))):
        out = tmp_path / f"{number}.{suffix}"
        release = study.release(recoding, out, suppressed_rows=rows, values=values)
        told = release.metrics, release.verified, release.squared_errors, release.merged
        files.append((released(out), *told))
    assert files[0] == files[1]
