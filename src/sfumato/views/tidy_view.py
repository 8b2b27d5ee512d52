"""What killed commands left behind, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.documents.running_process import Life

if TYPE_CHECKING:
    from sfumato.documents.leftovers import Leftover

_TEXTS = {
    Life.RUNNING: "in use by a process that is running",
    Life.ENDED: "left behind by a process that has ended",
    Life.UNKNOWN: "made on another machine or in another container, or just now",
}


@dataclass(frozen=True, kw_only=True)
class TidyFolder:
    """A private folder: whether it can be removed, and whether it was.

    ``places`` are the files that were on their way to their places.
    """

    folder: str
    process: Life
    places: tuple[str, ...]
    removable: bool
    removed: bool

    @property
    def text(self) -> str:
        """What is said of it."""
        if self.removed:
            return "removed"
        moving = f", while it put {', '.join(self.places)} in place" if self.places else ""
        return _TEXTS[self.process] + moving


@dataclass(frozen=True, kw_only=True)
class TidyView:
    """All private folders that were found."""

    folders: tuple[TidyFolder, ...]


def tidied(leftover: Leftover, *, removable: bool, removed: bool) -> TidyFolder:
    """Return what is shown of a private folder."""
    return TidyFolder(
        folder=str(leftover.folder),
        process=leftover.life,
        places=tuple(map(str, leftover.places)),
        removable=removable,
        removed=removed,
    )
