"""The SHA-256 of a file, to tell whether it is still the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sfumato.sources.parts import parts_of

if TYPE_CHECKING:
    from pathlib import Path


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
