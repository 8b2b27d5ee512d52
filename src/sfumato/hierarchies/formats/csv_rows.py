"""The rows of small CSV files that describe a domain: hierarchies and partitions."""

from __future__ import annotations

import codecs
import csv
import io
import os
from difflib import get_close_matches
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

DELIMITERS = (";", ",", "\t", "|")


def check_delimiter(delimiter: str) -> None:
    """Refuse what cannot delimit columns."""
    if len(delimiter) != 1 or delimiter in '\r\n"':
        raise SettingsError(f"a delimiter is one character such as ';' or ',', not {delimiter!r}")


def read_text(file: Path, encoding: str) -> str:
    """Return the text of a file, or say what is wrong with it."""
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise HierarchyError(f"{file}: there is no such file{_similar_file(file)}") from error
    except OSError as error:
        raise HierarchyError(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return content.decode(encoding)
    except LookupError as error:
        raise SettingsError(
            f"{encoding!r} is no encoding that Python knows; 'utf-8-sig' and 'latin-1' are"
        ) from error
    except UnicodeError as error:
        line = ""
        if isinstance(error, UnicodeDecodeError):
            number = content.count(b"\n", 0, error.start) + 1
            broken = content[error.start : error.start + 1].hex()
            line = f" (line {number}, byte 0x{broken})"
        utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        other = "utf-16" if utf_16 else "cp1252"
        raise HierarchyError(
            f"{file}: the file is not {encoding}{line}; "
            f"save it as UTF-8, or name its encoding, such as encoding={other!r}"
        ) from error


def _similar_file(file: Path) -> str:
    try:
        neighbours = [entry.name for entry in file.parent.iterdir() if entry.is_file()]
    except OSError:
        return f", nor a folder {file.parent}"
    close = get_close_matches(file.name, neighbours, n=1)
    return f"; did you mean {close[0]!r}?" if close else f" in {file.parent}"


def split_rows(text: str, delimiter: str, *, name: str) -> tuple[list[list[str]], list[int]]:
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
            f"{name}: the quoting of line {line} is broken ({error}); write a value that holds "
            f'{delimiter!r} or a quote as "a {delimiter} b" or "a ""quote"""'
        ) from error
    return rows, line_numbers


def other_delimiter(text: str, delimiter: str) -> str:
    """Return which other delimiter would split a text into columns, or what else helps."""
    for other in DELIMITERS:
        if other == delimiter:
            continue
        try:
            rows, _ = split_rows(text, other, name="")
        except HierarchyError:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and widths != {1}:
            return f"; delimiter={other!r} would give {widths.pop()}"
    return "; add a last column with the same label, such as '*', in every row"


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
        raise HierarchyError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)
