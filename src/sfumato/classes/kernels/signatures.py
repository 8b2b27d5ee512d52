"""How the kernels are compiled, and the array types of their signatures.

An array that is only read has a type of its own, so that it may be sealed.
"""

from __future__ import annotations

from numba import float64, int64, types, uint64

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

KEYS = uint64[:, ::1]
WORDS = uint64[::1]
INTS = int64[::1]
FLOATS = float64[::1]
ROWS = int64[:, ::1]
SMALL = types.Array(types.int32, 1, "C")
CONST_KEYS = types.Array(types.uint64, 2, "C", readonly=True)
CONST_WORDS = types.Array(types.uint64, 1, "C", readonly=True)
CONST_INTS = types.Array(types.int64, 1, "C", readonly=True)
CONST_ROWS = types.Array(types.int64, 2, "C", readonly=True)
CONST_FLOATS = types.Array(types.float64, 1, "C", readonly=True)
CONST_SMALL = types.Array(types.int32, 1, "C", readonly=True)
