"""Where the microdata are: a file, a table of a database, or a table in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

CSV_ENDINGS = (".csv", ".tsv", ".txt", ".data", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_ENDINGS = (".parquet", ".pq")
DUCKDB_ENDINGS = (".duckdb", ".ddb", ".db")


@dataclass(frozen=True, kw_only=True)
class CsvFile:
    """A delimited text file. What is None is found out from the file itself."""

    path: Path
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        for name, text in (("delimiter", self.delimiter), ("quote", self.quote)):
            if text is not None and len(text) != 1:
                raise SourceError(f"the {name} is {text!r}; it must be a single character")

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, kw_only=True)
class ParquetFile:
    """A Parquet file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, kw_only=True)
class DatabaseTable:
    """A table or view of a DuckDB database file, which is opened read-only."""

    path: Path
    table: str

    def __str__(self) -> str:
        return f"table {self.table!r} of {self.path}"


@runtime_checkable
class ColumnarTable(Protocol):
    """A pandas, polars or Arrow table: anything that an engine can read by columns."""

    @property
    def columns(self) -> Sequence[object]:
        """The columns or their names."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class MemoryTable:
    """A pandas, polars or Arrow table. It is read where it lies, never copied."""

    table: ColumnarTable

    def __str__(self) -> str:
        return f"the {type(self.table).__module__.split('.')[0]} table in memory"


Source: TypeAlias = CsvFile | ParquetFile | DatabaseTable | MemoryTable


def source_of(data: Source | ColumnarTable | str | Path, *, table: str | None = None) -> Source:
    """Return the source that ``data`` means: a path by its ending, a table as it is.

    >>> source_of("people.parquet")
    ParquetFile(path=PosixPath('people.parquet'))
    """
    if isinstance(data, CsvFile | ParquetFile | DatabaseTable | MemoryTable):
        return data
    if not isinstance(data, str | Path):
        if isinstance(data, ColumnarTable):
            return MemoryTable(table=data)
        raise SourceError(
            f"a {type(data).__name__} is no source of rows; give a path, or a pandas, polars or "
            "Arrow table"
        )
    path = Path(data)
    name = path.name.lower()
    if table is not None:
        return DatabaseTable(path=path, table=table)
    if name.endswith(PARQUET_ENDINGS):
        return ParquetFile(path=path)
    if name.endswith(CSV_ENDINGS):
        return CsvFile(path=path)
    if name.endswith(DUCKDB_ENDINGS):
        raise SourceError(f"{path} is a database; say which table of it to read: table='…'")
    raise SourceError(
        f"{path} has an ending that tells nothing about its format; use one of "
        f"{', '.join((*CSV_ENDINGS, *PARQUET_ENDINGS))}, or say CsvFile(path=…) or "
        "ParquetFile(path=…)"
    )
