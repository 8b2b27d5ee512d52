"""How a delimited text file is written: found out from its first lines, never from its types.

Guessing types corrupts data (ZIP 01234 becomes 1234, the code 1e5 becomes 100000.0), and a
guessed number of lines to skip loses rows in silence, so none of that is guessed: all values are
text, the first line is the header or a row, and every row must have as many fields as the first.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.data.source import CsvFile

DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'")
ENCODINGS = ("utf-8", "latin-1", "utf-16")
_SAMPLE_BYTES = 1 << 20
_SAMPLE_LINES = 200


@dataclass(frozen=True, kw_only=True)
class CsvDialect:
    """All that is needed to read a delimited text file, and the names of its columns."""

    delimiter: str
    quote: str
    encoding: str
    header: bool
    columns: tuple[str, ...]


def csv_dialect(source: CsvFile) -> CsvDialect:
    """Return the dialect of a file: what the source says, and the rest from its first lines."""
    sample, whole = _first_bytes(source.path)
    if not sample.strip():
        raise SourceError(f"{source.path} is empty; it has neither a header nor rows")
    encoding = _encoding(source, sample)
    text = sample.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="ignore")
    lines = text.splitlines(keepends=True)
    if not whole and len(lines) > 1:
        lines.pop()
    lines = lines[:_SAMPLE_LINES]
    quote = source.quote or _quote(lines)
    delimiter = source.delimiter or _delimiter(lines, quote)
    first = next((row for row in _rows(lines, delimiter, quote) if row), [])
    header = source.header if source.header is not None else _looks_like_header(first)
    columns = tuple(first) if header else tuple(f"column{i + 1}" for i in range(len(first)))
    _check_names(source.path, columns)
    return CsvDialect(
        delimiter=delimiter, quote=quote, encoding=encoding, header=header, columns=columns
    )


def _first_bytes(path: Path) -> tuple[bytes, bool]:
    try:
        with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as file:
            sample = file.read(_SAMPLE_BYTES)
            return sample, not file.read(1)
    except FileNotFoundError:
        raise SourceError(f"there is no file {path}") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


def _encoding(source: CsvFile, sample: bytes) -> str:
    if source.encoding is not None:
        try:
            name = codecs.lookup(source.encoding).name
        except LookupError:
            name = source.encoding
        known = {codecs.lookup(encoding).name: encoding for encoding in ENCODINGS}
        if name in known:
            return known[name]
        if name in ("utf-8-sig", "ascii"):
            return "utf-8"
        raise SourceError(
            f"encoding {source.encoding!r} cannot be read; use one of {', '.join(ENCODINGS)}, or "
            "convert the file to utf-8"
        )
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _rows(lines: list[str], delimiter: str, quote: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO("".join(lines)), delimiter=delimiter, quotechar=quote))
    except csv.Error:
        return []


def _quote(lines: list[str]) -> str:
    """Return the character that stands around fields more often; the double quote if none does."""

    def around(quote: str) -> int:
        return sum(
            line.count(f"{quote}{d}") + line.count(f"{d}{quote}")
            for line in lines
            for d in DELIMITERS
        )

    return "'" if around("'") > around('"') else '"'


def _delimiter(lines: list[str], quote: str) -> str:
    """Return the delimiter under which most rows have as many fields as the first one."""

    def fit(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in _rows(lines, delimiter, quote) if row]
        if not widths or widths[0] == 1:
            return (0.0, 0)
        return (sum(width == widths[0] for width in widths) / len(widths), widths[0])

    best = max(DELIMITERS, key=fit)
    return best if fit(best) > (0.0, 0) else ","


def _looks_like_header(first: list[str]) -> bool:
    """Say whether a first row can be names: all there, all different, none a number."""
    return (
        all(name.strip() for name in first)
        and len(set(first)) == len(first)
        and not any(_is_number(name) for name in first)
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_names(path: Path, columns: tuple[str, ...]) -> None:
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise SourceError(
            f"{path} has the column {', '.join(map(repr, twice))} more than once; rename one"
        )
