"""The packages of the extra ``papers``: imported late, asked for before anything is computed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from sfumato.errors import SettingsError

INSTALL = "pip install 'sfumato[papers]'"


def installed(package: Literal["matplotlib", "scipy"]) -> bool:
    """Return whether a package of the extra can be imported."""
    return find_spec(package) is not None


def require(package: Literal["matplotlib", "scipy"], *, purpose: str) -> None:
    """Refuse to begin where a package of the extra is missing.

    >>> require("scipy", purpose="The rank tests")
    """
    if not installed(package):
        raise SettingsError(
            f"{purpose} need {package}, which is not installed",
            code="not-installed",
            found=repr(package),
            remedy=INSTALL,
        )
