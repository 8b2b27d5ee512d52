"""What a process that was killed left behind: found by its mark, removed only if it is asked for.

Folders of other users are not even looked into, and those of a process that still runs stay.
"""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.placing import noted_moves, settle
from sfumato.documents.private_folder import MARK, PREFIX, maker
from sfumato.documents.running_process import Life
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SECONDS_TO_MARK = 60
"""A folder gets its mark at once: one that has none for so long lost its maker in between."""


@dataclass(frozen=True, kw_only=True)
class Leftover:
    """A private folder, with the life of its maker and the places that its files were going to."""

    folder: Path
    life: Life
    places: tuple[Path, ...] = ()

    def remove(self) -> None:
        """Put its places in order and remove it; refuse what somebody may still need."""
        if self.life is Life.RUNNING:
            raise SettingsError(
                f"{self.folder} belongs to a process that is running",
                code="still-running",
                file=self.folder,
                remedy="let it end, or stop it",
            )
        try:
            settle(self.folder)
            shutil.rmtree(self.folder)
        except OSError as error:
            raise SettingsError.unwritable(self.folder, error) from None


def leftovers(folders: Iterable[Path]) -> tuple[Leftover, ...]:
    """Return the private folders of this user in some folders, those of running processes too."""
    found: dict[Path, Leftover] = {}
    for folder in folders:
        try:
            entries = sorted(folder.glob(f"{PREFIX}*"))
        except OSError:
            continue
        for entry in entries:
            leftover = leftover_at(entry)
            if leftover is not None:
                found.setdefault(entry.resolve(), leftover)
    return tuple(found.values())


def leftover_at(folder: Path) -> Leftover | None:
    """Return what a folder is a leftover of, None if it is not a private folder of this user."""
    try:
        status = folder.lstat()
        if not folder.name.startswith(PREFIX) or folder.is_symlink() or not folder.is_dir():
            return None
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            return None
        process = maker(folder)
        if process is None:
            # Killed before it was marked, or nothing of ours.
            if any(entry.name != MARK for entry in folder.iterdir()):
                return None
            old = time.time() - status.st_mtime > _SECONDS_TO_MARK
            return Leftover(folder=folder, life=Life.ENDED if old else Life.UNKNOWN)
    except OSError:
        return None
    places = tuple(Path(move.destination) for move in noted_moves(folder))
    return Leftover(folder=folder, life=process.life, places=places)


def ended(folders: Iterable[Path]) -> tuple[Leftover, ...]:
    """Return what processes left in some folders that have ended without removing it."""
    return tuple(each for each in leftovers(folders) if each.life is Life.ENDED)


def check_settled(places: Iterable[Path]) -> None:
    """Refuse places to which a killed process was moving files: they may not belong together."""
    wanted = {place.absolute() for place in places}
    for leftover in ended({place.parent for place in wanted}):
        torn = sorted(wanted & set(leftover.places))
        if torn:
            raise SettingsError(
                f"a process was killed while it put {torn[0]} in its place",
                code="left-behind",
                file=torn[0],
                found=str(leftover.folder),
                remedy=f"put it in order first: 'sfumato tidy {leftover.folder.parent} --remove'",
            )
