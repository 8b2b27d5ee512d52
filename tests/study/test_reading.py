from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.microdata.counted_rows import rows_of_table
from tests.raised import raises

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sfumato.engines.messages.grouped_counts import CoarserValues, GroupedCounts, PersonKey
    from sfumato.sources.source import ColumnarTable, Source

CANARY = "Kunigunde-9173"

FRAME = pd.DataFrame(
    {
        "name": [f"{CANARY}-{row}" for row in range(6)],
        "born": ["1998-03-14", "1998-03-15", "1998-04-01", "1999-01-01", None, "1998-03-14"],
        "zip": ["01234", "01234", "01239", "99501", "99501", "01234"],
        "illness": ["flu", "cold", "flu", "flu", "cold", "flu"],
        "note": ["a", "b", "c", "d", "e", "f"],
    }
)

ATTRIBUTES = (
    sf.identifying("name"),
    sf.quasi_identifying("born", sf.Dates(levels=("day", "month", "year"))),
    sf.quasi_identifying("zip", sf.Prefixes()),
    sf.sensitive("illness"),
    sf.insensitive("note"),
)

ROWS = {
    ("1998-03-14", "01234", "flu"): 2,
    ("1998-03-15", "01234", "cold"): 1,
    ("1998-04-01", "01239", "flu"): 1,
    ("1999-01-01", "99501", "flu"): 1,
    (MISSING_LABEL, "99501", "cold"): 1,
}


def _csv(folder: Path) -> str:
    path = folder / "people.csv"
    FRAME.to_csv(path, index=False)
    return str(path)


def _compressed(folder: Path) -> Source:
    path = folder / "people.csv.gz"
    FRAME.to_csv(path, index=False, sep="\t", encoding="utf-16")
    return sf.CsvFile(path=path, delimiter="\t")


def _parquet(folder: Path) -> Path:
    path = folder / "people.parquet"
    FRAME.to_parquet(path)
    return path


def _database(folder: Path) -> Source:
    path = folder / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", FRAME)
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    return sf.DatabaseTable(path=path, table="people")


def _pandas(_: Path) -> ColumnarTable:
    return FRAME


def _pandas_dates(_: Path) -> ColumnarTable:
    return FRAME.assign(born=pd.to_datetime(FRAME["born"]), zip=FRAME["zip"].astype("category"))


def _polars(_: Path) -> ColumnarTable:
    return pl.from_pandas(FRAME).with_columns(pl.col("born").str.to_date())


def _arrow(_: Path) -> ColumnarTable:
    table: ColumnarTable = pa.Table.from_pandas(FRAME)
    return table


@pytest.mark.parametrize(
    "make",
    [_csv, _compressed, _parquet, _database, _pandas, _pandas_dates, _polars, _arrow],
    ids=lambda make: make.__name__.strip("_"),
)
def test_every_kind_of_source_gives_the_same_count_table(
    make: Callable[[Path], str | Path | Source | ColumnarTable], tmp_path: Path
) -> None:
    expected = sf.Study(source=FRAME, attributes=ATTRIBUTES).count_table
    table = sf.Study(source=make(tmp_path), attributes=ATTRIBUTES).count_table
    assert rows_of_table(table) == ROWS
    assert table.hierarchies == expected.hierarchies
    for array in ("cell_codes", "cell_sizes", "entry_starts", "entry_codes", "entry_counts"):
        assert np.array_equal(getattr(table, array), getattr(expected, array)), array
    assert table.hierarchies[1].labels[1] == ("0123*", "9950*")


@dataclass(frozen=True, kw_only=True)
class Watched(DuckDBEngine):
    """DuckDB, and what it was asked for."""

    asked: list[tuple[str, ...]] = field(default_factory=list)

    def count(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        told_apart: Mapping[str, Sequence[str]] | None = None,
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        self.asked.append(tuple(columns))
        return super().count(source, columns, coarser=coarser, told_apart=told_apart, person=person)


def test_identifying_and_insensitive_columns_are_not_asked_for() -> None:
    engine = Watched()
    study = sf.Study(source=FRAME, attributes=ATTRIBUTES, engine=engine)
    assert engine.asked == [], "nothing is read before it is needed"
    table = study.count_table
    assert study.count_table is table
    assert engine.asked == [("born", "zip", "illness")], "the rows are counted once"
    assert CANARY not in repr((table.hierarchies[0].labels, table.hierarchies[1].labels))
    assert CANARY not in repr([column.values for column in table.columns.values()])


def test_every_column_must_be_listed() -> None:
    with raises(sf.SourceError, code="unlisted-columns", found="'name', 'note'") as caught:
        _ = sf.Study(source=FRAME, attributes=ATTRIBUTES[1:-1]).count_table
    message = str(caught.value)
    assert message.startswith("the pandas table in memory has columns that the study does not list")
    assert "'name', 'note'; give each a role, or set unlisted_insensitive=True" in message
    assert CANARY not in message
    rest = sf.Study(source=FRAME, attributes=ATTRIBUTES[1:-1], unlisted_insensitive=True)
    assert rows_of_table(rest.count_table) == ROWS


def test_missing_values_by_the_study() -> None:
    dropped = sf.Study(
        source=FRAME,
        attributes=ATTRIBUTES,
        missing=sf.MissingValues(policy=MissingPolicy.DROP, markers=("99501",)),
    ).count_table
    assert (dropped.rows, dropped.dropped_rows) == (4, 2)
    refused = sf.MissingValues(policy=MissingPolicy.ERROR)
    with raises(sf.SourceError, code="missing-values", column="born"):
        _ = sf.Study(source=FRAME, attributes=ATTRIBUTES, missing=refused).count_table


def test_names_that_differ_in_case_are_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('Age,age,"marital status"\n1,x,m\n2,x,m\n')
    study = sf.Study(
        source=path,
        attributes=[
            sf.quasi_identifying("age", sf.Flat()),
            sf.sensitive("Age"),
            sf.insensitive("marital status"),
        ],
    )
    assert rows_of_table(study.count_table) == {("x", "1"): 1, ("x", "2"): 1}


def test_a_million_rows_become_a_few_cells(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT i AS name, i % 40 + 20 AS age, i % 3 AS ill FROM range(1000000) t(i)) "
            f"TO '{path}' (FORMAT parquet)"
        )
    study = sf.Study(
        source=path,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(widths=(5, 10))),
            sf.sensitive("ill"),
        ],
    )
    table = study.count_table
    assert (table.rows, table.cells) == (1_000_000, 40)
    assert table.cell_sizes.tolist() == [25_000] * 40
    assert table.entry_counts.shape == (120,)
    assert table.marginal("ill").tolist() == [333_334, 333_333, 333_333]
