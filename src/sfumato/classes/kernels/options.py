"""How the kernels are compiled."""

from __future__ import annotations

KERNEL = {
    "nogil": True,
    "cache": True,
    # Divisions do not look for a zero divisor: there is none, and looking costs.
    "error_model": "numpy",
    # Not called from C: wrappers that nobody needs only lengthen the compilation.
    "no_cfunc_wrapper": True,
}
"""A kernel that Python calls."""

HELPER = {**KERNEL, "no_cpython_wrapper": True}
"""A function that only kernels call."""
