"""The table ``[source]`` of a study file: where the rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
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

if TYPE_CHECKING:
    from sfumato.study.file.study_keys import StudyTable

CSV_KEYS = ("delimiter", "quote", "encoding", "header")
SOURCE_KEYS = ("path", *CSV_KEYS, "table", "unlisted")


def source_of_table(settings: StudyTable) -> Source:
    """Return the source that the table describes; its path is relative to the study file."""
    if "path" not in settings.values:
        return _catalog_table(settings)
    written = settings.text("path", example='"patients.csv"')
    if not written:
        raise settings.wrong("path", 'write where the rows are, such as path = "patients.csv"')
    path = settings.file.parent / written
    name = path.name.lower()
    text_settings = [key for key in CSV_KEYS if key in settings.values]
    table = settings.text("table", example='"patients"')
    if table is not None:
        if text_settings or name.endswith((*CSV_ENDINGS, *PARQUET_ENDINGS)):
            raise SettingsError(
                f"{settings.at('table')} names the table of a DuckDB database, and {written!r} is "
                "read as another kind of file; leave out one of the two"
            )
        return DatabaseTable(path=path, table=table)
    if name.endswith(PARQUET_ENDINGS):
        if text_settings:
            raise SettingsError(
                f"{settings.at(text_settings[0])} is about text files, and {written!r} is a "
                "Parquet file; leave it out"
            )
        return ParquetFile(path=path)
    if name.endswith(DUCKDB_ENDINGS) and not text_settings:
        raise SettingsError(
            f"{settings.at('path')}: {written!r} is a database; say which table of it to read: "
            'table = "patients"'
        )
    if name.endswith(SPREADSHEET_ENDINGS):
        raise SettingsError(
            f"{settings.at('path')}: {written!r} is a spreadsheet; export it as CSV, and name that "
            "file"
        )
    if not name.endswith(CSV_ENDINGS) and not text_settings:
        raise SettingsError(
            f"{settings.at('path')}: the ending of {written!r} tells nothing about its format; "
            f"use one of {', '.join((*CSV_ENDINGS, *PARQUET_ENDINGS))}, or say that it is a text "
            'file by its delimiter: delimiter = ";"'
        )
    with settings.naming():
        return CsvFile(
            path=path,
            delimiter=settings.text("delimiter", example='";"'),
            quote=settings.text("quote", example="'\"'"),
            encoding=settings.text("encoding", example='"utf-8"'),
            header=settings.flag("header"),
        )


def _catalog_table(settings: StudyTable) -> CatalogTable:
    """Return the table of a catalog that is named without a path."""
    for key in CSV_KEYS:
        if key in settings.values:
            raise SettingsError(
                f"{settings.at(key)} is about text files, and [source] names a table of a catalog; "
                "leave it out"
            )
    with settings.naming("table"):
        return CatalogTable(table=settings.text("table", example='"hospital.patients"') or "")


def unlisted_insensitive(settings: StudyTable) -> bool:
    """Say whether columns that are not listed are released as they are."""
    return settings.choice("unlisted", ("insensitive",)) is not None
