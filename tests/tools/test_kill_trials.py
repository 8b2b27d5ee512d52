"""Commands that are killed at any moment leave nothing half-written, and a second run mends all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tools.kill_trials import kill_trials

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_commands_that_are_killed(tmp_path: Path) -> None:
    found = kill_trials(tmp_path, moments=3, seed=2, rows=5_000)
    assert {name: tally.problems for name, tally in found.items()} == {
        "search": [],
        "release": [],
        "verify": [],
    }
    assert {name: tally.killed for name, tally in found.items()} == {
        "search": 3,
        "release": 3,
        "verify": 3,
    }
