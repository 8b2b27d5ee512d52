"""DuckDB reads a folder of parts as the one table that it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import ReleaseError, SourceError
from sfumato.sources.source import CsvFile, MemoryTable, ParquetFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.sources.source import Source

ROWS = [(i % 7, "FM"[i % 2], f"d{i % 3}") for i in range(60)]


def table(rows: list[tuple[int, str, str]], **kinds: pa.DataType) -> pa.Table:
    age, sex, diagnosis = zip(*rows, strict=True)
    return pa.table(
        {"age": pa.array(age, kinds.get("age", pa.int64())), "sex": sex, "diagnosis": diagnosis}
    )


def parquet_parts(folder: Path) -> ParquetFile:
    folder.mkdir()
    for number in range(4):
        pq.write_table(table(ROWS[15 * number : 15 * (number + 1)]), folder / f"{number}.parquet")
    (folder / "_SUCCESS").touch()
    return ParquetFile(path=folder)


def csv_parts(folder: Path) -> CsvFile:
    folder.mkdir()
    for number in range(4):
        rows = ROWS[15 * number : 15 * (number + 1)]
        lines = ["age,sex,diagnosis", *(",".join(map(str, row)) for row in rows)]
        (folder / f"{number}.csv").write_text("\n".join(lines) + "\n")
    return CsvFile(path=folder)


def study(source: Source) -> sf.Study:
    return sf.Study(
        source=source,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(2, 4))),
            sf.quasi_identifying("sex", sf.Flat()),
            sf.sensitive("diagnosis"),
        ],
        suppression=sf.limited(0.1),
    )


@pytest.mark.parametrize("make", [parquet_parts, csv_parts])
def test_a_folder_is_searched_and_released_like_its_rows(
    make: Callable[[Path], Source], tmp_path: Path
) -> None:
    parts, whole = study(make(tmp_path / "parts")), study(MemoryTable(table=table(ROWS)))
    front = parts.search().front
    assert front == whole.search().front
    name = "released.parquet"
    parts.release(front[1], tmp_path / name, ledger=False)
    (tmp_path / "whole").mkdir()
    whole.release(front[1], tmp_path / "whole" / name, ledger=False)
    found, expected = (
        duckdb.execute(f"SELECT * FROM '{folder / name}' ORDER BY ALL").fetchall()
        for folder in (tmp_path, tmp_path / "whole")
    )
    assert found == expected


def test_nothing_is_released_into_the_source(tmp_path: Path) -> None:
    source = parquet_parts(tmp_path / "parts")
    with pytest.raises(ReleaseError) as caught:
        study(source).release({"age": 2, "sex": 1}, source.path / "released.parquet")
    assert caught.value.code == "never-replaced"


@pytest.mark.parametrize(
    "other",
    [
        table(ROWS, age=pa.float64()),
        table(ROWS).append_column("more", [["x"] * len(ROWS)]),
        table(ROWS).drop_columns("sex"),
        table(ROWS).rename_columns(["Age", "sex", "diagnosis"]),
    ],
)
def test_parts_with_another_schema_are_refused(other: pa.Table, tmp_path: Path) -> None:
    source = parquet_parts(tmp_path / "parts")
    pq.write_table(other, source.path / "9.parquet")
    with pytest.raises(SourceError) as caught:
        DuckDBEngine().count(source, ["age"])
    assert (caught.value.code, caught.value.where.file) == (
        "other-columns",
        str(source.path / "9.parquet"),
    )


def test_only_its_parts_may_be_read(tmp_path: Path) -> None:
    """A part with a pattern as its name does not open others."""
    source = parquet_parts(tmp_path / "parts")
    (source.path / "0.parquet").rename(source.path / "*.parquet")
    assert DuckDBEngine().count(source, ["age"]).counts.sum() == len(ROWS)


def test_a_study_file_names_a_folder(tmp_path: Path) -> None:
    parquet_parts(tmp_path / "parts")
    (tmp_path / "study.toml").write_text(
        '[source]\npath = "parts"\n\n[columns.age]\nrole = "quasi-identifying"\n'
        'hierarchy = {flat = true}\n\n[columns.sex]\nrole = "insensitive"\n'
        '[columns.diagnosis]\nrole = "sensitive"\n'
    )
    found = sf.read_study_file(tmp_path / "study.toml").study
    assert found.count_table.rows == len(ROWS)
