"""When to stop a search: rules that look at its progress."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeAlias

from sfumato.errors import SettingsError, shown
from sfumato.search.result import Progress

StopRule: TypeAlias = Callable[[Progress], bool]
"""Says whether a search should stop; it is asked with every report of progress."""


def never(progress: Progress) -> bool:  # noqa: ARG001
    """Let a search run to its end."""
    return False


def after_evaluations(count: int) -> StopRule:
    """Stop when so many different nodes are evaluated.

    A search is asked between its steps, so that it may go beyond the count by the nodes of one
    step: those of a population, or of a batch of a sweep. The same search stops at the same
    place every time.

    >>> rule = after_evaluations(100)
    >>> rule(Progress(settled=0, nodes=56, evaluated=100, front_size=3))
    True
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise SettingsError(
            f"a search cannot stop after {shown(count)} evaluations; use a whole number from 1 up"
        )
    return lambda progress: progress.evaluated >= count


def after_seconds(seconds: float) -> StopRule:
    """Stop when so much time has passed since this rule was made."""
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not math.isfinite(seconds) or seconds <= 0:
        raise SettingsError(f"a search cannot stop after {shown(seconds)} seconds; use 60, say")
    end = time.monotonic() + seconds
    return lambda progress: time.monotonic() >= end  # noqa: ARG005


def any_of(*rules: StopRule) -> StopRule:
    """Stop when one of several rules says so; without any, never.

    >>> any_of()(Progress(settled=0, nodes=56, evaluated=9, front_size=1))
    False
    """
    return lambda progress: any(rule(progress) for rule in rules)
