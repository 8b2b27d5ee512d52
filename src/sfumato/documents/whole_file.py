"""Writing a file that appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text that only its owner may read, and replace what was there when it is complete.

    What fails is an OSError; nothing is left behind then.
    """
    # The temporary file is made with mode 0600, which the move keeps.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
