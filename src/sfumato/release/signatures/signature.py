"""The signature of a certificate: a file beside it, over its bytes exactly as they are.

The certificate has the SHA-256 of the released file, so that one signature covers both. Exact bytes
need no canonical form: whoever copies files copies them as they are.
"""

from __future__ import annotations

import base64
import enum
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, ValidationError

from sfumato.documents.nesting import parsed_json
from sfumato.documents.record import Record
from sfumato.errors import SourceError
from sfumato.release.signatures.keys import PublicKey

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.signatures.keys import SigningKey

_KIND: Literal["sfumato signature 1"] = "sfumato signature 1"


class Signature(Record):
    """Who signed a certificate, and the signature itself, in base64."""

    kind: Literal["sfumato signature 1"] = Field(description="The kind and its version.")
    algorithm: Literal["Ed25519"] = Field(description="The algorithm.")
    key: str = Field(pattern="^[A-Za-z0-9+/]{43}=$", description="The public key.")
    signature: str = Field(
        pattern="^[A-Za-z0-9+/]{86}==$", description="The signature of the certificate's bytes."
    )

    @classmethod
    def of(cls, content: bytes, key: SigningKey) -> Self:
        """Sign a content."""
        return cls(
            kind=_KIND,
            algorithm="Ed25519",
            key=base64.b64encode(key.public.raw).decode(),
            signature=base64.b64encode(key.sign(content)).decode(),
        )

    @property
    def by(self) -> PublicKey:
        """The key that is said to have signed."""
        return PublicKey(base64.b64decode(self.key))

    def fits(self, content: bytes) -> bool:
        """Say whether that key signed exactly this content."""
        return self.by.fits(base64.b64decode(self.signature), content)


class SignatureState(enum.StrEnum):
    """What is known of a signature."""

    NONE = "none"
    NOT_CHECKED = "not-checked"
    """It fits the certificate, and nobody said whose key it must be."""
    VALID = "valid"
    OTHER_KEY = "other-key"
    DOES_NOT_FIT = "does-not-fit"
    """The certificate was changed after it was signed."""


def signature_state(
    content: bytes, signature: Signature | None, key: PublicKey | None
) -> SignatureState:
    """Compare a signature with the bytes of a certificate and the key that it must be of."""
    if signature is None:
        return SignatureState.NONE
    if key is not None and signature.by != key:
        return SignatureState.OTHER_KEY
    if not signature.fits(content):
        return SignatureState.DOES_NOT_FIT
    return SignatureState.NOT_CHECKED if key is None else SignatureState.VALID


def read_signature(path: Path) -> Signature | None:
    """Read a signature, None if there is none."""
    try:
        return Signature.model_validate(parsed_json(path.read_bytes()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError.unreadable(path, error) from None
    except (ValidationError, ValueError):
        raise SourceError(
            f"{path} is not a signature",
            code="not-a-signature",
            file=path,
            expected=f"a document of the kind {_KIND!r}",
        ) from None


def signature_text(content: bytes, key: SigningKey) -> str:
    """Return the signature of a certificate as its file has it."""
    return Signature.of(content, key).text(indent=2) + "\n"
