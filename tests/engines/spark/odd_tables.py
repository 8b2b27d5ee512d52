"""Tables with all that readers stumble over, and studies of them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engines.messages.grouped_counts import GroupedCounts

ODD_NAMES = ("Age", "age", "a.b", 'q`uo"te', "sp ace", "Größe")

ODD_CSV = (
    'Age,age,a.b,"q`uo""te",sp ace,Größe\r\n'
    '01234,1e5,é,,"two\r\nlines",日本\r\n'
    ',"","a""b",x, padded ,NULL\r\n'
    '007,-0,NA,"c,d",1.50,\\n\r\n'
    '01234,1e5,é,,"two\r\nlines",日本\r\n'
    "\r\n"
)


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


def combinations(grouped: GroupedCounts) -> dict[tuple[str | None, ...], int]:
    """Return what was counted, whatever the codes are."""
    found: dict[tuple[str | None, ...], int] = {}
    for position, count in enumerate(grouped.counts.tolist()):
        row = tuple(c.values[c.codes[position]] for c in grouped.columns.values())
        assert row not in found
        found[row] = count
    return found


PEOPLE = ("Name", "post code", "a.ge", 'S`e"x', "dia'gnosis", "Note")


def people(path: Path, rows: int = 120) -> Path:
    """Write rows about people as CSV or Parquet, with gaps, odd texts, and empty ones."""
    values = {
        "Name": [f"n{i:04}" for i in range(rows)],
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


def study(source: Path | sf.CatalogTable | sf.ParquetFile, engine: object = None) -> sf.Study:
    """Return a study of the people."""
    return sf.Study(
        source=source,
        attributes=[
            sf.identifying("Name"),
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
