"""The array types of the kernels' signatures: what is only read may be sealed."""

from __future__ import annotations

from numba import float64, int64, types, uint64

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
