"""DuckDB's errors in our own words: the reason and the place, never a value of the data.

DuckDB quotes the line or the value that it stumbled over. Here a message passes only if it speaks
of files and names; of all others, what is known about their kind is said in our own words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.engines.sql.unreadable import (
    MEND_VALUE,
    MISREAD,
    NOT_PARQUET,
    WRONG_TYPE,
    Unreadable,
)
from sfumato.errors import ReleaseError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import counted

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from sfumato.errors import SourceError

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


def source_error(error: duckdb.Error, *, where: str) -> SourceError:
    """Return what is wrong with ``where`` and what would help, without a value of the data."""
    message = str(error)
    line = re.match(r"Invalid Input Error: CSV Error on Line: (\d+)$", message, re.MULTILINE)
    if line is not None:
        return _about_line(message).in_line(int(line[1]), where=where)
    return _about_source(error, message).in_source(where)


def _about_line(message: str) -> Unreadable:
    # Anchored, because the line that is quoted can hold any words.
    counts = re.search(r"^Expected Number of Columns: (\d+) Found: (\d+)$", message, re.MULTILINE)
    if counts is not None:
        return Unreadable(
            code="ragged-rows",
            reason=f"the row has {counted(int(counts[2]), 'field')} and the first line has "
            f"{counts[1]} (line breaks in quotes are not counted)",
            remedy=f"mend the line, {MISREAD}",
        )
    if re.search(r"^Invalid unicode", message, re.MULTILINE):
        return Unreadable(
            code="wrong-encoding",
            reason="the text is not utf-8 here",
            remedy="set encoding='latin-1' if that is what it is, or convert the file to utf-8",
        )
    if re.search(r"^Value with unterminated quote", message, re.MULTILINE):
        return Unreadable(
            code="broken-quoting",
            reason="a quoted field does not end as it should",
            remedy=_MEND_QUOTES,
        )
    longest = re.search(r"^Maximum line size of (\d+) bytes exceeded", message, re.MULTILINE)
    if longest is not None:
        return Unreadable(
            code="broken-quoting",
            reason=f"the line is longer than {int(longest[1]):,} bytes; perhaps a quote is not "
            "closed",
            remedy=_MEND_QUOTES,
        )
    return Unreadable(reason="the line cannot be read", remedy=f"mend it, {MISREAD}")


def _about_source(error: duckdb.Error, message: str) -> Unreadable:
    kind = type(error).__name__
    first = message.splitlines()[0].split(": ", 1)[-1]
    outside = re.match(r'Cannot access (?:file|directory) "(.*)" - ', first)
    if kind == "PermissionException" and outside is not None:
        return Unreadable(
            code="reads-elsewhere",
            reason=f"it reads {outside[1]}, and only the file that is named may be read",
            remedy="copy the rows into a table of the database, or give that file itself",
        )
    if kind == "PermissionException" and "extension" in first:
        return Unreadable(
            code="reads-elsewhere",
            reason="it needs an extension of DuckDB, and none is loaded",
            remedy="copy the rows into a table of the database",
        )
    if kind == "OutOfMemoryException":
        return Unreadable(
            code="out-of-memory",
            reason="DuckDB ran out of its memory, or of disk for what memory cannot hold",
            remedy="free some memory and disk, name another folder in TMPDIR, or use fewer threads",
        )
    if kind in _WITHOUT_VALUES:
        return Unreadable(reason=first)
    encoding = re.match(r"File is not (\S+) encoded", first)
    if encoding is not None:
        return Unreadable(
            code="wrong-encoding",
            reason=f"it is not all {encoding[1]}",
            remedy="set its encoding, or convert the file to utf-8",
        )
    if "CSV Parser state machine" in first:
        return Unreadable(
            code="broken-quoting",
            reason="its lines end in different ways, or its quotes are broken",
            remedy=f"give all lines the same ending, and {_MEND_QUOTES}",
        )
    if "Parquet file" in first or "magic bytes" in first:
        return Unreadable(code="not-parquet", reason=NOT_PARQUET, remedy="write it again")
    if "pyarrow" in first:
        return Unreadable(
            code="missing-package",
            reason="DuckDB needs the package pyarrow for tables of this type",
            remedy="install pyarrow",
        )
    if "replacement scan" in first:
        return Unreadable(
            code="not-a-source",
            reason="DuckDB does not know its type",
            remedy="give a pandas, polars or Arrow table, or a path",
        )
    if "at least one column" in first:
        return Unreadable(code="no-columns", reason="it has no columns")
    if kind == "ConversionException":
        column = re.search(r" when casting from source column (.+)$", first)
        of = f" of column {column[1]!r}" if column is not None else ""
        return Unreadable(
            code="wrong-value-type",
            reason=f"a value{of} {WRONG_TYPE}",
            column=None if column is None else column[1],
            remedy=MEND_VALUE,
        )
    return Unreadable(
        reason=f"DuckDB stopped with {kind}; its message may quote data and is left out"
    )


def is_about_writing(error: duckdb.Error, folder: Path) -> bool:
    """Say whether an error arose from what is written into ``folder``, not from the source."""
    kind = type(error).__name__
    return kind == "OutOfMemoryException" or (
        kind == "IOException" and (str(folder) in str(error) or "write" in str(error).lower())
    )


def release_error(error: duckdb.Error) -> ReleaseError:
    """Return why rows could not be written, and what would help."""
    if type(error).__name__ == "OutOfMemoryException":
        return ReleaseError(
            "the rows cannot be written: DuckDB ran out of its memory or of disk for what memory "
            "cannot hold",
            code="out-of-memory",
            remedy=Hint(
                python="free some disk, or give it more memory: DuckDBEngine(memory_limit='4GB')",
                file="free some disk, or take a machine with more memory",
            ),
        )
    reason = re.search(
        r"No space left on device|File too large|Permission denied|quota", str(error)
    )
    said = reason[0] if reason is not None else str(error).splitlines()[0].split(": ", 1)[-1]
    return ReleaseError(
        f"the rows cannot be written: {said}",
        code="unwritable-file",
        remedy="free some disk, or choose another destination",
    )
