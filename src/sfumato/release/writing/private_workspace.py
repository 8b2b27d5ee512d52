"""A private place beside the destination, and the move out of it once everything was checked."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import ReleaseError
from sfumato.release.writing.destinations import already_there, no_folder
from sfumato.sources.parts import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@contextmanager
def private_workspace(destination: Path) -> Iterator[Path]:
    """Make a folder that only its owner can look into, and remove it whatever happens.

    It lies beside the destination, so that a finished file is moved, not copied.
    """
    parent = destination.parent
    if not parent.is_dir():
        raise no_folder(parent)
    try:
        folder = Path(tempfile.mkdtemp(prefix=".sfumato-", dir=parent))
    except OSError as error:
        raise ReleaseError(
            f"nothing can be written into {parent}: {error.strerror}",
            code="unwritable-file",
            file=parent,
            remedy="choose another destination",
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place_together(files: Mapping[Path, Path], *, force: bool) -> None:
    """Move finished files to their destinations: all of them, or none.

    Without ``force`` a destination that appeared in the meantime is not overwritten; with it,
    what was there comes back if anything fails.
    """
    with ExitStack() as undo:
        try:
            for finished, destination in files.items():
                if destination.is_dir() and not finished.is_dir():
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                ready = _on_same_disk(finished, destination, undo)
                if force and (destination.exists() or destination.is_symlink()):
                    earlier = destination.with_name(f".{destination.name}.{os.getpid()}.earlier")
                    destination.replace(earlier)
                    undo.callback(earlier.replace, destination)
                _move_to_free_name(ready, destination)
                undo.callback(_remove, destination)
        except OSError as error:
            raise ReleaseError.unwritable(
                destination, error, remedy="nothing was left there"
            ) from None
        undo.pop_all()
    for destination in files.values():
        _remove(destination.with_name(f".{destination.name}.{os.getpid()}.earlier"))


def _remove(path: Path) -> None:
    """Remove a file or a folder of parts, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _on_same_disk(finished: Path, destination: Path, undo: ExitStack) -> Path:
    """Return a finished file beside its destination, so that the last step is one move."""
    for part in parts_of(finished):
        with part.open("rb") as stream:
            os.fsync(stream.fileno())
    if finished.stat().st_dev == destination.parent.stat().st_dev:
        return finished
    copy = destination.with_name(f".{destination.name}.{os.getpid()}.unfinished")
    undo.callback(_remove, copy)
    if finished.is_dir():
        shutil.copytree(finished, copy)
        return copy
    copy.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(finished, copy)
    copy.chmod(finished.stat().st_mode)
    return copy


def _move_to_free_name(ready: Path, destination: Path) -> None:
    """Move a file to a name that nobody has; a link fails where a move would overwrite.

    Folders have no links. A move over a folder with parts in it fails, and over a file too.
    """
    try:
        if ready.is_dir():
            if destination.exists():
                raise FileExistsError
            ready.rename(destination)
            return
        destination.hardlink_to(ready)
        ready.unlink()
    except FileExistsError:
        raise already_there(destination) from None
    except OSError:
        # A file system without hard links.
        if destination.exists():
            raise
        ready.replace(destination)


def ordinary_permissions(path: Path) -> None:
    """Give a file, or a folder and its parts, the permissions that a newly made one has."""
    if path.is_dir():
        for part in path.iterdir():
            ordinary_permissions(part)
        example = path.with_name(f"{path.name}.permissions")
        example.mkdir()
        path.chmod(example.stat().st_mode)
        example.rmdir()
        return
    # Asked by making one: the mask of a process can only be read by setting it.
    example = path.with_name(f"{path.name}.permissions")
    example.touch(exist_ok=False)
    path.chmod(example.stat().st_mode)
    example.unlink()
