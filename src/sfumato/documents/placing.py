"""Moving finished files and folders to their places: all of them or none, even if it is killed.

What is going to be moved is noted in the private folder first. A process that is killed in between
leaves the note, and `settle` finishes the moves or undoes them.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.nesting import parsed_json
from sfumato.documents.own_seal import is_sealed, seal
from sfumato.errors import ReleaseError
from sfumato.errors.hint import Hint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTE = "places.json"
_PURPOSE = "places"


@dataclass(frozen=True, kw_only=True)
class Move:
    """A file or folder on its way to its place.

    ``ready`` is on the same disk as its ``destination``; ``earlier`` is where that which was at
    the destination waits. ``device`` and ``inode`` tell whether it has arrived, 0 until it is
    ready.
    """

    finished: str
    ready: str
    destination: str
    earlier: str
    device: int = 0
    inode: int = 0

    @property
    def arrived(self) -> bool:
        """Whether what is at the destination is what was moved there."""
        return self.inode != 0 and _identity(Path(self.destination)) == (self.device, self.inode)


def place_together(files: Mapping[Path, Path], workspace: Path, *, force: bool) -> None:
    """Move finished files to their destinations: all of them, or none.

    Without ``force`` a destination that appeared in the meantime is not overwritten; with it,
    what was there comes back if anything fails. ``workspace`` is a private folder.
    """
    moves: list[Move] = []
    place = workspace
    try:
        for finished, place in files.items():
            moves.append(_planned(finished, place, workspace))
        _note(workspace, moves)
        for number, place in enumerate(files.values()):  # noqa: B007 (an error names it)
            moves[number] = _ready(moves[number])
        _note(workspace, moves)
        for move, place in zip(moves, files.values(), strict=True):
            _move(move, place, force=force)
    except OSError as error:
        _undo(moves)
        raise ReleaseError.unwritable(place, error, remedy="nothing was left there") from None
    except BaseException:
        _undo(moves)
        raise
    _finish(moves)
    (workspace / NOTE).unlink(missing_ok=True)


def noted_moves(workspace: Path) -> tuple[Move, ...]:
    """Return the moves that a private folder notes; none if nobody of this user noted them."""
    try:
        content = parsed_json((workspace / NOTE).read_bytes())
        if not isinstance(content, dict):
            return ()
        text, sealed = content["moves"], content["seal"]
        if not is_sealed(_PURPOSE, str(workspace.resolve()), text, by=sealed):
            return ()
        return tuple(Move(**move) for move in json.loads(text))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def settle(workspace: Path) -> None:
    """Finish the moves of a process that was killed if all had arrived, and undo them if not."""
    moves = noted_moves(workspace)
    if moves and all(move.arrived for move in moves):
        _finish(moves)
    else:
        _undo(moves)


def _planned(finished: Path, destination: Path, workspace: Path) -> Move:
    if destination.is_dir() and not finished.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    place = destination.absolute()
    token = workspace.name.lstrip(".")
    own_disk = finished.stat().st_dev == place.parent.stat().st_dev
    ready = finished if own_disk else place.with_name(f".{place.name}.{token}.unfinished")
    return Move(
        finished=str(finished.absolute()),
        ready=str(ready.absolute()),
        destination=str(place),
        earlier=str(place.with_name(f".{place.name}.{token}.earlier")),
    )


def _note(workspace: Path, moves: Sequence[Move]) -> None:
    text = json.dumps([asdict(move) for move in moves])
    sealed = seal(_PURPOSE, str(workspace.resolve()), text)
    unfinished = workspace / f"{NOTE}.unfinished"
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump({"moves": text, "seal": sealed}, file)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(workspace / NOTE)


def _ready(move: Move) -> Move:
    """Bring a finished file to the disk of its destination, so that the last step is one move."""
    finished, ready = Path(move.finished), Path(move.ready)
    for file in (finished,) if finished.is_file() else finished.rglob("*"):
        if file.is_file():
            with file.open("rb") as stream:
                os.fsync(stream.fileno())
    if ready != finished:
        if finished.is_dir():
            shutil.copytree(finished, ready)
        else:
            ready.touch(mode=0o600, exist_ok=False)
            shutil.copyfile(finished, ready)
            ready.chmod(finished.stat().st_mode)
    device, inode = _identity(ready)
    return replace(move, device=device, inode=inode)


def _move(move: Move, place: Path, *, force: bool) -> None:
    """Move a file to a name that nobody has; a link fails where a move would overwrite.

    Folders have no links. A move over a folder with parts in it fails, and over a file too.
    """
    ready, destination = Path(move.ready), Path(move.destination)
    if force and (destination.exists() or destination.is_symlink()):
        destination.replace(move.earlier)
    if ready.is_dir():
        if destination.exists() or destination.is_symlink():
            raise already_there(place)
        ready.rename(destination)
        return
    try:
        destination.hardlink_to(ready)
        ready.unlink()
    except FileExistsError:
        raise already_there(place) from None
    except OSError:
        # A file system without hard links.
        if destination.exists():
            raise
        ready.replace(destination)


def _undo(moves: Sequence[Move]) -> None:
    """Take back what arrived, and bring back what was there before."""
    for move in reversed(moves):
        destination, earlier = Path(move.destination), Path(move.earlier)
        if move.arrived:
            _remove(destination)
        if move.ready != move.finished:
            _remove(Path(move.ready))
        if not (destination.exists() or destination.is_symlink()):
            with suppress(FileNotFoundError):
                earlier.rename(destination)


def _finish(moves: Sequence[Move]) -> None:
    for move in moves:
        _remove(Path(move.earlier))


def already_there(path: Path) -> ReleaseError:
    """Return the error for a destination that would have to be overwritten."""
    return ReleaseError(
        f"{path} is there already",
        code="already-exists",
        file=path,
        remedy=Hint(
            python="choose another name, or overwrite it with force=True",
            file="choose another name, or overwrite it with --force",
        ),
    )


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.lstat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
