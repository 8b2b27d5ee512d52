"""The fingerprint of a source: whether a file is still the one that was counted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.sources.parts import parts_of
from sfumato.sources.source import path_of, source_of
from sfumato.sources.source_stamp import table_sha256

if TYPE_CHECKING:
    from sfumato.study.study import Study


@dataclass(frozen=True, kw_only=True)
class SourceDigest:
    """The SHA-256 of a file and its size.

    A table of a catalog has no size, and its digest is that of its rows in any order.
    """

    sha256: str
    bytes: int


def source_digest(path: str | Path) -> SourceDigest:
    """Return the digest of a file."""
    try:
        file = Path(path)
        size = sum(part.stat().st_size for part in parts_of(file))
        return SourceDigest(sha256=table_sha256(file), bytes=size)
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error.strerror or error}", code="unreadable-file", file=path
        ) from None


def digest_of_rows(study: Study) -> SourceDigest:
    """Return the digest of the source of a study, by its file or, without one, by its rows."""
    source = source_of(study.source)
    path = path_of(source)
    if path is not None:
        return source_digest(path)
    content = study.engine.content(source)
    text = f"{content.rows} rows {content.digest}"
    return SourceDigest(sha256=hashlib.sha256(text.encode()).hexdigest(), bytes=0)
