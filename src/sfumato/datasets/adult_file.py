"""Find, check and cache the Adult census file, and locate the hierarchies shipped for it.

The data is the "Adult" extract of the 1994 Current Population Survey (B. Becker and R. Kohavi,
UCI Machine Learning Repository, 1996, https://doi.org/10.24432/C5XW20, CC BY 4.0). It is not part
of sfumato. Wherever it comes from, it is brought into one form (nine columns, the 30,162 complete
rows of ``adult.data`` in their order) whose checksum is known, so that every user works on the
same rows as the papers.
"""

from __future__ import annotations

import csv
import hashlib
import os
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sfumato.errors import SettingsError, SourceError
from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "COLUMNS",
    "ROWS",
    "SHA256",
    "adult_path",
    "cache_folder",
    "cached_adult",
    "hierarchy_path",
]

COLUMNS: Final = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
"""The columns of the normalised file, in their order."""

ROWS: Final = 30_162
"""How many rows of ``adult.data`` lack no value."""

SHA256: Final = "0711f26a4ba718f2eb8fa04395fc296cb3be1ba67135c828b93f6506bf4d8ca9"
"""The checksum of the normalised file (UTF-8, ``;``, header, lines that end in a line feed)."""

_UCI_COLUMNS: Final = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "salary-class",
)
_UCI_URL: Final = "https://archive.ics.uci.edu/static/public/2/adult.zip"
_UCI_MEMBER: Final = "adult.data"
_TIMEOUT_SECONDS: Final = 60
_TRAINING_ROWS: Final = 32_561
_TEST_ROWS: Final = 16_281
_MISSING: Final = frozenset({"", "?", "nan"})
_KNOWN_LAYOUTS: Final = (
    f"UCI's {_UCI_MEMBER} (or the adult.zip around it), the comma-separated file of 15 columns "
    "with a header (test rows first), or the ';'-separated file of 9 columns with a header"
)


def adult_path(path: str | Path | None = None) -> Path:
    """Return the path of the normalised, verified Adult file.

    Looked for in this order: `path`; the file that the environment variable ``SFUMATO_ADULT``
    names; the cache folder; the UCI archive, from which it is downloaded once. A file that is
    named may have any of the layouts in which Adult travels, and it must be good: a wrong one is
    an error, never a reason to look further.

    >>> adult_path("adult.data")  # doctest: +SKIP
    PosixPath('/home/ada/.cache/sfumato/adult.csv')
    """
    if path is not None:
        return _normalised(Path(path).expanduser(), "the argument `path`")
    named = os.environ.get("SFUMATO_ADULT")
    if named:
        return _normalised(Path(named).expanduser(), "the environment variable SFUMATO_ADULT")
    cached = cached_adult()
    if cached is not None:
        return cached
    return _store(_verified(_download(), _UCI_URL))


def cached_adult() -> Path | None:
    """Return the path of the cached file if it is there and undamaged, else None."""
    cached = _cache_file()
    try:
        content = cached.read_bytes()
    except OSError:
        return None
    return cached if _checksum(content) == SHA256 else None


def cache_folder() -> Path:
    r"""Return the folder where sfumato keeps what it has downloaded.

    ``SFUMATO_CACHE`` if it is set; else the platform's place for caches: ``%LOCALAPPDATA%\sfumato``
    on Windows, ``~/Library/Caches/sfumato`` on macOS, elsewhere ``sfumato`` in ``XDG_CACHE_HOME``
    or ``~/.cache`` (XDG Base Directory Specification, which has relative paths ignored).
    """
    chosen = os.environ.get("SFUMATO_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    platform: str = sys.platform  # as a plain string, so that mypy checks every branch
    if platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        base = Path(local) if local else Path.home() / "AppData" / "Local"
    elif platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():
            base = Path.home() / ".cache"
    return base / "sfumato"


def hierarchy_path(column: str) -> Path:
    """Return the path of the hierarchy shipped for a column of Adult.

    The files are ``;``-separated, without header, the value first and ``*`` last. Their lengths are
    those of the PBG paper's Table 1(a); their groups follow the publications of the U.S. Census
    Bureau (age bands, educational attainment, regions of birth, occupation groups of 1990) and,
    for marital status, the tree of the MOEA chapter.

    >>> print(hierarchy_path("sex").read_text(encoding="utf-8"), end="")
    Female;*
    Male;*
    """
    if column not in COLUMNS:
        raise SettingsError(
            f"Adult has no column {column!r}",
            code="unknown-column",
            found=repr(column),
            expected=COLUMNS,
            suggestion=closest(column, COLUMNS),
        )
    folder = files("sfumato.datasets").joinpath("hierarchies", "adult")
    return Path(str(folder.joinpath(f"{column}.csv")))


def _normalised(path: Path, origin: str) -> Path:
    """Return `path` if it is the normalised file already, else that of its normalised copy."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SourceError.unreadable(
            path, error, expected=_KNOWN_LAYOUTS, remedy=f"{origin} names the file"
        ) from error
    if _checksum(content) == SHA256:
        return path.absolute()
    return _store(_verified(content, str(path)))


def _verified(content: bytes, source: str) -> bytes:
    """Return the normalised form of a file's content after comparing its checksum."""
    if content.startswith(b"PK"):
        content = _unzip(content, source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{source} is not UTF-8 text ({error.reason} at byte {error.start})",
            code="wrong-encoding",
            file=source,
            expected=_KNOWN_LAYOUTS,
        ) from error
    rows = _normalise(text, source=source)
    normalised = _serialise(rows)
    found = _checksum(normalised)
    if found != SHA256:
        raise SourceError(
            f"the complete rows of {source} are not those of the original Adult file: "
            f"{len(rows):,} rows with SHA-256 {found}",
            code="other-file",
            file=source,
            found=found,
            expected=f"{ROWS:,} rows with SHA-256 {SHA256}",
            remedy=f"use an unmodified copy: {_KNOWN_LAYOUTS}",
        )
    return normalised


def _normalise(text: str, *, source: str = "the Adult file") -> list[tuple[str, ...]]:
    """Return the complete training rows in the order of `COLUMNS`, whatever the layout."""
    lines = [line for line in text.splitlines() if line.strip()]
    delimiter = ";" if lines and ";" in lines[0] else ","
    try:
        records = [
            [cell.strip() for cell in record]
            for record in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
        ]
    except csv.Error as error:
        raise SourceError(
            f"{source} is not a table of separated values ({error})",
            code="unknown-format",
            file=source,
            expected=_KNOWN_LAYOUTS,
        ) from error
    names = tuple(records[0]) if records else ()
    if "age" in names:
        names = tuple("salary-class" if name == "class" else name for name in names)
        records = records[1:]
    elif len(names) == len(_UCI_COLUMNS) and names[0].isdigit():
        names = _UCI_COLUMNS
    absent = [column for column in COLUMNS if column not in names]
    if absent:
        raise SourceError(
            f"{source} does not have the layout of an Adult file: it lacks the columns "
            f"{listed(absent)}",
            code="unknown-format",
            file=source,
            found=listed(absent),
            expected=_KNOWN_LAYOUTS,
        )
    for number, record in enumerate(records, start=1):
        if len(record) != len(names):
            raise SourceError(
                f"every row of {source} must have {len(names)} cells, and row {number:,} has "
                f"{len(record)}",
                code="ragged-rows",
                file=source,
                found=str(len(record)),
                remedy=f"use an unmodified copy: {_KNOWN_LAYOUTS}",
            )
    if len(records) == _TEST_ROWS + _TRAINING_ROWS:
        records = records[_TEST_ROWS:]
    positions = [names.index(column) for column in COLUMNS]
    rows = [tuple(record[position] for position in positions) for record in records]
    return [row for row in rows if not any(cell.lower() in _MISSING for cell in row)]


def _serialise(rows: Iterable[tuple[str, ...]]) -> bytes:
    return "".join(";".join(row) + "\n" for row in (COLUMNS, *rows)).encode()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _cache_file() -> Path:
    return cache_folder() / "adult.csv"


def _store(normalised: bytes) -> Path:
    """Write the cached file at once or not at all, so that no reader sees half of it."""
    cached = cached_adult()
    if cached is not None:
        return cached
    target = _cache_file()
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix="adult-", delete=False) as file:
            temporary = Path(file.name)
            file.write(normalised)
        temporary.replace(target)
    except OSError as error:
        cached = cached_adult()
        if cached is not None:  # another process was faster, and Windows refuses to replace a file
            return cached  # that is being read
        raise SourceError.unwritable(
            target.parent, error, remedy="set SFUMATO_CACHE to a folder that can be written"
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)  # gone already if all went well
    return target


def _download() -> bytes:
    """Return the archive of the UCI repository."""
    import http.client  # here, because only the first use on a machine pays for them
    import urllib.request

    print(f"sfumato: downloading the Adult data set from {_UCI_URL}", file=sys.stderr)
    try:
        with urllib.request.urlopen(_UCI_URL, timeout=_TIMEOUT_SECONDS) as response:
            content: bytes = response.read()
    except (OSError, http.client.HTTPException) as error:
        raise SourceError(
            f"the Adult data set could not be downloaded from {_UCI_URL} ({error})",
            code="no-download",
            file=_UCI_URL,
            remedy="without the network, pass the `path` of the file, set the environment "
            f"variable SFUMATO_ADULT to it, or copy a normalised file to {_cache_file()}; "
            f"what works as a file: {_KNOWN_LAYOUTS}",
        ) from error
    if not content.startswith(b"PK"):
        raise SourceError(
            f"{_UCI_URL} did not answer with a zip archive (perhaps with the page of a proxy)",
            code="no-download",
            file=_UCI_URL,
            remedy="download it by other means, then pass its `path` or set SFUMATO_ADULT to it",
        )
    return content


def _unzip(content: bytes, source: str) -> bytes:
    """Return the member ``adult.data`` of the archive of the UCI repository."""
    import io
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read(_UCI_MEMBER)
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise SourceError(
            f"the archive {source} must hold a readable {_UCI_MEMBER!r} ({error})",
            code="broken-archive",
            file=source,
            remedy=f"fetch it again from {_UCI_URL}",
        ) from error
