"""The progress bar shows what the search tells it."""

from __future__ import annotations

import io

from rich.console import Console

import sfumato as sf


def test_the_bar_shows_nodes_evaluations_and_the_front() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    with sf.progress_bar(console=console) as listener:
        listener(sf.Progress(settled=12, nodes=40, evaluated=7, front_size=3))
        listener(sf.Progress(settled=40, nodes=40, evaluated=9, front_size=5))
    shown = written.getvalue()
    assert "40/40" in shown
    assert "9 evaluated" in shown
    assert "front of 5" in shown
