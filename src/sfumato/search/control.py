"""How a search is run: its seed, its threads, who hears of it, when it stops, where it goes on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sfumato.errors import SettingsError, shown
from sfumato.search.result import Listener, Progress, silent
from sfumato.search.stopping import StopRule, never


@dataclass(frozen=True, kw_only=True)
class SearchControl:
    """What every search takes, whatever its method.

    ``seed`` is that of searches that draw at random. ``threads`` is the number of threads (all
    cores if None) and never changes the result. ``listener`` hears of the progress, and
    ``should_stop`` is asked each time whether that is enough. ``resume`` is the state of an
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
        whole = isinstance(self.threads, int) and not isinstance(self.threads, bool)
        if self.threads is not None and not (whole and self.threads >= 1):
            raise SettingsError(
                f"threads is {shown(self.threads)}; it must be a whole number from 1 up, or None "
                "for all cores"
            )
        if not callable(self.listener) or isinstance(self.listener, AbstractContextManager):
            raise SettingsError(
                "listener must be a function that takes a Progress; for a bar write "
                "'with progress_bar() as listener:' around the search"
            )
        if not callable(self.should_stop):
            raise SettingsError(
                f"should_stop is {shown(self.should_stop)}; it must be a function of the Progress "
                "that says whether to stop, such as after_evaluations(1000)"
            )
        if self.resume is not None and not isinstance(self.resume, Mapping):
            raise SettingsError(
                f"resume is {shown(self.resume)}; give the state of a search that was stopped: "
                "result.state"
            )

    def goes_on(self, progress: Progress) -> bool:
        """Tell of the progress, and return whether the search is to go on."""
        self.listener(progress)
        return not self.should_stop(progress)


def check_seed(seed: object) -> None:
    """Refuse what cannot be the seed of a random generator."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SettingsError(f"seed is {shown(seed)}; use a whole number from 0 up")


DEFAULT_CONTROL = SearchControl()


def usable_threads(threads: int | None = None) -> int:
    """Return how many threads to use: as asked, or one for each core this process may use."""
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
