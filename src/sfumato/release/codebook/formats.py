"""The forms in which a codebook is written, by the ending of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ReleaseError
from sfumato.release.codebook.page import codebook_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.release.codebook.codebook import Codebook


def _json(book: Codebook) -> str:
    return book.text(indent=2) + "\n"


FORMATS: dict[str, Callable[[Codebook], str]] = {".json": _json, ".html": codebook_page}
"""What is written, by the ending of the name."""


def codebook_writer(path: Path) -> Callable[[Codebook], str]:
    """Return what makes the text of a codebook with this name, or refuse the ending."""
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise ReleaseError(
            f"the ending of {path} does not tell what codebook to write",
            code="unknown-format",
            file=path,
            expected=tuple(FORMATS),
        ) from None
