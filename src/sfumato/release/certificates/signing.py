"""Signing a certificate that is written already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.documents.whole_file import write_whole
from sfumato.errors import ReleaseError
from sfumato.errors.hint import Hint
from sfumato.release.certificates.documents import read_public_certificate
from sfumato.release.destinations import signature_of
from sfumato.release.signatures.signature import signature_text

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.signatures.keys import SigningKey


def sign_certificate(certificate: Path, key: SigningKey, *, force: bool = False) -> Path:
    """Sign a public certificate as it is; return where the signature is."""
    read_public_certificate(certificate)
    place = signature_of(certificate)
    if place.exists() and not force:
        raise ReleaseError(
            f"{place} is there already",
            code="already-exists",
            file=place,
            remedy=Hint(python="overwrite it with force=True", file="overwrite it with --force"),
        )
    try:
        write_whole(place, signature_text(certificate.read_bytes(), key))
        place.chmod(0o644)
    except OSError as error:
        raise ReleaseError.unwritable(place, error) from None
    return place
