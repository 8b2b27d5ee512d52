"""The JSON Schemas of the certificates and of the codebook, made from their models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.record import schema_text
from sfumato.release.certificates.private import PrivateCertificateRecord
from sfumato.release.certificates.public import PublicCertificate
from sfumato.release.codebook.codebook import Codebook

if TYPE_CHECKING:
    from sfumato.documents.record import Record

PUBLISHED = {
    "sfumato public certificate": Path(__file__).with_name("public.schema.json"),
    "sfumato private certificate": Path(__file__).with_name("private.schema.json"),
    "sfumato codebook": Path(__file__).with_name("codebook.schema.json"),
}
"""The schemas as they are shipped, by their titles."""

_MODELS: dict[str, type[Record]] = {
    "sfumato public certificate": PublicCertificate,
    "sfumato private certificate": PrivateCertificateRecord,
    "sfumato codebook": Codebook,
}


def certificate_schemas() -> dict[str, str]:
    """Return what the files that are shipped must hold, by their titles."""
    return {title: schema_text(model, title=title) for title, model in _MODELS.items()}


if __name__ == "__main__":
    for name, text in certificate_schemas().items():
        PUBLISHED[name].write_text(text, encoding="utf-8")
