"""How a search runs: its seed, threads and listener, when it stops, and where it resumes."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

from sfumato.arrays import plain_numbers
from sfumato.errors import SettingsError, shown
from sfumato.search.result import Listener, Progress, silent
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
        raise SettingsError.wrong_setting(
            "seconds", seconds, "a number above 0, like 60", code="out-of-range"
        )
    end = time.monotonic() + seconds
    return lambda progress: time.monotonic() >= end  # noqa: ARG005


def any_of(*rules: StopRule) -> StopRule:
    """Stop when one of several rules says so; without any, never.

    >>> any_of()(Progress(settled=0, nodes=56, evaluated=9, front_size=1))
    False
    """
    return lambda progress: any(rule(progress) for rule in rules)


@dataclass(frozen=True, kw_only=True)
class SearchControl:
    """What every search method takes.

    ``seed`` is that of searches that draw at random. ``threads`` is the number of threads (all
    cores if None) and never changes the result. ``listener`` receives the progress, and
    ``should_stop`` is asked each time whether to stop. ``resume`` is the state of an
    earlier run that was stopped.

    >>> SearchControl(seed=3).goes_on(Progress(settled=1, nodes=8, evaluated=1, front_size=1))
    True
    """

    seed: int = 1
    threads: int | None = None
    listener: Listener = silent
    should_stop: StopRule = never
    resume: Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_seed(self.seed)
        if self.threads is not None:
            check_whole("threads", self.threads, least=1)
        if not callable(self.listener) or isinstance(self.listener, AbstractContextManager):
            raise SettingsError(
                "listener must be a function that takes a Progress",
                code="wrong-type",
                key="listener",
                found=shown(self.listener),
                remedy="for a progress bar, use 'with progress_bar() as listener:'",
            )
        if not callable(self.should_stop):
            raise SettingsError.wrong_setting(
                "should_stop",
                self.should_stop,
                "a function of the Progress, like after_evaluations(1000)",
                code="wrong-type",
            )
        if self.resume is not None and not isinstance(self.resume, Mapping):
            raise SettingsError.wrong_setting(
                "resume",
                self.resume,
                "the state of a search that was stopped: result.state",
                code="wrong-type",
            )

    def goes_on(self, progress: Progress) -> bool:
        """Report the progress, and return whether the search continues."""
        self.listener(progress)
        return not self.should_stop(progress)


def check_seed(seed: object) -> None:
    """Refuse what cannot be the seed of a random generator."""
    check_whole("seed", seed, least=0)


DEFAULT_CONTROL = SearchControl()


def usable_threads(threads: int | None = None) -> int:
    """Return how many threads to use: as asked, or one for each core this process may use."""
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
