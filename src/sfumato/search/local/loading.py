"""Loading the kernels of local recoding; they are compiled once on a machine."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def load_local_kernels() -> ModuleType:
    """Return the module of the kernels of local recoding."""
    return importlib.import_module("sfumato.search.local.kernels")


def load_method_kernels() -> ModuleType:
    """Return the module of the kernels of single methods."""
    return importlib.import_module("sfumato.search.local.method_kernels")


def load_bound_kernels() -> ModuleType:
    """Return the module of the kernel of the lower bound."""
    return importlib.import_module("sfumato.search.local.loss_bound_kernels")


def load_mdav_kernels() -> ModuleType:
    """Return the module of the kernel of MDAV."""
    return importlib.import_module("sfumato.search.local.mdav_kernels")
