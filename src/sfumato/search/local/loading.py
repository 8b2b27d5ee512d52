"""Loading the kernels of local recoding; they are compiled once on a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.classes.compilation import announced

if TYPE_CHECKING:
    from types import ModuleType


def load_local_kernels() -> ModuleType:
    """Return the module of the kernels of local recoding."""
    return _load("kernels")


def load_method_kernels() -> ModuleType:
    """Return the module of the kernels of single methods."""
    return _load("method_kernels")


def load_bound_kernels() -> ModuleType:
    """Return the module of the kernel of the lower bound."""
    return _load("loss_bound_kernels")


def load_mdav_kernels() -> ModuleType:
    """Return the module of the kernel of MDAV."""
    return _load("mdav_kernels")


def _load(name: str) -> ModuleType:
    kernels = announced("sfumato.search.local", "the kernels of local recoding", "up to a minute")
    return kernels.load(name)
