"""The progress bar shows what the search tells it."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console

import sfumato as sf

if TYPE_CHECKING:
    import pytest


def test_the_bar_shows_nodes_evaluations_and_the_front() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    with sf.progress_bar(console=console) as listener:
        listener(sf.Progress(settled=12, nodes=40, evaluated=7, front_size=3))
        listener(sf.Progress(settled=40, nodes=40, evaluated=9, front_size=5))
    shown = written.getvalue()
    assert "40/40 recodings settled" in shown
    assert "9 evaluated" in shown
    assert "front of 5" in shown


def test_the_bar_counts_steps_where_a_search_has_them() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    with sf.progress_bar(console=console) as listener:
        steps = sf.Steps(done=7, total=25, name="populations")
        listener(sf.Progress(settled=12, nodes=40, evaluated=12, front_size=3, steps=steps))
    shown = written.getvalue()
    assert "7/25 populations, 12 evaluated, front of 3" in shown


def test_a_narrow_terminal_cuts_what_was_found_and_never_the_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80, color_system=None)
    clock = iter(range(0, 10_000_000, 10))
    monkeypatch.setattr(console, "get_time", lambda: float(next(clock)))
    with sf.progress_bar(console=console) as listener:
        listener.bar.live.auto_refresh = False
        for settled in (10_000, 20_000, 30_000):
            phase = "space 1 of 2, lattice: sweep"
            listener(
                sf.Progress(settled=settled, nodes=67_200, evaluated=60, front_size=30, phase=phase)
            )
            listener.bar.refresh()
    shown = written.getvalue()
    assert "searching space 1 of 2, lattice: sweep" in shown
    assert re.search(r"\d+:\d\d passed, about (\d+:)?\d+:\d\d left", shown)


def test_the_bar_names_stages_and_phases_and_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    clock = iter(range(0, 10_000_000, 10))
    monkeypatch.setattr(console, "get_time", lambda: float(next(clock)))
    with sf.progress_bar(console=console) as listener:
        listener.bar.live.auto_refresh = False
        listener.stage("counting the rows")
        listener.bar.refresh()
        for settled in (10, 20, 30):
            listener(
                sf.Progress(
                    settled=settled, nodes=90, evaluated=7, front_size=3, phase="space 1 of 2"
                )
            )
            listener.bar.refresh()
    shown = written.getvalue()
    assert "counting the rows" in shown
    assert "searching space 1 of 2" in shown
    assert re.search(r"\d+:\d\d passed, about \d+:\d\d left", shown)
