"""What DuckDB's errors say to the user: the reason and the place, never a value of the data.

DuckDB quotes the line or the value that it stumbled over. Here a message passes only if it speaks
of files and names; of all others, what is known about their kind is said in our own words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

_WITHOUT_VALUES = (
    "BinderException",
    "CatalogException",
    "IOException",
    "NotImplementedException",
    "OutOfMemoryException",
    "PermissionException",
)
"""The errors that are raised before a value is read, or have nothing to do with values."""

_MEND_QUOTES = (
    "close the quotes and double those inside, or set the quote (quote='' if nothing is quoted)"
)


def error_text(error: duckdb.Error, *, where: str) -> str:
    """Return what is wrong with ``where`` and what would help, without a value of the data."""
    message = str(error)
    line = re.match(r"Invalid Input Error: CSV Error on Line: (\d+)$", message, re.MULTILINE)
    if line is not None:
        return (
            f"{where}, line {line[1]} (line breaks in quotes not counted): {_about_line(message)}"
        )
    return f"{where} cannot be read: {_about_source(error, message)}"


def _about_line(message: str) -> str:
    # Anchored, because the line that is quoted can hold any words.
    counts = re.search(r"^Expected Number of Columns: (\d+) Found: (\d+)$", message, re.MULTILINE)
    if counts is not None:
        return (
            f"the row has {counts[2]} field{'' if counts[2] == '1' else 's'} and the first line "
            f"has {counts[1]}; mend the line, or set the delimiter and quote if they were misread"
        )
    if re.search(r"^Invalid unicode", message, re.MULTILINE):
        return (
            "the text is not utf-8 here; set encoding='latin-1' if that is what it is, or convert "
            "the file to utf-8"
        )
    if re.search(r"^Value with unterminated quote", message, re.MULTILINE):
        return f"a quoted field does not end as it should; {_MEND_QUOTES}"
    longest = re.search(r"^Maximum line size of (\d+) bytes exceeded", message, re.MULTILINE)
    if longest is not None:
        return (
            f"the line is longer than {int(longest[1]):,} bytes; perhaps a quote is not closed: "
            f"{_MEND_QUOTES}"
        )
    return "the line cannot be read; mend it, or set the delimiter and quote if they were misread"


def _about_source(error: duckdb.Error, message: str) -> str:
    kind = type(error).__name__
    first = message.splitlines()[0].split(": ", 1)[-1]
    if kind in _WITHOUT_VALUES:
        return first
    encoding = re.match(r"File is not (\S+) encoded", first)
    if encoding is not None:
        return f"it is not all {encoding[1]}; set its encoding, or convert the file to utf-8"
    if "CSV Parser state machine" in first:
        return (
            f"its lines end in different ways, or its quotes are broken; give all lines the same "
            f"ending, and {_MEND_QUOTES}"
        )
    if "Parquet file" in first or "magic bytes" in first:
        return "it is no Parquet file, or not all of it; write it again"
    if "pyarrow" in first:
        return "DuckDB needs the package pyarrow for tables of this type; install pyarrow"
    if "replacement scan" in first:
        return "DuckDB does not know its type; give a pandas, polars or Arrow table, or a path"
    if "at least one column" in first:
        return "it has no columns"
    column = re.search(r" when casting from source column (.+)$", first)
    if kind == "ConversionException":
        of = f" of column {column[1]!r}" if column is not None else ""
        return f"a value{of} does not have the type that it is converted to; mend it, or the view"
    return f"DuckDB stopped with {kind}; its message may quote data and is left out"


def is_about_writing(error: duckdb.Error, folder: Path) -> bool:
    """Say whether an error arose from what is written into ``folder``, not from the source."""
    kind = type(error).__name__
    return kind == "OutOfMemoryException" or (
        kind == "IOException" and (str(folder) in str(error) or "write" in str(error).lower())
    )


def writing_error_text(error: duckdb.Error) -> str:
    """Return why rows could not be written, and what would help."""
    if type(error).__name__ == "OutOfMemoryException":
        return (
            "the rows cannot be written: DuckDB ran out of its memory or of disk for what memory "
            "cannot hold; free some disk, or give it more memory: DuckDBEngine(memory_limit='4GB')"
        )
    reason = re.search(
        r"No space left on device|File too large|Permission denied|quota", str(error)
    )
    said = reason[0] if reason is not None else str(error).splitlines()[0].split(": ", 1)[-1]
    return f"the rows cannot be written: {said}; free some disk, or choose another destination"
