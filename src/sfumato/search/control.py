"""How a search runs: its seed, threads and listener, when it stops, and where it resumes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sfumato.errors import SettingsError, shown
from sfumato.search.result import Listener, Progress, silent
from sfumato.search.setting_checks import check_whole
from sfumato.search.stopping import StopRule, never


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
            raise SettingsError(
                code="wrong-type",
                key="should_stop",
                found=shown(self.should_stop),
                expected="a function of the Progress, like after_evaluations(1000)",
            )
        if self.resume is not None and not isinstance(self.resume, Mapping):
            raise SettingsError(
                code="wrong-type",
                key="resume",
                found=shown(self.resume),
                expected="the state of a search that was stopped: result.state",
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
