"""Memory for class tables that is used again and again.

A sweep makes gigabytes of class tables, a few megabytes at a time. Fresh memory for each batch
would cost a quarter of the time in page faults, so batches take turns in the same buffers.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


def _first_with(buffers: list[NDArray[np.generic]], references: int, length: int) -> int | None:
    """Return the position of the first buffer that is long enough and has few references."""
    for position, buffer in enumerate(buffers):
        if buffer.shape[0] >= length and sys.getrefcount(buffer) <= references:
            return position
    return None


def _references_when_free() -> int:
    """Return what getrefcount says, in the loop above, of a buffer without a view.

    Every array that is a view of it adds one. How many references the loop itself holds differs
    between versions of Python, so it is measured: one too many would hand out memory twice.
    """
    references = 0
    while _first_with([np.empty(0)], references, 0) is None:
        references += 1
    return references


_REFERENCES_WHEN_FREE = _references_when_free()


@dataclass(frozen=True, eq=False)
class BufferPool:
    """Hands out one-dimensional arrays, again once no view of them is alive.

    >>> pool = BufferPool()
    >>> first = pool.take(10, np.int64)[:5]
    >>> pool.take(10, np.int64).base is first.base
    False
    """

    _buffers: dict[np.dtype[np.generic], list[NDArray[np.generic]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, length: int, kind: DTypeLike) -> NDArray[np.generic]:
        """Return a view of ``length`` entries of a buffer that is nobody else's."""
        dtype = np.dtype(kind)
        with self._lock:
            buffers = self._buffers.setdefault(dtype, [])
            free = _first_with(buffers, _REFERENCES_WHEN_FREE, length)
            if free is None:
                free = len(buffers)
                buffers.append(np.empty(length, dtype=dtype))
            return buffers[free][:length]
