"""Signals as a terminal leaves them: nohup and shells in the background ignore some in children."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HANDLERS: dict[signal.Signals, signal._HANDLER] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}


def heed_signals() -> None:
    """Ignore none of them: what a child process is to do first (``preexec_fn``)."""
    for number in HANDLERS:
        # Python sets its own handler of SIGINT only where the default is inherited.
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def heeded_signals() -> Iterator[None]:
    """Ignore none of them inside, in this process."""
    before = {number: signal.signal(number, handler) for number, handler in HANDLERS.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
