"""The rows of small CSV files that describe a domain: hierarchies and partitions."""

from __future__ import annotations

import codecs
import csv
import io
import os
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError, SettingsError, shown
from sfumato.errors.suggestions import closest_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

DELIMITERS = (";", ",", "\t", "|")


def check_delimiter(delimiter: str) -> None:
    """Refuse what cannot delimit columns."""
    if len(delimiter) != 1 or delimiter in '\r\n"':
        raise SettingsError.wrong_setting(
            "delimiter", delimiter, "one character like ';' or ','", code="not-a-delimiter"
        )


def read_text(file: Path, encoding: str) -> str:
    """Return the text of a file, or say what is wrong with it."""
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise _no_such_file(file) from error
    except OSError as error:
        raise HierarchyError.unreadable(file, error) from error
    try:
        return content.decode(encoding)
    except LookupError as error:
        raise SettingsError.wrong_setting(
            "encoding",
            encoding,
            "an encoding that Python knows, like 'utf-8-sig' or 'latin-1'",
            code="unknown-encoding",
        ) from error
    except UnicodeError as error:
        line, byte = None, ""
        if isinstance(error, UnicodeDecodeError):
            line = content.count(b"\n", 0, error.start) + 1
            byte = f" at the byte 0x{content[error.start : error.start + 1].hex()}"
        utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        raise HierarchyError(
            f"the file is not {encoding}{byte}",
            code="wrong-encoding",
            file=file,
            line=line,
            found=shown(encoding),
            suggestion="utf-16" if utf_16 else "cp1252",
            remedy="save it as UTF-8, or name its encoding",
        ) from error


def _no_such_file(file: Path) -> HierarchyError:
    folder = "" if file.parent.is_dir() else f", and neither does the folder {file.parent}"
    return HierarchyError(
        f"{file} does not exist{folder}",
        code="no-such-file",
        file=file,
        suggestion=closest_file(file),
    )


def split_rows(text: str, delimiter: str, *, file: Path) -> tuple[list[list[str]], list[int]]:
    """Return the rows of a text and the lines that they begin at, without blank ones."""
    rows: list[list[str]] = []
    line_numbers: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            # A quoted empty value ("") is a row; an empty or blank line is none.
            if row and (len(row) > 1 or not row[0] or row[0].strip()):
                rows.append(row)
                line_numbers.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise HierarchyError(
            f"the quoting is broken ({error})",
            code="broken-quoting",
            file=file,
            line=line,
            remedy=f"a value that holds {delimiter!r} or a quote is written as "
            f'"a {delimiter} b" or "a ""quote"""',
        ) from error
    return rows, line_numbers


def check_several_columns(
    text: str, rows: Sequence[Sequence[str]], delimiter: str, *, file: Path, need: str
) -> None:
    """Refuse rows of a single column; suggest the delimiter that would give more."""
    if any(len(row) > 1 for row in rows):
        return
    other = _other_delimiter(text, delimiter, file)
    raise HierarchyError(
        f"the delimiter {delimiter!r} splits every line into one column",
        code="one-column",
        file=file,
        key="delimiter",
        found=shown(delimiter),
        expected=need,
        suggestion=other,
        remedy=None if other else "add a last column with the same label, like '*', in every row",
    )


def _other_delimiter(text: str, delimiter: str, file: Path) -> str | None:
    """Return which other delimiter would split a text into as many columns in every row."""
    for other in DELIMITERS:
        if other == delimiter:
            continue
        try:
            rows, _ = split_rows(text, other, file=file)
        except HierarchyError:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and widths != {1}:
            return other
    return None


def write_rows(file: Path, rows: Iterable[Sequence[str]], *, delimiter: str) -> None:
    """Write rows to a file that `split_rows` reads, all of it or nothing."""
    together = list(rows)
    # A carriage return, which csv leaves bare otherwise, must stand in quotes.
    returns = any("\r" in cell for row in together for cell in row)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(
                stream,
                delimiter=delimiter,
                lineterminator="\n",
                quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
            )
            writer.writerows(together)
        unfinished.replace(file)
    except OSError as error:
        raise HierarchyError.unwritable(file, error) from error
    finally:
        unfinished.unlink(missing_ok=True)
