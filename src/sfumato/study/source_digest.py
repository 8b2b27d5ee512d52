"""The fingerprint of a source: whether a file is still the one that was counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.data.file_digest import file_sha256
from sfumato.errors import SourceError


@dataclass(frozen=True, kw_only=True)
class SourceDigest:
    """The SHA-256 of a file and its size."""

    sha256: str
    bytes: int


def source_digest(path: str | Path) -> SourceDigest:
    """Return the digest of a file."""
    try:
        return SourceDigest(sha256=file_sha256(Path(path)), bytes=Path(path).stat().st_size)
    except FileNotFoundError:
        raise SourceError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise SourceError(f"{path} is a folder; give the file in it that holds the rows") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
