"""Writing a file that appears whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sfumato.documents.private_folder import private_folder

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text that only its owner may read, and replace what was there when it is complete.

    What fails is an OSError; nothing is left behind then.
    """
    with private_folder(path.parent) as folder:
        unfinished = folder / "unfinished"
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
