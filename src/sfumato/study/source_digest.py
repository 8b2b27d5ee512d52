"""The fingerprint of a source: whether a file is still the one that was counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.data.file_digest import table_sha256
from sfumato.data.parts import parts_of
from sfumato.errors import SourceError


@dataclass(frozen=True, kw_only=True)
class SourceDigest:
    """The SHA-256 of a file and its size."""

    sha256: str
    bytes: int


def source_digest(path: str | Path) -> SourceDigest:
    """Return the digest of a file."""
    try:
        file = Path(path)
        size = sum(part.stat().st_size for part in parts_of(file))
        return SourceDigest(sha256=table_sha256(file), bytes=size)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
