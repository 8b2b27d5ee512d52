"""The table ``[source]`` of a study file: where the rows are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from sfumato.sources.source import (
    CSV_ENDINGS,
    DUCKDB_ENDINGS,
    PARQUET_ENDINGS,
    SPREADSHEET_ENDINGS,
    CatalogTable,
    CsvFile,
    DatabaseTable,
    ParquetFile,
    Source,
)
from sfumato.study.file.table import RefusedKeyError, Table

_TEXT_KEYS = ("delimiter", "quote", "encoding", "header")
_EXAMPLE = 'path = "patients.csv"'


class SourceTable(Table):
    """Where the rows are."""

    path: str | None = Field(
        default=None,
        min_length=1,
        description="The file with the rows, relative to the study file: CSV, TSV, Parquet or a "
        "DuckDB database.",
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
        description="The table or view of a DuckDB database; without a path, of the catalog of "
        "Spark.",
        examples=["patients"],
    )
    unlisted: Literal["insensitive"] | None = Field(
        default=None,
        description='"insensitive" releases columns that the study does not list as they are. '
        "Without it they are an error.",
    )

    def source(self, folder: Path, *, has_catalog: bool) -> Source:
        """Return the source; its path is relative to the folder of the study file."""
        text_keys = [key for key in self.given if key in _TEXT_KEYS]
        if self.path is None:
            return self._catalog_table(text_keys, has_catalog=has_catalog)
        name = Path(self.path).name.lower()
        if self.table is not None:
            if text_keys or name.endswith((*CSV_ENDINGS, *PARQUET_ENDINGS)):
                raise RefusedKeyError(
                    "table",
                    reason=f"it is the table of a DuckDB database, and {self.path!r} is read as "
                    "another kind of file; leave out one of the two",
                )
            return DatabaseTable(path=folder / self.path, table=self.table)
        if name.endswith(PARQUET_ENDINGS):
            if text_keys:
                raise RefusedKeyError(
                    text_keys[0],
                    reason=f"it is about text files, and {self.path!r} is a Parquet file; leave it "
                    "out",
                )
            return ParquetFile(path=folder / self.path)
        if not text_keys:
            self._check_is_text(name)
        elif name.endswith(SPREADSHEET_ENDINGS):
            raise self._spreadsheet()
        return CsvFile(
            path=folder / self.path,
            delimiter=self.delimiter,
            quote=self.quote,
            encoding=self.encoding,
            header=self.header,
        )

    def _check_is_text(self, name: str) -> None:
        """Refuse a file that its ending does not tell to be text."""
        if name.endswith(DUCKDB_ENDINGS):
            raise RefusedKeyError(
                "path",
                reason=f"{self.path!r} is a database; add the table of it to read, such as "
                'table = "patients"',
            )
        if name.endswith(SPREADSHEET_ENDINGS):
            raise self._spreadsheet()
        if not name.endswith(CSV_ENDINGS):
            raise RefusedKeyError(
                "path",
                reason=f"the ending of {self.path!r} tells nothing about its format; use one of "
                f"{', '.join((*CSV_ENDINGS, *PARQUET_ENDINGS))}, or say that it is a text file by "
                'its delimiter: delimiter = ";"',
            )

    def _spreadsheet(self) -> RefusedKeyError:
        return RefusedKeyError(
            "path", reason=f"{self.path!r} is a spreadsheet; export it as CSV, and name that file"
        )

    def _catalog_table(self, text_keys: list[str], *, has_catalog: bool) -> CatalogTable:
        """Return the table of a catalog, which is named without a path."""
        if not has_catalog or self.table is None:
            catalog = ', or table = "hospital.patients" of the catalog' if has_catalog else ""
            raise RefusedKeyError(
                "path",
                reason=f"it is missing; it says where the rows are, such as {_EXAMPLE}{catalog}",
            )
        if text_keys:
            raise RefusedKeyError(
                text_keys[0],
                reason="it is about text files, and [source] names a table of a catalog; leave it "
                "out",
            )
        return CatalogTable(table=self.table)
