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


def test_the_bar_counts_steps_where_a_search_has_them() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    with sf.progress_bar(console=console) as listener:
        steps = sf.Steps(done=7, total=25, name="populations")
        listener(sf.Progress(settled=12, nodes=40, evaluated=12, front_size=3, steps=steps))
    shown = written.getvalue()
    assert "7/25" in shown
    assert "populations, 12 evaluated, front of 3" in shown
