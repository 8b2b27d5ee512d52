"""How many examples a property is tried with: few in the fast suite, all in the thorough one."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

THOROUGH = 100
FAST = 5
FEWEST = 2


def load_fast_profile() -> None:
    """Register the profiles, and use the fast one unless pytest is given another.

    No test depends on how busy the machine is: no example has a deadline, and none is too slow to
    be drawn. In the fast and the thorough suite the examples follow from the test alone, so that a
    change is judged by what it changed. ``explore`` draws new ones at every run, and prints the
    line that repeats a failure. Add the failing case to the test as an ``@example``.
    """
    for name, count in (("explore", THOROUGH), ("thorough", THOROUGH), ("fast", FAST)):
        settings.register_profile(
            name,
            max_examples=count,
            deadline=None,
            derandomize=name != "explore",
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile("fast")


def examples(thorough: int) -> int:
    """Return this many examples, or the same part of them that a profile takes of its default.

    The profile is chosen by ``--hypothesis-profile``; without it, it is the fast one.
    """
    part = settings().max_examples / THOROUGH
    return max(min(FEWEST, thorough), round(thorough * part))
