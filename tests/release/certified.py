"""Releases with their certificates, and ways to edit what a publisher gave away."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from tests.study.people import study_of_people

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEVELS = {"age": 1, "zip": 2, "sex": 0}
"""Levels of the small table of people at which some rows are suppressed."""


def released(folder: Path, name: str = "out.csv", *, rows: str = "drop") -> sf.Release:
    """Release the small table of people, some of whom are suppressed."""
    study = study_of_people(
        objectives=["k", "loss", "recursive-l(c=3)"], suppression=sf.limited(0.3)
    )
    return study.release(
        LEVELS,
        folder / name,
        suppressed_rows=rows,
        private_certificate=folder / "private.json",
        force=True,
    )


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    """Edit a JSON document where it is."""
    content = json.loads(path.read_text(encoding="utf-8"))
    edit(content)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def rows_of(path: Path) -> list[list[str]]:
    """Read a CSV file with its header."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream))


def write_rows(path: Path, rows: list[list[str]]) -> None:
    """Write a CSV file as releases are written."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
