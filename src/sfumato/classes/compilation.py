"""Loading the kernels: they are compiled once on a machine, then come from the disk cache."""

from __future__ import annotations

import functools
import importlib
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_PATIENCE_IN_SECONDS = 1.5


def _announce() -> None:
    print(
        "sfumato: loading its kernels; on a new machine they are compiled once (ten seconds)",
        file=sys.stderr,
        flush=True,
    )


@functools.cache
def load_kernels() -> ModuleType:
    """Return the module of compiled kernels, and say so on stderr if it has to be compiled.

    From the cache this takes well under a second, so the message only appears when it does not.
    """
    message = threading.Timer(_PATIENCE_IN_SECONDS, _announce)
    message.daemon = True
    message.start()
    try:
        return importlib.import_module("sfumato.classes.kernels")
    finally:
        message.cancel()
