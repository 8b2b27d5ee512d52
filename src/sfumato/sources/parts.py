"""The files of a table: one, or the parts of a folder as a cluster writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.suggestions import closest_file

if TYPE_CHECKING:
    from pathlib import Path


def parts_of(path: Path) -> tuple[Path, ...]:
    """Return the file that a path is, or the files of a folder of parts, by name.

    Names that begin with a dot or an underscore are notes of the cluster, not parts.
    """
    if path.is_dir():
        found = sorted(p for p in path.iterdir() if p.is_file() and p.name[0] not in "._")
        folder = path.resolve()
        for part in found:
            # Who may name a folder may not thereby name files elsewhere.
            if part.is_symlink() and part.resolve().parent != folder:
                raise SourceError(
                    f"{part} is a link that leads out of its folder",
                    code="part-elsewhere",
                    file=part,
                    remedy="name the folder that the parts themselves are in",
                )
        if not found:
            raise SourceError(
                f"{path} is a folder without files in it",
                code="empty-folder",
                file=path,
                expected="a folder with the parts of a table",
            )
        return tuple(found)
    if not path.exists():
        raise no_file(path)
    return (path,)


def no_file(path: Path) -> SourceError:
    """Return the error for a path where nothing is; it suggests a file beside it."""
    return SourceError(
        f"there is no file {path}", code="no-such-file", file=path, suggestion=closest_file(path)
    )
