"""When to stop a search: rules that look at its progress."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeAlias

from sfumato.errors import SettingsError, shown
from sfumato.search.result import Progress
from sfumato.search.setting_checks import check_whole, is_number

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
    check_whole("evaluations", count, least=1)
    return lambda progress: progress.evaluated >= count


def after_seconds(seconds: float) -> StopRule:
    """Stop when so much time has passed since this rule was made."""
    if not is_number(seconds) or not math.isfinite(seconds) or seconds <= 0:
        raise SettingsError(
            code="out-of-range",
            key="seconds",
            found=shown(seconds),
            expected="a number above 0, like 60",
        )
    end = time.monotonic() + seconds
    return lambda progress: time.monotonic() >= end  # noqa: ARG005


def any_of(*rules: StopRule) -> StopRule:
    """Stop when one of several rules says so; without any, never.

    >>> any_of()(Progress(settled=0, nodes=56, evaluated=9, front_size=1))
    False
    """
    return lambda progress: any(rule(progress) for rule in rules)
