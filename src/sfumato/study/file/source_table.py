"""The table ``[source]`` of a study file: where the rows are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from sfumato.errors import SettingsError
from sfumato.sources.source import (
    CSV_ENDINGS,
    DATABASE_ENDINGS,
    PARQUET_ENDINGS,
    POSTGRES_SCHEMES,
    SPREADSHEET_ENDINGS,
    STATISTICS_ENDINGS,
    CatalogTable,
    CsvFile,
    DatabaseTable,
    ParquetFile,
    PostgresTable,
    Source,
    StatisticsFile,
    Worksheet,
    source_of,
)
from sfumato.study.file.table import Table

if TYPE_CHECKING:
    from sfumato.study.file.named_paths import NamedPaths

_TEXT_KEYS = ("delimiter", "quote", "encoding", "header")
_EXAMPLE = 'path = "patients.csv"'


class SourceTable(Table):
    """Where the rows are."""

    path: str | None = Field(
        default=None,
        min_length=1,
        description="The file with the rows, relative to the study file: CSV, TSV, Parquet, a "
        "DuckDB or SQLite database, a spreadsheet, or a file of SAS, SPSS or Stata; or the address "
        "of a Postgres database.",
        examples=["patients.csv"],
    )
    delimiter: str | None = Field(
        default=None, description="What separates the fields of a text file.", examples=[";"]
    )
    quote: str | None = Field(
        default=None, description="What encloses the fields of a text file.", examples=['"']
    )
    encoding: str | None = Field(
        default=None, description="The encoding of a text file.", examples=["utf-8"]
    )
    header: bool | None = Field(
        default=None,
        description="Whether the first line of a text file has the names of the columns.",
    )
    table: str | None = Field(
        default=None,
        description="The table or view of a database, or the sheet of a spreadsheet; "
        "without a path, the table of the catalog of Spark.",
        examples=["patients"],
    )
    unlisted: Literal["insensitive"] | None = Field(
        default=None,
        description='"insensitive" releases columns that the study does not list as they are. '
        "Without it they are an error.",
    )

    seal: str | None = Field(
        default=None,
        description="Written by sfumato where the path is outside the folder of the study file: it "
        "shows that you named it yourself. Leave it as it is, or leave it out.",
    )

    def source(self, paths: NamedPaths, *, has_catalog: bool) -> Source:
        """Return the source; its path is relative to the folder of the study file."""
        text_keys = [key for key in self.given if key in _TEXT_KEYS]
        if self.path is None:
            return self._catalog_table(text_keys, paths, has_catalog=has_catalog)
        if self.path.startswith(POSTGRES_SCHEMES):
            return self._postgres_table(self.path, text_keys, paths)
        name = Path(self.path).name.lower()
        whole = self._read_whole(name, text_keys, paths)
        if whole is not None:
            return whole
        if self.table is not None:
            if text_keys or name.endswith((*CSV_ENDINGS, *PARQUET_ENDINGS)):
                raise SettingsError(
                    f"it is for databases, and {self.path!r} is read as another kind of file",
                    code="conflicting-settings",
                    key="table",
                    remedy="leave out one of the two",
                )
            return DatabaseTable(path=self._path(paths), table=self.table)
        if name.endswith(PARQUET_ENDINGS):
            if text_keys:
                raise _only_for_text(text_keys[0], f"{self.path!r} is a Parquet file")
            return ParquetFile(path=self._path(paths))
        if not text_keys and not name.endswith(CSV_ENDINGS):
            path = self._path(paths)
            if path.is_dir():
                return source_of(path)
        if not text_keys:
            self._check_is_text(name)
        return CsvFile(
            path=self._path(paths),
            delimiter=self.delimiter,
            quote=self.quote,
            encoding=self.encoding,
            header=self.header,
        )

    def _postgres_table(
        self, address: str, text_keys: list[str], paths: NamedPaths
    ) -> PostgresTable:
        """Return the table of a Postgres database, whose address must be allowed."""
        if text_keys:
            raise _only_for_text(text_keys[0], "[source] names a database")
        if self.table is None:
            raise SettingsError(
                "[source] names a database",
                code="no-table-named",
                key="path",
                remedy='name the table to read, like table = "patients"',
            )
        source = PostgresTable(address=address, table=self.table)
        paths.check_database(address, sealed=self.seal)
        return source

    def _path(self, paths: NamedPaths) -> Path:
        assert self.path is not None
        return paths.source(self.path, sealed=self.seal)

    def _check_is_text(self, name: str) -> None:
        """Refuse a file that its ending does not tell to be text."""
        if name.endswith(DATABASE_ENDINGS):
            raise SettingsError(
                f"{self.path!r} is a database",
                code="no-table-named",
                key="path",
                remedy='name the table to read, like table = "patients"',
            )
        if not name.endswith(CSV_ENDINGS):
            raise SettingsError(
                f"the ending of {self.path!r} does not tell its format",
                code="unknown-format",
                key="path",
                expected=(
                    *CSV_ENDINGS,
                    *PARQUET_ENDINGS,
                    *SPREADSHEET_ENDINGS,
                    *STATISTICS_ENDINGS,
                ),
                remedy='or set the delimiter of a text file, like delimiter = ";"',
            )

    def _read_whole(
        self, name: str, text_keys: list[str], paths: NamedPaths
    ) -> Worksheet | StatisticsFile | None:
        """Return a spreadsheet or a file of a statistics package, None if it is neither."""
        if not name.endswith((*SPREADSHEET_ENDINGS, *STATISTICS_ENDINGS)):
            return None
        sheet = name.endswith(SPREADSHEET_ENDINGS)
        if text_keys:
            kind = "a spreadsheet" if sheet else "a file of a statistics package"
            raise _only_for_text(text_keys[0], f"{self.path!r} is {kind}")
        if sheet:
            return Worksheet(path=self._path(paths), sheet=self.table)
        if self.table is not None:
            raise SettingsError(
                f"{self.path!r} holds one table only",
                code="conflicting-settings",
                key="table",
                remedy="leave it out",
            )
        return StatisticsFile(path=self._path(paths))

    def _catalog_table(
        self, text_keys: list[str], paths: NamedPaths, *, has_catalog: bool
    ) -> CatalogTable:
        """Return the table of a catalog, which is named without a path."""
        if not has_catalog or self.table is None:
            catalog = ', or table = "hospital.patients" of the catalog' if has_catalog else ""
            raise SettingsError(
                "path is missing",
                code="missing-setting",
                key="path",
                remedy=f"say where the rows are, like {_EXAMPLE}{catalog}",
            )
        if text_keys:
            raise _only_for_text(text_keys[0], "[source] names a table of a catalog")
        paths.check_catalog(self.table, sealed=self.seal)
        return CatalogTable(table=self.table)


def _only_for_text(key: str, instead: str) -> SettingsError:
    return SettingsError(
        f"it is for text files, and {instead}",
        code="conflicting-settings",
        key=key,
        remedy="leave it out",
    )
