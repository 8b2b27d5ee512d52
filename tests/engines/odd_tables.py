"""Tables with all that readers stumble over, and studies of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.microdata.counted_rows import Row

    from sfumato.sources.source import Source

Columns = dict[str, list[str | None]]

COLUMNS: Columns = {
    "Age": ["39", "40", None, "39", "39"],
    "age": ["x", "y", "y", "x", "x"],
    'odd; "name".': ["01234", "1e5", "ü", "01234", " padded"],
}
"""A small table, which comes as files and tables of every kind."""

ROWS: Counter[Row] = Counter(zip(*COLUMNS.values(), strict=True))

CANARY = "Kunigunde-9173"
"""A value that no error message may repeat, and that nothing may carry unasked."""

ODD_NAMES = ("Age", "age", "a.b", 'q`uo"te', "sp ace", "Größe")

ODD_CSV = (
    'Age,age,a.b,"q`uo""te",sp ace,Größe\r\n'
    '01234,1e5,é,,"two\r\nlines",日本\r\n'
    ',"","a""b",x, padded ,NULL\r\n'
    '007,-0,NA,"c,d",1.50,\\n\r\n'
    '01234,1e5,é,,"two\r\nlines",日本\r\n'
    "\r\n"
)

ODD_ROWS: Counter[Row] = Counter(
    {
        ("01234", "1e5", "é", None, "two\r\nlines", "日本"): 2,
        (None, None, 'a"b', "x", " padded ", "NULL"): 1,
        ("007", "-0", "NA", "c,d", "1.50", "\\n"): 1,
    }
)

SMALL_FILES: dict[str, tuple[bytes, Counter[Row]]] = {
    "one.csv": (b"a,b\n01,x\n", Counter([("01", "x")])),
    "none.csv": (b"a,b\n", Counter()),
    "alone.csv": (b'v\n"a"\n\nb\n""\n c\n', Counter([("a",), ("b",), (None,), (" c",)])),
    "latin.csv": (
        "a;b\nMünchen;1\nKöln;\n".encode("latin-1"),
        Counter([("München", "1"), ("Köln", None)]),
    ),
    "quotes.tsv": (
        b"a\tb\n'x\t1'\t'it''s'\n'say \"\"'\t2\n",
        Counter([("x\t1", "it's"), ('say ""', "2")]),
    ),
}


def csv_file(folder: Path, columns: Columns = COLUMNS) -> Source:
    """Write a table as CSV."""
    path = folder / "people.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return sf.CsvFile(path=path)


def semicolon_latin(folder: Path) -> Source:
    """Write the small table with other quotes and delimiters, in latin-1."""
    path = folder / "people.txt"
    pd.DataFrame(COLUMNS).to_csv(path, index=False, sep=";", encoding="latin-1", quotechar="'")
    return sf.CsvFile(path=path)


def parquet_file(folder: Path, columns: Mapping[str, object] = COLUMNS) -> Source:
    """Write a table as Parquet."""
    path = folder / "people.parquet"
    pq.write_table(pa.table(dict(columns)), path)
    return sf.ParquetFile(path=path)


def parquet_numbers(folder: Path) -> Source:
    """Write the small table with whole numbers."""
    return parquet_file(folder, {**COLUMNS, "Age": pa.array([39, 40, None, 39, 39])})


def parquet_doubles(folder: Path) -> Source:
    """Write the small table with floating numbers, one of which is not a number."""
    ages = pa.array([39.0, 40.0, float("nan"), 39.0, 39.0])
    return parquet_file(folder, {**COLUMNS, "Age": ages})


FILES = (csv_file, semicolon_latin, parquet_file, parquet_numbers, parquet_doubles)
"""The small table as files that every engine reads."""


def odd_parquet(path: Path) -> Path:
    """Write a table of all types, with nulls, NaN and empty texts."""
    moments = [dt.datetime(2020, 1, 1, 12, 0, 0, 500000), None, dt.datetime(1900, 1, 1)]
    moments += [dt.datetime(1969, 12, 31, 23, 59, 59, 123456)] * 2
    columns = {
        "Age": pa.array([1.0, 2.5, None, float("nan"), 1e16]),
        "age": pa.array([1.5e-7, float("inf"), -0.0, 1e15, 5.684341886080802e-14]),
        "f.l": pa.array([0.3, 1e-4, 1e16, None, 16777216.0], pa.float32()),
        "d`e c": pa.array([Decimal("1.50"), Decimal("0.0000001"), None] * 2)[:5].cast(
            pa.decimal128(20, 7)
        ),
        "day": pa.array(
            [dt.date(2020, 2, 29), None, dt.date(1582, 10, 4), *[dt.date(9, 1, 1)] * 2]
        ),
        "moment": pa.array(moments, pa.timestamp("us")),
        "moment at": pa.array(moments, pa.timestamp("us", "UTC")),
        "yes": pa.array([True, False, None, True, True]),
        "text": pa.array(["", "01234", None, "1e5", " 'q\" \\n"]),
        "big": pa.array([2**64 - 1, 3, None, 4, 4], pa.uint64()),
    }
    pq.write_table(pa.table(columns), path)
    return path


_TEXTS_OF_TYPES: tuple[tuple[str | None, ...], ...] = (
    ("1", "2.5", None, None, "1e+16"),
    ("1.5e-07", "inf", "0", "1000000000000000.0", "5.684341886080802e-14"),
    ("0.3", "0.0001", "1e+16", None, "16777216"),
    ("1.5000000", "0.0000001", None, "1.5000000", "0.0000001"),
    ("2020-02-29", None, "1582-10-04", "0009-01-01", "0009-01-01"),
    ("2020-01-01 12:00:00.5", None, "1900-01-01 00:00:00", *["1969-12-31 23:59:59.123456"] * 2),
    (
        "2020-01-01 12:00:00.5+00",
        None,
        "1900-01-01 00:00:00+00",
        *["1969-12-31 23:59:59.123456+00"] * 2,
    ),
    ("true", "false", None, "true", "true"),
    ("", "01234", None, "1e5", " 'q\" \\n"),
    ("18446744073709551615", "3", None, "4", "4"),
)
ODD_PARQUET_ROWS: Counter[Row] = Counter(zip(*_TEXTS_OF_TYPES, strict=True))


PEOPLE = ("Name", "post code", "a.ge", 'S`e"x', "dia'gnosis", "Note")


def people(path: Path, rows: int = 120, *, names: int | None = None) -> Path:
    """Write rows about people as CSV or Parquet, with gaps, odd texts, and empty ones.

    With fewer ``names`` than rows, people have several.
    """
    values = {
        "Name": [f"n{i % (names or rows):04}" for i in range(rows)],
        "post code": [("01067", "01069", "1e5", None)[i * 7 % 11 % 4] for i in range(rows)],
        "a.ge": [str(20 + i * 13 % 40) for i in range(rows)],
        'S`e"x': [("F", "M", None)[i * 5 % 7 % 3] for i in range(rows)],
        "dia'gnosis": [
            ("flu", 'é,"x"', "two\nlines", " gout ")[i * 3 % 5 % 4] for i in range(rows)
        ],
        "Note": [(None, "", "日本", "it's; \\ fine")[i % 4] for i in range(rows)],
    }
    table = pa.table(values)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return path
    with duckdb.connect() as connection:
        connection.register("people", table)
        connection.execute(f"COPY people TO '{path}' (FORMAT csv, HEADER true)")
    return path


def study(
    source: Path | sf.CatalogTable | sf.ParquetFile, engine: object = None, *, person: bool = False
) -> sf.Study:
    """Return a study of the people, who are counted if ``person``."""
    return sf.Study(
        source=source,
        attributes=[
            sf.identifying("Name", person=person),
            sf.quasi_identifying("post code", sf.Flat()),
            sf.quasi_identifying("a.ge", sf.Intervals(widths=(5, 10), low=20, high=59)),
            sf.quasi_identifying('S`e"x', sf.Flat(values=("F", "M"))),
            sf.sensitive("dia'gnosis"),
            sf.insensitive("Note"),
        ],
        objectives=["k", "distinct-l", "loss"],
        suppression=sf.limited(0.2),
        **({} if engine is None else {"engine": engine}),  # type: ignore[arg-type]
    )


def released(path: Path) -> list[tuple[object, ...]]:
    """Return the rows of a release, one file or a folder of parts, sorted."""
    parts = str(path / "part-*") if path.is_dir() else str(path)
    with duckdb.connect() as connection:
        if ".parquet" in path.name:
            query = f"SELECT * FROM read_parquet('{parts}')"
        else:
            query = (
                f"SELECT * FROM read_csv('{parts}', all_varchar = true, header = true, delim = ',')"
            )
        found = connection.execute(query)
        names = tuple(column[0] for column in found.description)
        return [names, *sorted(found.fetchall(), key=repr)]
