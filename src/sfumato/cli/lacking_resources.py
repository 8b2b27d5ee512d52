"""Errors of a machine that has too little memory or disk, as errors that a user can act on."""

from __future__ import annotations

import errno
import tempfile

from sfumato.errors import SettingsError, SfumatoError

_OF_MEMORY = (
    "allocate memory",
    "failed to map segment",
    "start new thread",
    "bad_alloc",
    "unable to allocate",
)
"""How the loader of libraries, Python's threads, C++ and NumPy say it."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def lacking_resource(error: Exception) -> SfumatoError | None:
    """Return what the machine lacks, None for errors of another kind."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM or _speaks_of_memory(error):
        return SettingsError(
            "there is too little memory for this study on this machine",
            code="out-of-memory",
            remedy="end other programs, use a machine with more memory, or make the study smaller: "
            "fewer quasi-identifiers, a coarser unit or a minimum level",
        )
    if number in _FULL:
        assert isinstance(error, OSError)
        place = error.filename or tempfile.gettempdir()
        return SettingsError.unwritable(
            place, error, remedy="free some disk, or name another folder in TMPDIR"
        )
    return None


def _speaks_of_memory(error: Exception) -> bool:
    """Say whether a library or a thread could not be loaded for want of memory."""
    said = str(error).lower()
    return isinstance(error, OSError | ImportError | RuntimeError | SystemError) and any(
        words in said for words in _OF_MEMORY
    )
