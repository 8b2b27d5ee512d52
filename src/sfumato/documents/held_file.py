"""A file that one process at a time holds: whoever else wants it waits, and not for ever.

The system gives it back when a process ends, however it ends.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PAUSE = 0.05
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""What systems say of a file that another process holds."""


def hold(path: Path, *, seconds: float) -> int:
    """Take a file, made if it is not there; return its handle, for `give_back`.

    After so many seconds of waiting it is a TimeoutError. What else fails is an OSError: not every
    file system can do it.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + seconds
        while not _taken(handle):
            if time.monotonic() >= until:
                raise TimeoutError(errno.ETIMEDOUT, "another process holds it", str(path))
            time.sleep(_PAUSE)
    except BaseException:
        os.close(handle)
        raise
    return handle


def give_back(handle: int) -> None:
    """Let others take a file.

    A process that was forked meanwhile has the handle too: closing this one would not be enough.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_UN)
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    """Try to take an open file; say whether this process has it now."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True
