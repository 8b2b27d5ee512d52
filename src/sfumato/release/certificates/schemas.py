"""The JSON Schemas of both certificates, made from their models and shipped beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.record import schema_text
from sfumato.release.certificates.private import PrivateCertificateRecord
from sfumato.release.certificates.public import PublicCertificate

if TYPE_CHECKING:
    from sfumato.documents.record import Record

PUBLISHED = {
    "sfumato public certificate": Path(__file__).with_name("public.schema.json"),
    "sfumato private certificate": Path(__file__).with_name("private.schema.json"),
}
"""The schemas as they are shipped, by their titles."""

_MODELS: dict[str, type[Record]] = {
    "sfumato public certificate": PublicCertificate,
    "sfumato private certificate": PrivateCertificateRecord,
}


def certificate_schemas() -> dict[str, str]:
    """Return what the files that are shipped must hold, by their titles."""
    return {title: schema_text(model, title=title) for title, model in _MODELS.items()}


if __name__ == "__main__":
    for name, text in certificate_schemas().items():
        PUBLISHED[name].write_text(text, encoding="utf-8")
