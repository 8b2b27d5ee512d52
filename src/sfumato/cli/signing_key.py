"""How a command gets a private key that may be protected by a passphrase."""

from __future__ import annotations

import getpass
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.signatures.keys import SigningKey

VARIABLE = "SFUMATO_KEY_PASSPHRASE"
"""The environment variable that has the passphrase, for scripts."""


def signing_key(path: Path) -> SigningKey:
    """Read a private key; a passphrase comes from the environment, or is asked for."""
    from sfumato.release.signatures.keys import SigningKey

    return SigningKey.read(path, passphrase=lambda: given_passphrase(f"Passphrase of {path}: "))


def given_passphrase(prompt: str) -> str | None:
    """Return the passphrase of the environment, or what is typed; None where nobody can type."""
    given = os.environ.get(VARIABLE)
    if given or not sys.stdin.isatty():
        return given or None
    return getpass.getpass(prompt)
