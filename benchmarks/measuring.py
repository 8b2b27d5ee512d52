"""Wall and CPU time of a piece of work, and the greatest memory of the process."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


@dataclass(frozen=True)
class Timed(Generic[Result]):
    """A result with the seconds that it took."""

    result: Result
    wall: float
    cpu: float


def timed(work: Callable[[], Result]) -> Timed[Result]:
    """Do the work once and measure it."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return Timed(result, time.perf_counter() - wall, time.process_time() - cpu)


def quickest(work: Callable[[], Result], *, times: int = 3) -> Timed[Result]:
    """Do the work several times and return the quickest: the least disturbed by neighbours."""
    return min((timed(work) for _ in range(times)), key=lambda run: run.wall)


def peak_memory_in_megabytes() -> float:
    """Return the greatest resident memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)
