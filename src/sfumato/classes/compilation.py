"""Loading the kernels: they are compiled once on a machine, then come from the disk cache."""

from __future__ import annotations

import functools
import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


@functools.cache
def load_kernels() -> ModuleType:
    """Return the module of compiled kernels, and say so on stderr if it has to be compiled.

    Numba tells when it compiles a function, which it does not where the cache has it.
    """
    # Here, because Numba is slow to import and most commands need no kernel.
    from numba.core.event import Event, Listener, install_listener

    class Announcement(Listener):
        """Says once that kernels are compiled."""

        said = False

        def on_start(self, event: Event) -> None:  # noqa: ARG002
            """Say it when the first function is compiled."""
            if not self.said:
                self.said = True
                print(
                    "sfumato: compiling its kernels, once on this machine (some ten seconds)",
                    file=sys.stderr,
                    flush=True,
                )

        def on_end(self, event: Event) -> None:
            """Do nothing: one announcement is for all of them."""

    with install_listener("numba:compile", Announcement()):
        return importlib.import_module("sfumato.classes.kernels")
