from __future__ import annotations

import datetime as dt
import hashlib
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.engine_contract import CountingContract, GapContract, ReleaseContract
from tests.engines.odd_tables import CANARY, COLUMNS, ROWS, Columns, csv_file, parquet_file
from tests.microdata.counted_rows import Row, counted_rows, rows_of
from tests.raised import raises

from sfumato import Flat, Study, quasi_identifying, sensitive
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.session import connected
from sfumato.errors import SettingsError, SourceError
from sfumato.sources.source import ColumnarTable, CsvFile, DatabaseTable, ParquetFile, source_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.sources.source import Source


class TestDuckDB(CountingContract, GapContract, ReleaseContract):
    """DuckDB keeps the contract of engines."""

    kind = "csv"

    @pytest.fixture
    def engine(self) -> DuckDBEngine:
        return DuckDBEngine()


@pytest.mark.slow
class TestDuckDBWithParquet(ReleaseContract):
    """Another format, and suppressed rows as stars."""

    kind = "parquet"

    @pytest.fixture
    def engine(self) -> DuckDBEngine:
        return DuckDBEngine()


def _pandas(_: Path, columns: Columns = COLUMNS) -> Source:
    return source_of(pd.DataFrame(columns))


def _pandas_objects(_: Path) -> Source:
    return source_of(pd.DataFrame(COLUMNS).astype(object))


def _pandas_strings(_: Path) -> Source:
    return source_of(pd.DataFrame(COLUMNS).astype("string"))


def _pandas_categories(_: Path) -> Source:
    return source_of(pd.DataFrame(COLUMNS).astype("category"))


def _pandas_nullable(_: Path) -> Source:
    frame = pd.DataFrame(COLUMNS)
    frame["Age"] = pd.array([39, 40, None, 39, 39], dtype="Int64")
    return source_of(frame)


def _pandas_gaps(_: Path) -> Source:
    frame = pd.DataFrame({**COLUMNS, "Age": [39, 40, None, 39, 39]})
    assert frame["Age"].dtype == np.float64
    return source_of(frame)


def _polars(_: Path, columns: Columns = COLUMNS) -> Source:
    return source_of(pl.DataFrame(columns))


def _polars_categories(_: Path) -> Source:
    return source_of(pl.DataFrame(COLUMNS).with_columns(pl.col("age").cast(pl.Categorical)))


def _arrow(_: Path, columns: Columns = COLUMNS) -> Source:
    return source_of(pa.table(columns))


def _arrow_dictionaries(_: Path) -> Source:
    columns = {name: pa.array(values).dictionary_encode() for name, values in COLUMNS.items()}
    return source_of(pa.table(columns))


IN_MEMORY = [
    _pandas,
    _pandas_objects,
    _pandas_strings,
    _pandas_categories,
    _pandas_nullable,
    _pandas_gaps,
    _polars,
    _polars_categories,
    _arrow,
    _arrow_dictionaries,
]


@pytest.mark.parametrize("make", IN_MEMORY, ids=lambda make: make.__name__.strip("_"))
def test_the_same_content_from_every_table_in_memory(
    make: Callable[[Path], Source], tmp_path: Path
) -> None:
    source = make(tmp_path)
    assert DuckDBEngine().columns(source) == tuple(COLUMNS)
    assert counted_rows(source) == ROWS
    reordered = ['odd; "name".', "Age"]
    assert counted_rows(source, reordered) == Counter(
        zip(COLUMNS[reordered[0]], COLUMNS[reordered[1]], strict=True)
    )


def _typed_columns() -> dict[str, tuple[pa.Array, list[str | None]]]:
    moment = dt.datetime(1998, 3, 14, 15, 9)
    return {
        "int": (pa.array([1, -2, None]), ["1", "-2", None]),
        "double": (pa.array([1.5, float("nan"), None]), ["1.5", None, None]),
        "whole": (pa.array([1.0, -0.0, 1e20]), ["1", "0", "1e+20"]),
        "float": (pa.array([0.1, float("nan"), 2.0], pa.float32()), ["0.1", None, "2"]),
        "date": (pa.array([dt.date(1998, 3, 14), None, None]), ["1998-03-14", None, None]),
        "moment": (pa.array([moment, None, None]), ["1998-03-14 15:09:00", None, None]),
        "zoned": (
            pa.array([moment, None, None], pa.timestamp("us", "Europe/Berlin")),
            ["1998-03-14 15:09:00+00", None, None],
        ),
        "bool": (pa.array([True, False, None]), ["true", "false", None]),
        "decimal": (pa.array([Decimal("1.50"), Decimal("-2.00"), None]), ["1.50", "-2.00", None]),
        "text": (pa.array(["", None, "NaN"]), ["", None, "NaN"]),
        "nothing": (pa.nulls(3), [None, None, None]),
        "list": (pa.array([[1], [1, 2], None]), ["[1]", "[1, 2]", None]),
        "struct": (pa.array([{"a": 1}, {"a": 2}, None]), ["{'a': 1}", "{'a': 2}", None]),
    }


@pytest.mark.parametrize("name", list(_typed_columns()))
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_types_of_parquet(
    name: str, zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    typed = _typed_columns()
    path = tmp_path / "typed.parquet"
    pq.write_table(pa.table({key: values for key, (values, _) in typed.items()}), path)
    assert DuckDBEngine().columns(ParquetFile(path=path)) == tuple(typed)
    assert counted_rows(path, [name]) == Counter((text,) for text in typed[name][1])


@pytest.mark.parametrize(
    ("series", "texts"),
    [
        (
            pd.Series([1, "x", None, float("nan"), pd.NA], dtype=object),
            ["1", "x", None, None, None],
        ),
        (pd.Series([1] * 3000 + ["x"], dtype=object), ["1"] * 3000 + ["x"]),
        (pd.Series(["x"] * 3000 + [1, 2.5], dtype=object), ["x"] * 3000 + ["1", "2.5"]),
        (pd.Series([None] * 3000 + [1], dtype=object), [None] * 3000 + ["1"]),
        (pd.Series([True, None, False], dtype=object), ["true", None, "false"]),
        (pd.Series([dt.date(1998, 3, 14), None], dtype=object), ["1998-03-14", None]),
        (pd.Series([Decimal("1.50"), None], dtype=object), ["1.50", None]),
        (pd.Series(pd.Categorical([1, 2, None])), ["1", "2", None]),
        (pd.Series(pd.array([True, None], dtype="boolean")), ["true", None]),
        (pd.Series(pd.array([1.5, None], dtype="Float64")), ["1.5", None]),
        (pd.Series(pd.DatetimeIndex(["1998-03-14", pd.NaT])), ["1998-03-14 00:00:00", None]),
        (pd.Series(["", None, "x"], dtype="str"), ["", None, "x"]),
    ],
    ids=repr,
)
def test_types_of_pandas(series: pd.Series, texts: list[str | None]) -> None:
    assert counted_rows(series.to_frame("a")) == Counter((text,) for text in texts)


def test_names_of_pandas_need_not_be_texts() -> None:
    frame = pd.DataFrame({0: [1, 2], 1: ["x", "x"]})
    assert counted_rows(frame, ["1"]) == Counter({("x",): 2})


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "duplicate"),
        (pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]), "duplicate"),
        (pd.DataFrame(), "no-columns"),
        (pd.DataFrame({"a": pd.period_range("2020", periods=2, freq="M")}), "unreadable-file"),
    ],
)
def test_tables_in_memory_that_cannot_be_read(table: ColumnarTable, code: str) -> None:
    with raises(SourceError, code=code):
        counted_rows(table)


def test_a_relation_of_another_connection() -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 1 AS a")
        with raises(SourceError, code="not-a-source"):
            counted_rows(relation)


def test_polars_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with raises(SourceError, code="missing-package", file="the polars table in memory"):
        counted_rows(pl.DataFrame({"a": ["x"]}))


def test_databases_that_are_no_file(tmp_path: Path) -> None:
    with raises(SourceError, code="no-such-file", file=tmp_path / "none"):
        counted_rows(DatabaseTable(path=tmp_path / "none", table="people"))
    with raises(SourceError, code="is-a-folder", file=tmp_path):
        counted_rows(DatabaseTable(path=tmp_path, table="people"))


def test_a_path_means_one_parquet_file(tmp_path: Path) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    for name in ("a1.parquet", "a[1].parquet", "a*.parquet"):
        pq.write_table(pa.table({"a": [name]}), folder / name)
    for name in ("a1.parquet", "a[1].parquet", "a*.parquet"):
        assert DuckDBEngine().columns(ParquetFile(path=folder / name)) == ("a",)
        assert counted_rows(folder / name) == Counter({(name,): 1})


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "people's.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE TABLE people (age INTEGER, "Full Name" VARCHAR)')
        connection.execute("INSERT INTO people VALUES (39, 'x'), (39, 'x'), (NULL, ?)", [CANARY])
        connection.execute("CREATE VIEW adults AS SELECT age FROM people WHERE age >= 18")
        connection.execute('CREATE VIEW broken AS SELECT CAST("Full Name" AS INT) AS a FROM people')
        connection.execute('CREATE VIEW failing AS SELECT error("Full Name") AS a FROM people')
        connection.execute("CREATE SCHEMA archive")
        connection.execute("CREATE TABLE archive.old AS SELECT 1 AS a")
        connection.execute('CREATE TABLE "odd.""name""" AS SELECT 2 AS a')
    return path


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("people", {("39", "x"): 2, (None, CANARY): 1}),
        ("adults", {("39",): 2}),
        ("archive.old", {("1",): 1}),
        ('odd."name"', {("2",): 1}),
    ],
)
def test_tables_and_views_of_a_database(table: str, rows: dict[Row, int], database: Path) -> None:
    before = (hashlib.sha256(database.read_bytes()).hexdigest(), database.stat().st_mtime_ns)
    assert counted_rows(DatabaseTable(path=database, table=table)) == Counter(rows)
    after = (hashlib.sha256(database.read_bytes()).hexdigest(), database.stat().st_mtime_ns)
    assert before == after
    assert [entry.name for entry in database.parent.iterdir()] == [database.name]


def test_a_database_that_nobody_may_write_is_read(database: Path) -> None:
    database.chmod(0o444)
    assert counted_rows(DatabaseTable(path=database, table="adults")) == Counter({("39",): 2})


@pytest.mark.parametrize(
    "reading",
    [
        "SELECT * FROM read_csv({other})",
        "SELECT * FROM {other}",
        "SELECT content AS a FROM read_text({other})",
        "SELECT file AS a FROM glob({other})",
        "SELECT size AS a FROM read_blob({folder} || '*')",
    ],
)
def test_a_view_reads_no_other_file(reading: str, tmp_path: Path) -> None:
    other = tmp_path / "other people.csv"
    other.write_text(f"a\n{CANARY}\n")
    path = tmp_path / "hospital.duckdb"
    named = {"other": f"'{other}'", "folder": f"'{tmp_path}/'"}
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE VIEW people AS {reading.format(**named)}")
    source = DatabaseTable(path=path, table="people")
    with raises(SourceError, code="reads-elsewhere", file=source) as caught:
        counted_rows(source)
    assert CANARY not in str(caught.value)


def test_a_view_of_other_people_is_not_released(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(f"age,ill\n39,{CANARY}\n")
    path = tmp_path / "hospital.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE told AS SELECT '39' AS age, 'flu' AS ill")
        connection.execute(
            f"CREATE VIEW people AS SELECT * FROM told UNION ALL SELECT * FROM '{other}'"
        )
    study = Study(
        source=DatabaseTable(path=path, table="people"),
        attributes=(quasi_identifying("age", Flat()), sensitive("ill")),
        objectives=("k", "loss"),
    )
    with raises(SourceError, code="reads-elsewhere"):
        study.release({"age": 1}, tmp_path / "released.csv")
    assert not (tmp_path / "released.csv").exists()


def test_a_view_sees_no_variable_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "hospital.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE beside AS SELECT 1 AS a")
        connection.execute("CREATE VIEW people AS SELECT * FROM beside")
        connection.execute("DROP TABLE beside")
    beside = pd.DataFrame({"a": [CANARY]})
    with raises(SourceError, code="unreadable-file"):
        counted_rows(DatabaseTable(path=path, table="people"))
    assert len(beside) == 1


def test_changes_that_are_not_yet_in_the_database_are_read(tmp_path: Path) -> None:
    path = tmp_path / "hospital.duckdb"
    script = (
        "import duckdb, os, sys; connection = duckdb.connect(sys.argv[1]); "
        "connection.execute('CREATE TABLE people AS SELECT 1 AS a'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    assert (tmp_path / "hospital.duckdb.wal").exists()
    assert counted_rows(DatabaseTable(path=path, table="people")) == Counter({("1",): 1})


@pytest.mark.parametrize("name", ["people.csv", "a[1]*?.csv", "it's, [so].csv"])
def test_links_and_odd_names_are_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "real" / name).write_text("a\nx\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real" / name)
    up = tmp_path / "real" / ".." / "real" / name
    for path in (tmp_path / "linked" / name, tmp_path / "link.csv", up):
        assert counted_rows(path) == Counter({("x",): 1})


def test_a_connection_can_do_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("a\nx\n")
    source = CsvFile(path=tmp_path / "people.csv")
    with connected([source]) as connection:
        for asked in (
            "SET enable_external_access = true",
            "SET memory_limit = '1GB'",
            "SET allowed_directories = ['/']",
            "INSTALL httpfs",
            "LOAD httpfs",
            f"ATTACH '{tmp_path / 'new.duckdb'}'",
            f"COPY (SELECT 1) TO '{tmp_path / 'new.csv'}'",
            f"EXPORT DATABASE '{tmp_path / 'new'}'",
            "CREATE PERSISTENT SECRET told (TYPE s3)",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(asked)
    assert [entry.name for entry in tmp_path.iterdir()] == ["people.csv"]


def test_tables_that_a_database_does_not_have(database: Path, tmp_path: Path) -> None:
    with raises(SourceError, code="no-table-named", file=database, found="'old'") as caught:
        counted_rows(DatabaseTable(path=database, table="old"))
    assert "archive.old" in (caught.value.expected or ())
    empty = tmp_path / "empty.duckdb"
    duckdb.connect(str(empty)).close()
    with raises(SourceError, code="no-table-named", file=empty, expected=()):
        counted_rows(DatabaseTable(path=empty, table="people"))
    other = tmp_path / "other.duckdb"
    other.write_text("no database " * 99)
    with raises(SourceError, code="unreadable-file") as caught:
        counted_rows(DatabaseTable(path=other, table="people"))
    assert "not a valid DuckDB database" in str(caught.value)


@pytest.mark.parametrize(
    ("view", "code", "column"),
    [("broken", "wrong-value-type", "Full Name"), ("failing", "unreadable-file", None)],
)
def test_errors_do_not_repeat_values(
    view: str, code: str, column: str | None, database: Path
) -> None:
    with raises(SourceError, code=code, column=column) as caught:
        counted_rows(DatabaseTable(path=database, table=view))
    assert CANARY not in str(caught.value) + repr(vars(caught.value))
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("make", [csv_file, parquet_file, _pandas, _polars, _arrow])
def test_only_columns_that_are_asked_for_are_read(
    make: Callable[[Path, Columns], Source], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make(tmp_path, {**COLUMNS, "name": [CANARY] * 5})
    statements: list[str] = []
    connect = duckdb.connect

    class Recorder:
        """A connection that writes down what it is asked."""

        def __init__(self, *, config: dict[str, str | bool | int | float | list[str]]) -> None:
            self._connection = connect(config=config)
            self.register = self._connection.register

        def __enter__(self) -> Recorder:
            return self

        def __exit__(self, *_: object) -> None:
            self._connection.close()

        def execute(self, sql: str) -> duckdb.DuckDBPyConnection:
            statements.append(sql)
            return self._connection.execute(sql)

    monkeypatch.setattr(duckdb, "connect", Recorder)
    grouped = DuckDBEngine().count(source, ["Age", "age"])
    assert rows_of(grouped) == Counter(zip(COLUMNS["Age"], COLUMNS["age"], strict=True))
    assert set(grouped.columns) == {"Age", "age"}
    assert CANARY not in repr([column.values for column in grouped.columns.values()])
    (grouping,) = [sql for sql in statements if "GROUP BY" in sql]
    selected, _ = grouping.split(" FROM ", 1)
    assert {f"c{p}" for p in range(4) if f"c{p}" in selected} == {"c0", "c1"}


def test_a_column_that_is_not_asked_for_may_be_unreadable(tmp_path: Path) -> None:
    # The pages of the column "name" are overwritten: whoever reads them fails.
    path = tmp_path / "people.parquet"
    names = [f"{CANARY} {row}" for row in range(1000)]
    table = pa.table({"age": [row % 5 for row in range(1000)], "name": names})
    pq.write_table(table, path, compression="none", use_dictionary=False)
    content = path.read_bytes()
    first = content.index(CANARY.encode())
    last = content.rindex(b" 998")
    path.write_bytes(content[:first] + b"\xff" * (last - first) + content[last:])
    with pytest.raises(SourceError):
        counted_rows(path, ["name"])
    assert counted_rows(path, ["age"]) == Counter({(str(age),): 200 for age in range(5)})


def test_rows_are_never_held(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT i % 7 AS a, 'x' || (i % 5) AS b, i AS c FROM range(1000000) t(i)) "
            f"TO '{path}' (FORMAT parquet)"
        )
    grouped = DuckDBEngine().count(ParquetFile(path=path), ["a", "b"])
    assert grouped.counts.shape == (35,)
    assert int(grouped.counts.sum()) == 1_000_000
    assert {column.codes.shape for column in grouped.columns.values()} == {(35,)}
    assert [len(column.values) for column in grouped.columns.values()] == [7, 5]
    assert rows_of(grouped) == Counter(
        {
            (str(a), f"x{b}"): len(range((a * 15 + b * 21) % 35, 1_000_000, 35))
            for a in range(7)
            for b in range(5)
        }
    )


def test_settings_of_the_engine(tmp_path: Path) -> None:
    source = csv_file(tmp_path)
    engine = DuckDBEngine(memory_limit="500MB", threads=1)
    assert rows_of(engine.count(source, list(COLUMNS))) == ROWS
    with raises(SettingsError, code="out-of-range", key="threads", found="0"):
        DuckDBEngine(threads=0)
    with raises(SettingsError, code="not-a-size", key="memory_limit", found="'lots'"):
        DuckDBEngine(memory_limit="lots").columns(source)
