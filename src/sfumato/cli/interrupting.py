"""Ctrl-C during a search: the first ends it with what it has found, the second at once."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from sfumato.cli.output import Output
    from sfumato.search.result import Progress


@dataclass(kw_only=True)
class Interruption:
    """Whether a person has asked to stop; it is a stop rule for searches."""

    asked: bool = False

    def __call__(self, progress: Progress) -> bool:  # noqa: ARG002
        """Say whether to stop."""
        return self.asked


@contextmanager
def interruption(output: Output) -> Iterator[Interruption]:
    """Turn the first Ctrl-C inside into a request to stop, and leave the second as it is."""
    asked = Interruption()
    # Only the main thread may say what signals do.
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        asked.asked = True
        signal.signal(signal.SIGINT, before)
        output.remark("stopping with what was found so far; press Ctrl-C again to stop at once")

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
