"""The dialect of a delimited text file, found in its first lines and never in its types.

Guessing types corrupts data (ZIP 01234 becomes 1234, the code 1e5 becomes 100000.0), and a
guessed number of lines to skip loses rows in silence, so none of that is guessed: all values are
text, the first line that is not blank is the header or a row, and every row must have as many
fields as the first.
"""

from __future__ import annotations

import codecs
import csv
import functools
import gzip
import io
import re
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import listed
from sfumato.sources.parts import no_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sfumato.sources.source import CsvFile

DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'")
ENCODINGS = ("utf-8", "latin-1", "utf-16")
_SPELLINGS = {
    "utf-8": "utf-8",
    "utf-8-sig": "utf-8",
    "ascii": "utf-8",
    "iso8859-1": "latin-1",
    "utf-16": "utf-16",
    "utf-16-le": "utf-16",
}
"""The encodings by the names that Python gives them."""

_SAMPLE_BYTES = 1 << 20
_SAMPLE_LINES = 200


@dataclass(frozen=True, kw_only=True)
class CsvDialect:
    """All that is needed to read a delimited text file, and the names of its columns.

    ``blank_lines`` stand before the first line; an empty ``quote`` says that nothing is quoted.
    ``line_break`` is what ends the first row, None if nothing does: a field in quotes may hold
    another one.
    """

    delimiter: str
    quote: str
    encoding: str
    header: bool
    columns: tuple[str, ...]
    blank_lines: int = 0
    line_break: str | None = None


def csv_dialect(source: CsvFile) -> CsvDialect:
    """Return the dialect of a file: what the source says, and the rest from its first lines.

    A file that has not changed is looked at once.
    """
    try:
        status = source.path.stat()
    except OSError:
        return _found_dialect(source)
    identity = (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
    return _known_dialect(source, identity)


@functools.lru_cache(maxsize=64)
def _known_dialect(source: CsvFile, identity: tuple[int, ...]) -> CsvDialect:  # noqa: ARG001
    return _found_dialect(source)


def _found_dialect(source: CsvFile) -> CsvDialect:
    sample, whole = _first_bytes(source.path)
    encoding = _encoding(source, sample)
    text = sample.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="ignore")
    if not text.strip():
        raise SourceError(
            f"{source.path} is empty",
            code="empty-file",
            file=source.path,
            expected="a header or rows",
        )
    lines = list(io.StringIO(text, newline=""))
    if not whole and len(lines) > 1:
        lines.pop()
    blank_lines = next(number for number, line in enumerate(lines) if line.strip("\r\n"))
    lines = lines[blank_lines : blank_lines + _SAMPLE_LINES]
    quote = source.quote if source.quote is not None else _quote(lines)
    delimiter = source.delimiter or _delimiter(lines, quote)
    rows = _rows(lines, delimiter, quote)
    if not rows:
        raise SourceError(
            f"the first line of {source.path} cannot be split into fields",
            code="unknown-dialect",
            file=source.path,
            key="delimiter",
            remedy=Hint(
                python="set delimiter and quote: CsvFile(path=…, delimiter=';', quote='\"')",
                file='set delimiter = ";" and quote under [source], or give --delimiter and '
                "--quote",
            ),
        )
    first, *others = rows
    header = source.header if source.header is not None else _looks_like_header(first, others)
    columns = tuple(
        (name if header else "") or unnamed_column(position) for position, name in enumerate(first)
    )
    _check_names(source.path, columns)
    return CsvDialect(
        delimiter=delimiter,
        quote=quote,
        encoding=encoding,
        header=header,
        columns=columns,
        blank_lines=blank_lines,
        line_break=_line_break(lines, delimiter, quote),
    )


def common_dialect(source: CsvFile, parts: Sequence[Path]) -> CsvDialect:
    """Return the dialect that all parts of a table have.

    The first part tells it. In every other one, a header that is not there would be a row that is
    lost, and other columns would be taken for those of the first.
    """
    first = csv_dialect(replace(source, path=parts[0]))
    for part in parts[1:]:
        found = csv_dialect(
            replace(
                source,
                path=part,
                delimiter=first.delimiter,
                quote=first.quote,
                encoding=first.encoding,
                header=first.header,
            )
        )
        if (found.columns, found.blank_lines) != (first.columns, first.blank_lines):
            header = "the first line" if first.header else "the number of columns"
            raise SourceError(
                f"{header} of {part} is not that of {parts[0].name}",
                code="other-columns",
                file=part,
                expected=f"that of {parts[0].name}",
                remedy="give every part the same header, or none (header = false)",
            )
    return first


def unnamed_column(position: int) -> str:
    """Return what a column without a name is called, counted from 1.

    >>> unnamed_column(0)
    'column1'
    """
    return f"column{position + 1}"


def _first_bytes(path: Path) -> tuple[bytes, bool]:
    """Return the beginning of a file, and whether that is all of it."""
    try:
        with gzip.open(path, "rb") if is_compressed(path) else path.open("rb") as file:
            sample = file.read(_SAMPLE_BYTES)
            return sample, not file.read(1)
    except FileNotFoundError:
        raise no_file(path) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise SourceError(
            f"{path} is not a complete gzip file",
            code="broken-gzip",
            file=path,
            remedy="compress it again, or give the text itself",
        ) from None
    except OSError as error:
        raise SourceError.unreadable(path, error) from None


def is_compressed(path: Path) -> bool:
    """Say whether a file is compressed, by its ending."""
    return path.name.lower().endswith(".gz")


def _encoding(source: CsvFile, sample: bytes) -> str:
    if source.encoding is None:
        encoding = _sniffed_encoding(sample)
    else:
        try:
            name = codecs.lookup(source.encoding).name
        except LookupError:
            name = source.encoding
        if name not in _SPELLINGS:
            raise SourceError.unknown_choice(
                "encoding", source.encoding, ENCODINGS, file=source.path
            )
        encoding = _SPELLINGS[name]
    # A text begins with a character below 256 all but always: its zero byte tells the order.
    if encoding == "utf-16" and sample.startswith((codecs.BOM_UTF16_BE, b"\0")):
        raise SourceError(
            f"{source.path} is utf-16 with the high byte first, which cannot be read",
            code="wrong-encoding",
            file=source.path,
            key="encoding",
            remedy="convert the file to utf-8",
        )
    return encoding


def _sniffed_encoding(sample: bytes) -> str:
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        # Incremental, because the sample may end inside a character.
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _rows(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """Return the rows that are not blank, up to one that cannot be read."""
    rows = []
    try:
        for row in _reader(lines, delimiter, quote):
            if row:
                rows.append(row)  # noqa: PERF401 (what was read before an error is kept)
    except csv.Error:
        pass
    return rows


def _reader(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    if quote:
        return csv.reader(lines, delimiter=delimiter, quotechar=quote)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _line_break(lines: Sequence[str], delimiter: str, quote: str) -> str | None:
    """Return what ends the first row, which may be several lines."""
    taken = 0

    def counted() -> Iterator[str]:
        nonlocal taken
        for line in lines:
            taken += 1
            yield line

    try:
        next(_reader(counted(), delimiter, quote))
    except (csv.Error, StopIteration):
        return None
    last = lines[taken - 1]
    return last[len(last.rstrip("\r\n")) :] or None


def _quote(lines: Sequence[str]) -> str:
    """Return the character that stands around more fields; the double quote if none does."""
    ends = re.escape("".join(DELIMITERS))

    def quoted_fields(quote: str) -> int:
        inside = f"(?:[^{quote}]|{quote}{quote})*"
        field = rf"(?:^|(?<=[{ends}])){quote}{inside}{quote}(?=[{ends}]|$)"
        return sum(len(re.findall(field, line.rstrip("\r\n"))) for line in lines)

    return max(QUOTES, key=quoted_fields)


def _delimiter(lines: Sequence[str], quote: str) -> str:
    """Return the delimiter under which most rows have as many fields as the first one."""

    def fit(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in _rows(lines, delimiter, quote)]
        if not widths or widths[0] == 1:
            return (0.0, 0)
        return (sum(width == widths[0] for width in widths) / len(widths), widths[0])

    best = max(DELIMITERS, key=fit)
    return best if fit(best) > (0.0, 0) else ","


def _looks_like_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Say whether a first row can be names: no number, no value of other rows.

    A name may be empty, as that of the index in files that pandas writes. Names that come twice
    are names too, and refused: as a row they would be released, and with them the columns that
    nobody can name.
    """
    names = [name for name in first if name.strip()]
    return (
        bool(names)
        and not any(map(_is_number, names))
        and not any(
            name == value and name.strip()
            for row in others
            for name, value in zip(first, row, strict=False)
        )
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(path: Path, columns: Sequence[str]) -> None:
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise SourceError(
            f"{path} has the column {listed(twice)} more than once",
            code="duplicate",
            file=path,
            column=twice[0],
            remedy=Hint(
                python="rename one, or set header=False if the first line is a row",
                file="rename one, or set header = false under [source] (--no-header) if the first "
                "line is a row",
            ),
        )
