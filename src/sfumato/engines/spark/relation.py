"""A source as Spark sees it: a view whose columns are called by their positions.

Spark reads every file that a path with ``*`` or ``[`` matches, takes folders like ``year=2020``
for columns, and broken characters for U+FFFD. None of that happens here. A path is a file, or a
folder of parts as Spark writes them; it must mean the same to the cluster and to this machine.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_names
from sfumato.engines.spark.dialect import GAPS
from sfumato.engines.sql.opened_table import Relation
from sfumato.errors import SourceError
from sfumato.sources.csv_dialect import csv_dialect
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CatalogTable, CsvFile, ParquetFile
from sfumato.sources.source_stamp import SourceStamp

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

    from sfumato.engines.spark.session import SparkSqlSession
    from sfumato.sources.csv_dialect import CsvDialect
    from sfumato.sources.source import Source

_looked_at: dict[tuple[SourceStamp | None, str, str], bool] = {}
"""What was found in text files: looking at every line is done once for each."""

_MOST_REMEMBERED = 1000
_ENCODINGS = {"utf-8": "UTF-8", "latin-1": "ISO-8859-1", "utf-16": "UTF-16"}


def relation_of(sql: SparkSqlSession, source: Source, *, view: str = "origin") -> Relation:
    """Return the relation of a source, which becomes a view."""
    GAPS.check_source(source)
    if isinstance(source, CsvFile):
        parts = parts_of(source.path)
        dialect = csv_dialect(replace(source, path=parts[0]))
        frame, names = _csv_frame(sql, source.path, dialect), dialect.columns
    elif isinstance(source, ParquetFile):
        parts_of(source.path)
        reader = sql.session.read.option("recursiveFileLookup", "true")
        frame = reader.parquet(address(source.path))
        names = tuple(frame.columns)
    else:
        assert isinstance(source, CatalogTable), "all other sources are refused"
        frame = sql.session.table(source.table)
        names = tuple(frame.columns)
    check_names(names, where=str(source))
    positions = [f"c{position}" for position in range(len(names))]
    return Relation(sql=sql.view(view, frame.toDF(*positions)), names=names)


def address(path: Path) -> str:
    r"""Return a path as Spark takes it, matching nothing but itself.

    >>> from pathlib import Path
    >>> print(address(Path("/data/people*.csv")))
    file:///data/people\*.csv
    """
    return "file://" + re.sub(r"[*?\[\]{}\\]", r"\\\g<0>", str(path.absolute()))


def _csv_frame(sql: SparkSqlSession, path: Path, dialect: CsvDialect) -> DataFrame:
    """Return the rows of a text file, all columns as text, empty ones missing."""
    in_one_piece = len(dialect.columns) == 1 or dialect.encoding == "utf-16"
    if not in_one_piece:
        in_one_piece = _lines_are_no_rows(sql, path, dialect)
    columns = [f"c{position}" for position in range(len(dialect.columns))]
    frame = (
        sql.session.read.option("recursiveFileLookup", "true")
        .schema(", ".join(f"{column} STRING" for column in columns))
        .csv(
            address(path),
            sep=dialect.delimiter,
            quote=dialect.quote,
            escape=dialect.quote,
            header=dialect.header,
            encoding=_ENCODINGS[dialect.encoding],
            multiLine=in_one_piece,
            # Unless it is told, every line break in a field becomes the one of the platform.
            lineSep=None
            if not in_one_piece or dialect.encoding == "utf-16"
            else dialect.line_break,
            mode="FAILFAST",
            enforceSchema=True,
        )
    )
    return frame.selectExpr(*(f"nullif({column}, '') AS {column}" for column in columns))


def _lines_are_no_rows(sql: SparkSqlSession, path: Path, dialect: CsvDialect) -> bool:
    """Say whether a field may hold a line break; refuse what is not in the encoding.

    A file whose lines are its rows is read by many machines at once. A line with an odd number of
    quotes may be half a row.
    """
    key = (SourceStamp.of(CsvFile(path=path)), dialect.quote, dialect.encoding)
    if key in _looked_at:
        return _looked_at[key]
    name = sql.view(
        "lines",
        sql.session.read.option("recursiveFileLookup", "true").text(address(path)),
    )
    quotes = "false"
    if dialect.quote:
        quote = sql.dialect.literal(dialect.quote)
        odd_lines = f"max((length(value) - length(replace(value, {quote}, ''))) % 2) = 1"
        quotes = f"coalesce({odd_lines}, false)"
    broken = "count_if(NOT is_valid_utf8(value))" if dialect.encoding == "utf-8" else "0"
    ((odd, wrong),) = sql.rows(f"SELECT {quotes}, {broken} FROM {name}")
    if wrong:
        raise SourceError(
            f"{path} is not utf-8 in {wrong:,} of its lines",
            code="wrong-encoding",
            file=path,
            remedy="set encoding='latin-1' if that is what it is, or convert the file to utf-8",
        )
    if len(_looked_at) >= _MOST_REMEMBERED:
        _looked_at.clear()
    _looked_at[key] = bool(odd)
    return bool(odd)
