"""A search that runs, as the server sees it: its process, its progress, its end."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ENDED = frozenset({"finished", "stopped", "failed"})


@dataclass(frozen=True, kw_only=True)
class JobProgress:
    """How far a search is. ``total`` and ``done`` are 0 where they are not known."""

    phase: str = "starting"
    done: float = 0
    total: float = 0
    evaluated: int = 0
    front: int = 0
    error: str = ""

    @property
    def share(self) -> float | None:
        """The share that is done, None where it is not known."""
        return min(1.0, self.done / self.total) if self.total else None


@dataclass(kw_only=True)
class SearchJob:
    """A process that searches, and what it has told last; ``fronts`` are (seconds, size)."""

    folder: Path
    started: float
    progress: JobProgress = field(default_factory=JobProgress)
    fronts: list[tuple[float, int]] = field(default_factory=list)
    seconds: float = 0.0
    _process: subprocess.Popen[str] = field(repr=False)

    @classmethod
    def start(
        cls, study: Path, folder: Path, *, allow_paths: Sequence[Path] = (), resume: bool = False
    ) -> Self:
        """Start a search of a study file into a run folder."""
        allowed = [part for path in allow_paths for part in ("--allow-path", str(path))]
        words = [
            *(sys.executable, "-m", "sfumato.explorer.searches.process", str(study), str(folder)),
            *allowed,
            *(["--resume"] if resume else []),
        ]
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            # Ctrl-C in the terminal is for the server, which asks the search to stop.
            start_new_session=True,
        )
        job = cls(folder=folder, started=time.monotonic(), _process=process)
        threading.Thread(target=job._watch, daemon=True).start()
        return job

    def _watch(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._heard(json.loads(line))
        self._process.wait()
        if self.progress.phase not in ENDED:
            self.progress = JobProgress(
                phase="failed", error="the process of the search ended; is there enough memory?"
            )

    def _heard(self, line: dict[str, object]) -> None:
        before = self.progress
        self.seconds = time.monotonic() - self.started
        known = {**before.__dict__, "error": ""} | line
        self.progress = JobProgress(**known)
        if not self.fronts or self.fronts[-1][1] != self.progress.front:
            self.fronts.append((self.seconds, self.progress.front))

    @property
    def running(self) -> bool:
        """Say whether the search goes on."""
        return self.progress.phase not in ENDED

    def stop(self) -> None:
        """Ask the search to stop with what it has found."""
        if self.running and self._process.stdin is not None and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except OSError:
                return  # it has just ended

    def wait(self) -> None:
        """Wait until the search has written what it found."""
        self._process.wait()
