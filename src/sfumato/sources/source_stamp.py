"""Whether a file is still the one that was looked at, told without reading it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.sources.parts import parts_of
from sfumato.sources.source import path_of

if TYPE_CHECKING:
    from sfumato.sources.source import Source


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
