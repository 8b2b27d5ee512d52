"""A folder for what is not finished: only its owner may look into it, and it knows who made it.

It is removed whatever happens, but for a process that is killed: the mark in the folder then tells
a later one that nobody needs it any more (`leftovers`).
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.nesting import parsed_json
from sfumato.documents.running_process import RunningProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = ".sfumato-"
MARK = "made-by.json"
KIND = "sfumato private folder"


def make_private_folder(parent: Path | None = None) -> Path:
    """Make a folder in ``parent``, or in that for temporary files, marked as made by this process.

    What fails is an OSError.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        mark = {"kind": KIND, "process": asdict(RunningProcess.this())}
        handle = os.open(folder / MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(mark, file)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


@contextmanager
def private_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder as `make_private_folder` does, and remove it whatever happens."""
    folder = make_private_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def maker(folder: Path) -> RunningProcess | None:
    """Return the process that made a private folder, None if the folder is not one of ours."""
    try:
        content = parsed_json((folder / MARK).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        return None
    return RunningProcess.of(content.get("process"))
