"""Compiled kernels where there is much to do, plain NumPy where loading them would take longer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sfumato.classes import plain_kernels
from sfumato.classes.compilation import load_kernels

if TYPE_CHECKING:
    from types import ModuleType

_WORTH_LOADING = 4_000_000
"""Loading takes as long as plain NumPy takes for about so many codes that are looked up."""

_A_CALL = 2_000
"""What a call costs, as codes."""

_COMPILED = "sfumato.classes.kernels"


class _Asked:
    """How much this process has asked of the kernels so far."""

    codes = 0


def kernels(codes: int) -> ModuleType:
    """Return the kernels for work on so many codes; all of them give the same results.

    The compiled ones, once they are loaded; before that the plain ones, until as much has been
    asked for as makes loading worth while. So a command that groups a handful of recodings never
    loads Numba, and a search does after its first recodings at the latest.
    """
    if _COMPILED not in sys.modules:
        _Asked.codes += codes + _A_CALL
        if _Asked.codes <= _WORTH_LOADING:
            return plain_kernels
    return load_kernels()
