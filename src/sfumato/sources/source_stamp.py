"""Whether a file is still the one that was looked at: by its SHA-256, or without reading it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.sources.parts import parts_of
from sfumato.sources.source import path_of

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.sources.source import Source


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits; the file is read in small parts."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def table_sha256(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder of parts, that of the list of theirs.

    The list has a line for every part, by name, as ``sha256sum *`` prints it, so that anybody can
    compute it: ``(cd FOLDER && sha256sum *) | sha256sum``.
    """
    if not path.is_dir():
        return file_sha256(path)
    lines = [f"{file_sha256(part)}  {part.name}\n" for part in parts_of(path)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class SourceStamp:
    """The identity, size and time of a file, or of a folder of parts."""

    device: int
    inode: int
    size: int
    changed: int

    @classmethod
    def of(cls, source: Source) -> SourceStamp | None:
        """Return the stamp of a source's file; None for a source or a file that is not there."""
        path = path_of(source)
        if path is None:
            return None
        try:
            status = path.stat()
            parts = [part.stat() for part in parts_of(path)] if path.is_dir() else [status]
        except (OSError, SourceError):
            return None
        return cls(
            device=status.st_dev,
            inode=status.st_ino,
            size=sum(part.st_size for part in parts),
            changed=max(part.st_mtime_ns for part in (status, *parts)),
        )


def check_unchanged(source: Source, stamp: SourceStamp | None) -> None:
    """Refuse a file that is no longer the one that was counted."""
    if SourceStamp.of(source) != stamp:
        raise SourceError(
            f"{source} has changed since it was counted, so the metrics are not about it",
            code="source-changed",
            file=source,
            remedy="make the study anew, and search again",
        )
