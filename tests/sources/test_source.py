from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.raised import raises

from sfumato.errors import SourceError
from sfumato.sources.source import (
    ColumnarTable,
    CsvFile,
    DatabaseTable,
    MemoryTable,
    ParquetFile,
    Source,
    source_of,
)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("people.csv", CsvFile(path=Path("people.csv"))),
        ("PEOPLE.CSV", CsvFile(path=Path("PEOPLE.CSV"))),
        ("people.csv.gz", CsvFile(path=Path("people.csv.gz"))),
        ("adult.data", CsvFile(path=Path("adult.data"))),
        (Path("folder/people.tsv"), CsvFile(path=Path("folder/people.tsv"))),
        ("people.parquet", ParquetFile(path=Path("people.parquet"))),
        ("people.pq", ParquetFile(path=Path("people.pq"))),
    ],
)
def test_the_ending_tells_the_format(path: str | Path, source: Source) -> None:
    assert source_of(path) == source
    assert source_of(source) is source
    assert str(source) == str(path)


def test_a_database_needs_a_table() -> None:
    assert source_of("a.duckdb", table="people") == DatabaseTable(
        path=Path("a.duckdb"), table="people"
    )
    assert str(source_of("a.duckdb", table="people")) == "table 'people' of a.duckdb"
    with raises(SourceError, code="no-table-named", file="a.duckdb"):
        source_of("a.duckdb")


def test_an_unknown_ending_says_what_would_work() -> None:
    with raises(SourceError, code="unknown-format", file="people.mdb", found="'.mdb'"):
        source_of("people.mdb")


def test_paths_may_be_texts() -> None:
    for made in (
        CsvFile(path="a.csv"),  # type: ignore[arg-type]
        ParquetFile(path="a.csv"),  # type: ignore[arg-type]
        DatabaseTable(path="a.csv", table="t"),  # type: ignore[arg-type]
    ):
        assert made.path == Path("a.csv")


@pytest.mark.parametrize(
    ("delimiter", "quote", "code", "key"),
    [
        ("", None, "not-a-delimiter", "delimiter"),
        ("ab", None, "not-a-delimiter", "delimiter"),
        ("\n", None, "not-a-delimiter", "delimiter"),
        ('"', None, "not-a-delimiter", "delimiter"),
        (None, "ab", "not-a-quote", "quote"),
        (None, "\n", "not-a-quote", "quote"),
        ("|", "|", "conflicting-settings", "quote"),
    ],
)
def test_impossible_dialects(delimiter: str | None, quote: str | None, code: str, key: str) -> None:
    given = repr(delimiter if quote is None else quote)
    with raises(SourceError, code=code, file="a.csv", key=key, found=given):
        CsvFile(path=Path("a.csv"), delimiter=delimiter, quote=quote)


@pytest.mark.parametrize(
    ("table", "home"),
    [
        (pd.DataFrame({"column_names": [1], "columns": [2]}), "pandas"),
        (pl.DataFrame({"column_names": [1], "columns": [2]}), "polars"),
        (pa.table({"column_names": [1], "columns": [2]}), "pyarrow"),
        (pa.RecordBatch.from_pydict({"column_names": [1], "columns": [2]}), "pyarrow"),
    ],
)
def test_tables_in_memory(table: ColumnarTable, home: str) -> None:
    source = source_of(table)
    assert isinstance(source, MemoryTable)
    assert source.table is table
    assert source.column_names == ("column_names", "columns")
    assert str(source) == f"the {home} table in memory"


@pytest.mark.parametrize("data", [None, 3, [1, 2], {"age": [1]}, pd.Series([1])], ids=repr)
def test_what_is_not_a_table(data: object) -> None:
    with raises(SourceError, code="not-a-source", found=f"a {type(data).__name__}"):
        source_of(data)  # type: ignore[arg-type]


def test_a_table_that_is_still_to_be_computed() -> None:
    lazy = pl.DataFrame({"age": [1]}).lazy()
    with raises(SourceError, code="lazy-table", found="a LazyFrame"):
        source_of(lazy)
