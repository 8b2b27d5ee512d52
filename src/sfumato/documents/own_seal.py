"""Seals: what this user's own sfumato wrote is told apart from what somebody else prepared.

A seal is a keyed hash, and other keyed hashes use keys that are derived for them. The key lies in
the user's folder for the state of programs, where nobody else may look, so that a file from
elsewhere cannot carry a valid seal.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

VARIABLE = "SFUMATO_STATE"
"""The environment variable that names another folder for the key and the ledger."""
KEY = "key"
"""The name of the key in the folder."""
_BYTES = 32


def seal(purpose: str, *texts: str) -> str | None:
    """Return the seal of texts for a purpose, None where this user can keep no key."""
    key = _key()
    return None if key is None else _hash(key, purpose, texts)


def is_sealed(purpose: str, *texts: str, by: object) -> bool:
    """Say whether ``by`` is the seal that this user's own sfumato gave texts for a purpose."""
    key = _key()
    if key is None or not isinstance(by, str):
        return False
    return hmac.compare_digest(_hash(key, purpose, texts).encode(), by.encode())


def derived_key(purpose: str) -> bytes | None:
    """Return a key of this user for one purpose, None where this user can keep no key."""
    key = _key()
    return None if key is None else bytes.fromhex(_hash(key, "derived key", (purpose,)))


def state_folder() -> Path:
    """Return the folder in which the key is."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "sfumato"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "sfumato"


def made_state_folder() -> Path:
    """Return the folder in which the key is, made for this user alone if it is not there."""
    folder = state_folder()
    # The folders above are those of other programs too.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _hash(key: bytes, purpose: str, texts: tuple[str, ...]) -> str:
    # Lengths first, so that no two lists of texts are the same bytes.
    parts = [text.encode("utf-8", "surrogateescape") for text in (purpose, *texts)]
    content = b"".join(len(part).to_bytes(8) + part for part in parts)
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def _key() -> bytes | None:
    """Return the key, made at first; None if it can be neither read nor made."""
    try:
        path = state_folder() / KEY
        if not path.exists():
            made_state_folder()
            _make(path)
        found = path.read_bytes()
    except (OSError, RuntimeError):
        # Without a home there is nothing to keep it in.
        return None
    return found if len(found) == _BYTES else None


def _make(path: Path) -> None:
    """Write a key that appears whole; the first of several processes wins."""
    unfinished = path.with_name(f"{KEY}-{secrets.token_hex(8)}")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        try:
            path.hardlink_to(unfinished)
        except FileExistsError:
            return
        except OSError:
            # A file system without links.
            if not path.exists():
                unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
