"""Hierarchy files as ARX has them: a row for every value, the value first and the top last."""

from __future__ import annotations

import codecs
import csv
import io
import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sfumato.data.hierarchy import Hierarchy
from sfumato.errors import HierarchyError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.arrays import Codes

DELIMITERS = (";", ",", "\t", "|")


def read_hierarchy_csv(
    path: str | os.PathLike[str], *, delimiter: str = ";", encoding: str = "utf-8-sig"
) -> Hierarchy:
    r"""Read a hierarchy from a CSV file: no header, value first, top last, standard quoting.

    Blank lines and a byte order mark are passed over.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "zip.csv")
    ...     _ = path.write_text("24126;241**;*\n24127;241**;*\n24300;243**;*\n")
    ...     read_hierarchy_csv(path).labels
    (('24126', '24127', '24300'), ('241**', '243**'), ('*',))
    """
    file = Path(path)
    _check_delimiter(delimiter)
    text = _read_text(file, encoding)
    rows, line_numbers = _split(text, delimiter, name=str(file))
    if not rows:
        raise HierarchyError(
            f"{file}: the file is empty; write a line for every value, such as "
            f"'24126{delimiter}241**{delimiter}*'"
        )
    if len(rows) > 1 and all(len(row) == 1 for row in rows):
        raise HierarchyError(
            f"{file}: every line has one column when split at {delimiter!r}, and a hierarchy has "
            f"at least two (value and top){_other_delimiter(text, delimiter)}"
        )
    return Hierarchy.from_rows(rows, name=str(file), line_numbers=line_numbers)


def write_hierarchy_csv(
    hierarchy: Hierarchy, path: str | os.PathLike[str], *, delimiter: str = ";"
) -> None:
    r"""Write a hierarchy as a CSV file that ``read_hierarchy_csv`` reads, all of it or nothing.

    Number and date domains are written as their labels, so reading gives a domain of texts.

    >>> import tempfile
    >>> sex = Hierarchy.from_rows([("Male", "*"), ("Female", "*")], name="sex")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "sex.csv")
    ...     write_hierarchy_csv(sex, path)
    ...     path.read_text()
    'Male;*\nFemale;*\n'
    """
    file = Path(path)
    _check_delimiter(delimiter)
    columns = [
        _label_of_leaves(names, codes)
        for names, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(
                stream, delimiter=delimiter, lineterminator="\n", quoting=_quoting(hierarchy)
            )
            writer.writerows(zip(*columns, strict=True))
        unfinished.replace(file)
    except OSError as error:
        raise HierarchyError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _check_delimiter(delimiter: str) -> None:
    if len(delimiter) != 1 or delimiter in '\r\n"':
        raise SettingsError(f"a delimiter is one character such as ';' or ',', not {delimiter!r}")


def _quoting(hierarchy: Hierarchy) -> Literal[0, 1]:
    """Quote everything where a label holds a carriage return, which csv leaves bare otherwise."""
    returns = any("\r" in name for names in hierarchy.labels for name in names)
    return csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL


def _label_of_leaves(names: Sequence[str], codes: Codes) -> list[str]:
    return [names[block] for block in codes.tolist()]


def _read_text(file: Path, encoding: str) -> str:
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


def _split(text: str, delimiter: str, *, name: str) -> tuple[list[list[str]], list[int]]:
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


def _other_delimiter(text: str, delimiter: str) -> str:
    for other in DELIMITERS:
        if other == delimiter:
            continue
        try:
            rows, _ = _split(text, other, name="")
        except HierarchyError:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and widths != {1}:
            return f"; delimiter={other!r} would give {widths.pop()}"
    return "; add a last column with the same label, such as '*', in every row"
