"""A source of microdata: a file, a table of a database or catalog, or a table in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from sfumato.errors import SourceError, shown
from sfumato.errors.hint import Hint
from sfumato.sources.parts import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

CSV_ENDINGS = (".csv", ".tsv", ".txt", ".data", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_ENDINGS = (".parquet", ".pq")
DUCKDB_ENDINGS = (".duckdb", ".ddb", ".db")
SQLITE_ENDINGS = (".sqlite", ".sqlite3", ".db3")
DATABASE_ENDINGS = (*DUCKDB_ENDINGS, *SQLITE_ENDINGS)
POSTGRES_SCHEMES = ("postgresql://", "postgres://")
SPREADSHEET_ENDINGS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")
STATISTICS_ENDINGS = (".sas7bdat", ".xpt", ".sav", ".zsav", ".por", ".dta")


@dataclass(frozen=True, kw_only=True)
class CsvFile:
    """A delimited text file, or a folder of parts. What is None is found out from the file itself.

    ``quote`` is doubled inside a quoted field; an empty one says that nothing is quoted.
    ``encoding`` is utf-8, latin-1 or utf-16. ``escaped_formulas`` says that a release wrote an
    apostrophe before what a spreadsheet would run, which is not part of the value.
    """

    path: Path
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    escaped_formulas: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '\r\n"'):
            raise SourceError(
                code="not-a-delimiter",
                file=self.path,
                key="delimiter",
                found=repr(self.delimiter),
                expected="a single character like ',' or ';' or '\\t'",
            )
        if self.quote is not None and (len(self.quote) > 1 or self.quote in tuple("\r\n")):
            raise SourceError(
                code="not-a-quote",
                file=self.path,
                key="quote",
                found=repr(self.quote),
                expected="a single character like '\"', or '' if nothing is quoted",
            )
        if self.quote is not None and self.quote == self.delimiter:
            raise SourceError(
                f"{self.quote!r} cannot be both the delimiter and the quote",
                code="conflicting-settings",
                file=self.path,
                key="quote",
                found=repr(self.quote),
            )

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, kw_only=True)
class ParquetFile:
    """A Parquet file, or a folder of parts with one schema."""

    path: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, kw_only=True)
class DatabaseTable:
    """A table or view of a DuckDB or SQLite database file, which is opened read-only.

    SQLite needs DuckDB's extension ``sqlite``, installed once; sfumato downloads nothing.
    What is not in the schema ``main`` is called by its schema too: ``table="archive.people"``.
    """

    path: Path
    table: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))

    @property
    def place(self) -> str:
        """Where the database is."""
        return str(self.path)

    def __str__(self) -> str:
        return f"table {self.table!r} of {self.place}"


@dataclass(frozen=True, kw_only=True)
class PostgresTable:
    """A table or view of a Postgres database, which is read and never written.

    ``address`` is a URI of libpq, like ``postgresql://reader@db.example:5432/hospital``. It has no
    password: that is looked up in ``~/.pgpass`` or ``PGPASSWORD``, and is written nowhere. What is
    not in the schema ``public`` is called by its schema too. It needs DuckDB's extension
    ``postgres``, installed once; sfumato downloads nothing.
    """

    address: str
    table: str

    def __post_init__(self) -> None:
        if not isinstance(self.address, str) or not self.address.startswith(POSTGRES_SCHEMES):
            raise SourceError(
                code="not-an-address",
                key="address",
                found=shown(self.address) if "@" not in str(self.address) else None,
                expected="an address like 'postgresql://reader@db.example:5432/hospital'",
            )
        authority = urlsplit(self.address)
        secret = ("password", "passfile", "sslpassword")
        if authority.password is not None or any(
            name.lower() in secret for name, _ in parse_qsl(authority.query)
        ):
            # It would be written to study files, runs and logs.
            raise SourceError(
                "the address has a password in it",
                code="password-in-address",
                key="address",
                remedy="leave it out, and put it into ~/.pgpass or PGPASSWORD",
            )

    @property
    def place(self) -> str:
        """Where the database is."""
        return self.address

    def __str__(self) -> str:
        return f"table {self.table!r} of {self.place}"


@dataclass(frozen=True, kw_only=True)
class Worksheet:
    """A sheet of a spreadsheet of Excel or OpenDocument, the first one unless it is named.

    Its first row that is not empty has the names of the columns. It is read whole into memory, by
    python-calamine (extra ``excel``).
    """

    path: Path
    sheet: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))

    def __str__(self) -> str:
        return str(self.path) if self.sheet is None else f"sheet {self.sheet!r} of {self.path}"


@dataclass(frozen=True, kw_only=True)
class StatisticsFile:
    """A file of SAS, SPSS or Stata, with the labels of its coded values.

    It is read whole into memory, by pyreadstat (extra ``statistics``).
    """

    path: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, kw_only=True)
class CatalogTable:
    """A table or view that a Spark session knows by name, like ``hospital.patients``.

    What Spark can address by a path alone is a table too: ``parquet.`s3a://bucket/people` ``.
    """

    table: str

    def __post_init__(self) -> None:
        if not isinstance(self.table, str) or not self.table.strip():
            raise SourceError(
                f"the name of a catalog table is {shown(self.table)}",
                code="not-a-name",
                key="table",
                found=shown(self.table),
                expected="a name like 'hospital.patients'",
            )

    def __str__(self) -> str:
        return f"catalog table {self.table!r}"


class ColumnarTable(Protocol):
    """A pandas, polars or Arrow table: anything that an engine can read by columns."""

    @property
    def columns(self) -> Iterable[object]:
        """The columns or their names."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class MemoryTable:
    """A pandas, polars or Arrow table. It is read where it lies, never copied."""

    table: ColumnarTable = field(repr=False)

    def __post_init__(self) -> None:
        # The type is asked, not the table: a table that is still to be computed would start to.
        kind = type(self.table)
        if hasattr(kind, "collect"):
            raise SourceError(
                f"a {kind.__name__} is still to be computed",
                code="lazy-table",
                found=f"a {kind.__name__}",
                remedy="give what its collect() returns, or write it to a Parquet file and give "
                "the path",
            )
        if not hasattr(kind, "columns"):
            raise SourceError(
                f"a {kind.__name__} is not a source of rows",
                code="not-a-source",
                found=f"a {kind.__name__}",
                expected="a path, or a pandas, polars or Arrow table",
            )

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, as the table has them."""
        # Arrow calls them so and its values columns; the type is asked, because the attributes of
        # a pandas table can be its columns.
        arrow = hasattr(type(self.table), "column_names")
        names = getattr(self.table, "column_names" if arrow else "columns")
        return tuple(str(name) for name in names)

    def __str__(self) -> str:
        return f"the {type(self.table).__module__.split('.')[0]} table in memory"


Source: TypeAlias = (
    CsvFile
    | ParquetFile
    | DatabaseTable
    | PostgresTable
    | Worksheet
    | StatisticsFile
    | CatalogTable
    | MemoryTable
)
TableInMemory: TypeAlias = ColumnarTable
"""What a file becomes that is read whole."""


def path_of(source: Source) -> Path | None:
    """Return the file or folder of a source, None if it has none that this machine knows.

    >>> path_of(CatalogTable(table="hospital.patients")) is None
    True
    """
    return None if isinstance(source, MemoryTable | CatalogTable | PostgresTable) else source.path


def is_sqlite(path: Path) -> bool:
    """Say whether a file is an SQLite database, by what it begins with."""
    try:
        with path.open("rb") as stream:
            return stream.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def source_of(data: Source | ColumnarTable | str | Path, *, table: str | None = None) -> Source:
    """Return the source that ``data`` means: a path by its ending, a table as it is.

    >>> source_of("people.parquet")
    ParquetFile(path=PosixPath('people.parquet'))
    """
    if isinstance(data, Source):
        return data
    if not isinstance(data, str | Path):
        return MemoryTable(table=data)
    if isinstance(data, str) and data.startswith(POSTGRES_SCHEMES):
        if table is None:
            raise _no_table(data, f"PostgresTable(address={data!r}, table='…')")
        return PostgresTable(address=data, table=table)
    path = Path(data)
    name = path.name.lower()
    if name.endswith(SPREADSHEET_ENDINGS):
        return Worksheet(path=path, sheet=table)
    if table is not None:
        return DatabaseTable(path=path, table=table)
    if name.endswith(STATISTICS_ENDINGS):
        return StatisticsFile(path=path)
    if name.endswith(PARQUET_ENDINGS):
        return ParquetFile(path=path)
    if name.endswith(CSV_ENDINGS):
        return CsvFile(path=path)
    if path.is_dir():
        return _of_parts(path)
    if name.endswith(DATABASE_ENDINGS):
        raise _no_table(path, f"DatabaseTable(path={str(path)!r}, table='…')")
    raise SourceError(
        f"the ending of {path} does not tell its format",
        code="unknown-format",
        file=path,
        found=shown(path.suffix),
        expected=(*CSV_ENDINGS, *PARQUET_ENDINGS, *SPREADSHEET_ENDINGS, *STATISTICS_ENDINGS),
        remedy=Hint(
            python="or give CsvFile(path=…) or ParquetFile(path=…)",
            file="rename it",
        ),
    )


def _no_table(place: object, python: str) -> SourceError:
    return SourceError(
        f"{place} is a database",
        code="no-table-named",
        file=place,
        remedy=Hint(
            python=f"name the table to read: {python}",
            file='name the table to read: table = "…" under [source], or --table',
        ),
    )


def _of_parts(folder: Path) -> Source:
    """Return what a folder of parts holds, by their endings."""
    names = [part.name.lower() for part in parts_of(folder)]
    if all(name.endswith(PARQUET_ENDINGS) for name in names):
        return ParquetFile(path=folder)
    if all(name.endswith(CSV_ENDINGS) for name in names):
        return CsvFile(path=folder)
    raise SourceError(
        f"{folder} is a folder whose files are not the parts of one table",
        code="is-a-folder",
        file=folder,
        expected="a folder of .parquet files, or of .csv files, and nothing else",
        remedy="or give the file in it that holds the rows",
    )
