"""Whether a file is still the one that was looked at, told without reading it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.data.source import MemoryTable
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from sfumato.data.source import Source


@dataclass(frozen=True, kw_only=True)
class SourceStamp:
    """The identity, size and time of a file."""

    device: int
    inode: int
    size: int
    changed: int

    @classmethod
    def of(cls, source: Source) -> SourceStamp | None:
        """Return the stamp of a source's file; None for a table in memory or a file not there."""
        if isinstance(source, MemoryTable):
            return None
        try:
            status = source.path.stat()
        except OSError:
            return None
        return cls(
            device=status.st_dev,
            inode=status.st_ino,
            size=status.st_size,
            changed=status.st_mtime_ns,
        )


def check_unchanged(source: Source, stamp: SourceStamp | None) -> None:
    """Refuse a file that is no longer the one that was counted."""
    if SourceStamp.of(source) != stamp:
        raise SourceError(
            f"{source} has changed since it was counted, so the figures are not about it; make "
            "the study anew, and search again"
        )
