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

# A buffer that nobody uses is referenced by the pool's list, the loop variable and the argument
# of getrefcount. Every array that is a view of the buffer adds one.
_REFERENCES_WHEN_FREE = 3


@dataclass(frozen=True, eq=False)
class BufferPool:
    """Hands out one-dimensional arrays, again once no view of them is alive.

    >>> pool = BufferPool()
    >>> first = pool.take(10, np.int64)[:5]
    >>> pool.take(10, np.int64).base is first.base
    False
    """

    _buffers: list[NDArray[np.generic]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, length: int, kind: DTypeLike) -> NDArray[np.generic]:
        """Return a view of ``length`` entries of a buffer that is nobody else's."""
        dtype = np.dtype(kind)
        with self._lock:
            for buffer in self._buffers:
                if (
                    buffer.dtype == dtype
                    and buffer.shape[0] >= length
                    and sys.getrefcount(buffer) == _REFERENCES_WHEN_FREE
                ):
                    return buffer[:length]
            buffer = np.empty(length, dtype=dtype)
            self._buffers.append(buffer)
            return buffer[:length]
