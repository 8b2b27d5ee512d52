"""Ed25519 keys: the publisher keeps one half, and everybody may have the other."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sfumato.errors import SettingsError
from sfumato.sources.parts import no_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_OTHERS = 0o077


@dataclass(frozen=True)
class PublicKey:
    """The half of a key that checks signatures; ``raw`` has its 32 bytes."""

    raw: bytes

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the key, to compare on the phone."""
        return hashlib.sha256(self.raw).hexdigest()

    def fits(self, signature: bytes, content: bytes) -> bool:
        """Say whether the other half of this key signed exactly this content."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, content)
        except (InvalidSignature, ValueError):
            return False
        return True

    def text(self) -> str:
        """Return the key as a PEM file has it."""
        pem = Ed25519PublicKey.from_public_bytes(self.raw).public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return pem.decode("ascii")

    @classmethod
    def read(cls, path: Path) -> PublicKey:
        """Read a key from a PEM file."""
        try:
            found = serialization.load_pem_public_key(_bytes(path))
        except (ValueError, UnsupportedAlgorithm):
            found = None
        if not isinstance(found, Ed25519PublicKey):
            raise _not_a_key(path, "a public Ed25519 key as 'sfumato key' writes it (PEM)")
        return cls(found.public_bytes_raw())


@dataclass(frozen=True)
class SigningKey:
    """The half of a key that signs; nobody but the publisher may have it."""

    private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def made(cls) -> SigningKey:
        """Make a new key."""
        return cls(Ed25519PrivateKey.generate())

    @property
    def public(self) -> PublicKey:
        """The other half."""
        return PublicKey(self.private.public_key().public_bytes_raw())

    def sign(self, content: bytes) -> bytes:
        """Return the signature of a content, 64 bytes."""
        return self.private.sign(content)

    def write(self, path: Path, *, passphrase: str | None = None) -> Path:
        """Write both halves, the private one for its owner alone; return the place of the public.

        Nothing that is there is overwritten: what was signed with a lost key cannot be signed anew.
        """
        public = path.with_name(f"{path.name}.pub")
        for place in (path, public):
            if place.exists() or place.is_symlink():
                raise SettingsError(
                    f"{place} is there already, and a key is never overwritten",
                    code="already-exists",
                    file=place,
                    remedy="choose another name",
                )
        protection: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            protection = serialization.BestAvailableEncryption(passphrase.encode())
        pem = self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection
        )
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(pem)
            public.write_text(self.public.text(), encoding="ascii")
        except OSError as error:
            raise SettingsError.unwritable(path, error, remedy="choose another place") from None
        return public

    @classmethod
    def read(
        cls, path: Path, *, passphrase: str | Callable[[], str | None] | None = None
    ) -> SigningKey:
        """Read a key from a PEM file; ``passphrase`` is asked for only if the file needs one."""
        content = _bytes(path)
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            raise SettingsError(
                f"{path} can be read by others than its owner",
                code="open-key",
                file=path,
                remedy=f"chmod 600 {path}; if somebody may have read it, make another key",
            )
        try:
            try:
                found: object = serialization.load_pem_private_key(content, password=None)
            except TypeError:
                given = passphrase() if callable(passphrase) else passphrase
                if not given:
                    raise SettingsError(
                        f"{path} is protected by a passphrase, and none was given",
                        code="no-passphrase",
                        file=path,
                        remedy="set SFUMATO_KEY_PASSPHRASE, or run the command in a terminal",
                    ) from None
                found = _opened(path, content, given)
        except SettingsError:
            raise
        except (ValueError, UnsupportedAlgorithm):
            raise _not_a_key(path, "a private Ed25519 key as 'sfumato key' writes it") from None
        if not isinstance(found, Ed25519PrivateKey):
            raise _not_a_key(path, "a private Ed25519 key as 'sfumato key' writes it")
        return cls(found)


def _opened(path: Path, content: bytes, passphrase: str) -> object:
    try:
        return serialization.load_pem_private_key(content, password=passphrase.encode())
    except ValueError:
        raise SettingsError(
            f"the passphrase does not open {path}", code="wrong-passphrase", file=path
        ) from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as error:
        raise SettingsError.unreadable(path, error) from None


def _not_a_key(path: Path, expected: str) -> SettingsError:
    return SettingsError(f"{path} is not a key", code="not-a-key", file=path, expected=expected)
