"""How many examples a property is tried with: few in the fast suite, all in the thorough one."""

from __future__ import annotations

from hypothesis import settings

THOROUGH = 100
FAST = 10
FEWEST = 3


def load_fast_profile() -> None:
    """Register both profiles, and use the fast one unless pytest is given another."""
    # No test depends on how busy the machine is.
    settings.register_profile("thorough", deadline=None, max_examples=THOROUGH)
    settings.register_profile("fast", deadline=None, max_examples=FAST)
    settings.load_profile("fast")


def examples(thorough: int) -> int:
    """Return this many examples, or the same part of them that a profile takes of its default.

    The profile is chosen by ``--hypothesis-profile``; without it, it is the fast one.
    """
    part = settings().max_examples / THOROUGH
    return max(min(FEWEST, thorough), round(thorough * part))
