"""Loading kernels: they are compiled once on a machine, then come from the disk cache."""

from __future__ import annotations

import functools
import importlib
import mmap
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from numba.core.event import Event

_LIBRARIES = 272 * 2**20
_LIBRARIES_BY_PROCESSOR = 40 * 2**20
"""About the addresses that LLVM, and SciPy's algebra where it is installed, take when loaded."""


@functools.cache
def load_kernels() -> ModuleType:
    """Return the module of the kernels of classes; each is compiled when it is first called."""
    return announced("sfumato.classes", "its kernels", "some seconds").load("kernels")


@functools.cache
def announced(package: str, what: str, how_long: str) -> AnnouncedKernels:
    """Return the kernels of a package; that they have to be compiled is said on stderr, once."""
    return AnnouncedKernels(package, what, how_long)


def check_room() -> None:
    """Raise MemoryError where a limit (ulimit -v) leaves too few addresses to load Numba.

    OpenBLAS, which Numba loads with SciPy, waits for ever for memory that it cannot have. The
    pages are asked for and given back untouched, so that this takes no memory.
    """
    needed = _LIBRARIES + _LIBRARIES_BY_PROCESSOR * (os.cpu_count() or 1)
    if sys.platform == "win32":
        return
    try:
        mmap.mmap(-1, needed, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ).close()
    except OSError:
        raise MemoryError(
            f"the compiled kernels need {needed >> 20:,} MB of addresses to be loaded"
        ) from None


class AnnouncedKernels:
    """The modules of kernels in one package.

    Numba tells when it compiles a function, which it does not where the cache has it. Functions
    with signatures are compiled when their module is loaded, others when they are first called.
    """

    def __init__(self, package: str, what: str, how_long: str) -> None:
        if "numba" not in sys.modules:
            check_room()
        # Here, because Numba is slow to import and most commands need no kernel.
        from numba.core import event

        class Announcement(event.Listener):
            """Says once that kernels are compiled."""

            said = False

            def on_start(self, event: Event) -> None:
                """Say it when the first function of the package is compiled."""
                own = event.data["dispatcher"].py_func.__module__.startswith(f"{package}.")
                if own and not self.said:
                    self.said = True
                    print(
                        f"sfumato: compiling {what}, once on this machine ({how_long})",
                        file=sys.stderr,
                        flush=True,
                    )

            def on_end(self, event: Event) -> None:
                """Do nothing: one announcement is for all of them."""

        self._package = package
        event.register("numba:compile", Announcement())  # type: ignore[no-untyped-call]

    def load(self, name: str) -> ModuleType:
        """Return a module of the package."""
        return importlib.import_module(f"{self._package}.{name}")
