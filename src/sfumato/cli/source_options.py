"""The options that say how a file is read."""

from __future__ import annotations

import re
from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from sfumato.sources.source import Source


def add_source_options(parser: ArgumentParser) -> None:
    """Add the options for text files and databases."""
    parser.add_argument(
        "--table",
        metavar="NAME",
        help="the table of a DuckDB, SQLite or Postgres database, or the sheet of a spreadsheet",
    )
    parser.add_argument(
        "--delimiter",
        metavar="CHARACTER",
        help="the column separator of a text file, for example ';' or tab (default: detected)",
    )
    parser.add_argument(
        "--quote",
        metavar="CHARACTER",
        help="the quote character of a text file, '' for none (default: detected)",
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help="utf-8, latin-1 or utf-16 (default: detected)"
    )
    parser.add_argument(
        "--header",
        action=BooleanOptionalAction,
        help="whether the first line of a text file has the names (default: detected)",
    )


def source_given(data: Path, arguments: Namespace) -> Source:
    """Return the source that a path and the options mean; what is not given is detected."""
    from sfumato.errors import SettingsError, SourceError
    from sfumato.errors.suggestions import closest_file
    from sfumato.sources.source import (
        DATABASE_ENDINGS,
        PARQUET_ENDINGS,
        POSTGRES_SCHEMES,
        SPREADSHEET_ENDINGS,
        STATISTICS_ENDINGS,
        CsvFile,
        source_of,
    )

    # A path has one slash where an address has two.
    address = re.sub(r"^(postgres(?:ql)?):/+", r"\1://", str(data))
    if address.startswith(POSTGRES_SCHEMES):
        return source_of(address, table=arguments.table)
    if not data.exists():
        raise SourceError(
            f"there is no file {data}",
            code="no-such-file",
            file=data,
            suggestion=closest_file(data),
        )
    of_text = {
        "--delimiter": arguments.delimiter,
        "--quote": arguments.quote,
        "--encoding": arguments.encoding,
        "--header": arguments.header,
    }
    given = [option for option, value in of_text.items() if value is not None]
    if arguments.table is None and data.name.lower().endswith(DATABASE_ENDINGS) and not given:
        raise SourceError(
            f"{data} is a database",
            code="no-table-named",
            file=data,
            key="--table",
            remedy="name the table to read: --table NAME",
        )
    if not given:
        return source_of(data, table=arguments.table)
    source = None if arguments.table is None else source_of(data, table=arguments.table)
    others = (*PARQUET_ENDINGS, *SPREADSHEET_ENDINGS, *STATISTICS_ENDINGS)
    if source is None and data.name.lower().endswith(others):
        source = source_of(data)
    if source is not None:
        raise SettingsError(
            f"{given[0]} applies to text files only, and {source} is not one",
            code="conflicting-settings",
            file=data,
            key=given[0],
            remedy="leave it out",
        )
    tab = arguments.delimiter in ("tab", r"\t")
    return CsvFile(
        path=data,
        delimiter="\t" if tab else arguments.delimiter,
        quote=arguments.quote,
        encoding=arguments.encoding,
        header=arguments.header,
    )
