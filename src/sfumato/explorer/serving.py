"""Starting the server of the explorer, on this machine only, and opening its page."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from typing import TYPE_CHECKING

from nicegui import app, ui

from sfumato.explorer.access import Guard, Session
from sfumato.explorer.pages.catalogue import register_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.explorer.workplace import Workplace

HOST = "127.0.0.1"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def serve(
    workplace: Workplace,
    *,
    port: int | None,
    path: str,
    opens: bool,
    told: Callable[[str], None],
) -> None:
    """Serve the pages of a workplace until the process is interrupted.

    ``told`` is given the address that signs a browser in; a new one each time one was used.
    """
    chosen = port or free_port()
    session = Session(port=chosen)
    session.renewed = lambda token: told(session.address())  # noqa: ARG005
    app.add_middleware(Guard, session=session)
    register_pages(workplace)
    app.on_shutdown(workplace.close)
    first = session.address(path)

    def announce() -> None:
        """Show the address when the server answers, and not before."""
        while not _answers(chosen):
            time.sleep(0.05)
        told(first)
        if opens:
            webbrowser.open(first)

    threading.Thread(target=announce, daemon=True).start()
    ui.run(
        host=HOST,
        port=chosen,
        title="sfumato",
        dark=None,
        language="en-US",
        show=False,
        reload=False,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=60,
        uvicorn_logging_level="error",
    )
