"""Which process made something, and whether it still runs."""

from __future__ import annotations

import enum
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path


class Life(enum.StrEnum):
    """What is known of a process."""

    RUNNING = "running"
    ENDED = "ended"
    UNKNOWN = "unknown"
    """It belongs to another machine or container, or this system does not tell."""


@dataclass(frozen=True, kw_only=True)
class RunningProcess:
    """A process by more than its number, which others get after it.

    ``machine`` is the name of the machine, ``boot`` its start, ``space`` the space of process
    numbers (a container has its own), ``started`` the time of the process since the boot. What a
    system does not tell is empty.
    """

    pid: int
    machine: str
    boot: str = ""
    space: str = ""
    started: str = ""

    @classmethod
    def this(cls) -> RunningProcess:
        """Return the process that we are."""
        return cls(
            pid=os.getpid(),
            machine=platform.node(),
            boot=_text("/proc/sys/kernel/random/boot_id"),
            space=_number_space(),
            started=_started(os.getpid()),
        )

    @classmethod
    def of(cls, content: object) -> RunningProcess | None:
        """Return the process that a JSON object describes, None if it describes none."""
        names = set(asdict(cls.this()))
        if not isinstance(content, dict) or set(content) != names:
            return None
        pid = content["pid"]
        others = {name: content[name] for name in names - {"pid"}}
        if type(pid) is not int or pid < 1 or not all(type(v) is str for v in others.values()):
            return None
        return cls(pid=pid, **others)

    @property
    def life(self) -> Life:
        """Whether it still runs, as far as this process can know."""
        here = RunningProcess.this()
        if self.machine != here.machine or os.name != "posix":
            return Life.UNKNOWN
        if self.boot != here.boot:
            return Life.ENDED if self.boot and here.boot else Life.UNKNOWN
        if self.space != here.space:
            return Life.UNKNOWN
        if not _exists(self.pid):
            return Life.ENDED
        return Life.RUNNING if _started(self.pid) == self.started else Life.ENDED


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(pid: int) -> str:
    """Return when a process started, in ticks since the boot; nothing where there is no /proc."""
    # The name of the program stands in brackets and may hold blanks and brackets itself.
    fields = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else ""


def _number_space() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
