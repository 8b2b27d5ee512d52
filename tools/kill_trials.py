"""Kill sfumato at random moments, and see that nothing half-written stays and nothing is lost.

    python tools/kill_trials.py --moments 30 --seed 1

Each trial forks a process that runs a command, kills it (SIGKILL) at a random moment, tidies up as
a user would, runs the command again, and compares what is there with an undisturbed run. Three
commands are tried: ``search`` (half of the trials resume a stopped search, and are resumed again),
``release`` (half of the trials replace an earlier one), and the verification inside a release.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

# What the commands import is imported once, before the forks.
import duckdb  # noqa: F401
import moocore  # noqa: F401

import sfumato.release.release
import sfumato.search.methods.nsga_ii
import sfumato.study.runs.run_folder
import sfumato.views.release_view
import sfumato.views.run.run_view  # noqa: F401
from sfumato.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

STUDY = """
[source]
path = "people.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20, 40], low = 0, high = 99 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = 5 }

[columns.sex]
role = "quasi-identifying"
hierarchy = { flat = true }

[columns.illness]
role = "sensitive"

[search]
objectives = ["k", "loss"]
space = "partitions"
method = "nsga-ii"
seed = 7

[search.nsga-ii]
population = 20
generations = 20

[suppression]
policy = "limit"
limit = 0.05
"""
VERIFYING = "verifying the written file"


@dataclass
class Tally:
    """What was seen in the trials of one command."""

    killed: int = 0
    ended_before: int = 0
    left_folders: int = 0
    torn: int = 0
    problems: list[str] = field(default_factory=list)


class Trials:
    """The trials, in a folder of their own."""

    def __init__(self, folder: Path, *, seed: int, rows: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.study = folder / "study.toml"
        self.study.write_text(STUDY, encoding="utf-8")
        with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["name", "age", "zip", "sex", "illness"])
            for number in range(rows):
                illness = self.random.choice(["flu", "asthma", "diabetes", "none"])
                place = f"{24000 + self.random.randrange(60) * 10}"
                age = self.random.randrange(18, 95)
                writer.writerow([f"P{number}", age, place, self.random.choice("FM"), illness])
        self.reference = folder / "reference"
        self.reference.mkdir()
        self.seconds: dict[str, float] = {}
        self._undisturbed()

    def _undisturbed(self) -> None:
        """Do everything once without a kill, and note how long it takes."""
        run, out = self.reference / "run", self.reference / "out.csv"
        # The first command compiles what the others use.
        for _ in range(2):
            self._must([*self.search(run), "--force"], "search")
        stopped = self.reference / "stopped"
        self._must([*self.search(stopped), "--evaluations", "60"], "stop")
        assert json.loads((stopped / "run.json").read_text())["finished"] is False
        for _ in range(2):
            self._must([*self.release(out), "--force"], "release")
        self.seconds["verify"] = seconds_since(VERIFYING, [*self.release(out), "--force"])
        self.front = front_of(run)
        self.rows = rows_of(out)

    def search(self, run: Path) -> list[str]:
        """Return the command of a search."""
        return ["search", str(self.study), "-o", str(run)]

    def release(self, out: Path) -> list[str]:
        """Return the command of a release."""
        return ["release", str(self.reference / "run"), "--pick", "k>=5", "-o", str(out)]

    def _must(self, command: list[str], name: str) -> None:
        started = time.monotonic()
        code, said = forked(command)
        assert code == 0, said
        self.seconds[name] = time.monotonic() - started

    def searches(self, moments: int) -> Tally:
        """Kill searches, and resumed searches."""
        tally = Tally()
        for number in self._numbers(moments, tally):
            place = self.folder / f"search-{number}"
            place.mkdir()
            run = place / "run"
            command = self.search(run)
            if number % 2:
                shutil.copytree(self.reference / "stopped", run)
                command = [*command, "--resume"]
            self._killed(command, self.seconds["search"], tally)
            self._look(place, tally, whole=self._whole_run(run, resumed=bool(number % 2)))
            self._tidy(place, tally)
            # One that arrived before the kill is whole.
            if not finished(run):
                self._again(command, place, tally)
            if front_of(run) != self.front:
                tally.problems.append(f"{place}: the front differs")
            self._nothing_hidden(place, tally)
        return tally

    def releases(self, moments: int, *, verifying: bool) -> Tally:
        """Kill releases, at any moment or from the verification on."""
        tally = Tally()
        name = "verify" if verifying else "release"
        for number in self._numbers(moments, tally):
            place = self.folder / f"{name}-{number}"
            place.mkdir()
            out = place / "out.csv"
            command = self.release(out)
            if number % 2:
                for each in ("out.csv", "out.csv.certificate.json"):
                    shutil.copy(self.reference / each, place / each)
                command = [*command, "--force"]
            after = VERIFYING if verifying else None
            self._killed(command, self.seconds[name], tally, after=after)
            together = {out.name, f"{out.name}.certificate.json"}
            seen = {entry.name for entry in place.iterdir() if not entry.name.startswith(".")}
            self._look(place, tally, whole=seen in (set(), together))
            self._tidy(place, tally)
            names = {entry.name for entry in place.iterdir()}
            if names and names != together:
                tally.problems.append(f"{place}: {sorted(names)} after tidying")
            elif names:
                certified = json.loads((place / f"{out.name}.certificate.json").read_text())
                if certified["release"]["sha256"] != sha256(out):
                    tally.problems.append(f"{place}: the certificate is of another file")
            if not names or number % 2:
                self._again(command, place, tally)
            if rows_of(out) != self.rows:
                tally.problems.append(f"{place}: the rows differ")
            self._nothing_hidden(place, tally)
        return tally

    def _numbers(self, moments: int, tally: Tally) -> Iterator[int]:
        """Yield the numbers of trials until so many commands were killed before they ended."""
        for number in range(20 * moments):
            if tally.killed >= moments:
                return
            yield number
        tally.problems.append(f"only {tally.killed} commands could be killed")

    def _killed(
        self, command: list[str], seconds: float, tally: Tally, *, after: str | None = None
    ) -> None:
        """Run a command, and kill it at a random moment if it has not ended before.

        ``seconds`` is what an undisturbed one took, or took ``after`` it said something.
        """
        code, _ = forked(command, kill_after=self.random.uniform(0, seconds), since=after)
        killed = code == -signal.SIGKILL
        tally.killed += killed
        tally.ended_before += not killed

    def _whole_run(self, run: Path, *, resumed: bool) -> bool:
        if not run.exists():
            return not resumed
        return front_of(run) is not None

    def _look(self, place: Path, tally: Tally, *, whole: bool) -> None:
        """Note what the kill left: places are whole, or a note tells how to put them in order."""
        hidden = [entry for entry in place.iterdir() if entry.name.startswith(".sfumato-")]
        tally.left_folders += bool(hidden)
        if not whole:
            tally.torn += 1
            if not any((entry / "places.json").exists() for entry in hidden):
                tally.problems.append(f"{place}: torn, and nothing tells how to mend it")

    def _tidy(self, place: Path, tally: Tally) -> None:
        code, said = forked(["tidy", str(place), "--remove"])
        if code != 0:
            tally.problems.append(f"{place}: tidy said {said}")

    def _again(self, command: list[str], place: Path, tally: Tally) -> None:
        code, said = forked(command)
        if code != 0:
            tally.problems.append(f"{place}: the second run said {said}")

    def _nothing_hidden(self, place: Path, tally: Tally) -> None:
        hidden = [entry.name for entry in place.iterdir() if entry.name.startswith(".")]
        hidden += [entry.name for entry in Path(tempfile.gettempdir()).glob(".sfumato-*")]
        if hidden:
            tally.problems.append(f"{place}: {hidden} stayed")


def forked(
    command: list[str], *, kill_after: float | None = None, since: str | None = None
) -> tuple[int, str]:
    """Run a command in a fork; return its exit code, minus the signal that ended it, and its words.

    It is killed after some seconds, counted from the start or from a text that it says.
    """
    with tempfile.TemporaryFile("w+") as said:
        child = _started(command, said)
        if kill_after is not None:
            _kill(child, kill_after, since, said)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read()


def seconds_since(text: str, command: list[str]) -> float:
    """Run a command, and return how long it takes from a text that it says to its end."""
    with tempfile.TemporaryFile("w+") as said:
        child = _started(command, said)
        heard = _hear(child, text, said)
        started = time.monotonic()
        _, status = os.waitpid(child, 0)
        assert heard, f"the command never said {text!r}"
        assert os.waitstatus_to_exitcode(status) == 0
        return time.monotonic() - started


def _started(command: list[str], said: IO[str]) -> int:
    """Fork a process that runs a command and writes what it says to a file."""
    child = os.fork()
    if child:
        return child
    os.dup2(said.fileno(), 1)
    os.dup2(said.fileno(), 2)
    code = 70
    try:
        code = main(command)
    except SystemExit as error:
        code = int(error.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _hear(child: int, text: str, said: IO[str]) -> bool:
    """Wait until a process says a text; return False if it ended without."""
    path = Path(f"/proc/self/fd/{said.fileno()}")
    while text not in path.read_text(errors="replace"):
        if _ended(child):
            return text in path.read_text(errors="replace")
        time.sleep(0.001)
    return True


def _ended(child: int) -> bool:
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(child: int, seconds: float, since: str | None, said: IO[str]) -> None:
    if since is not None and not _hear(child, since, said):
        return
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if _ended(child):
            return
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)


def front_of(run: Path) -> object:
    """Return the front of a run folder, None if its files are not whole."""
    try:
        for name in ("run.json", "front.json"):
            json.loads((run / name).read_text(encoding="utf-8"))
        return json.loads((run / "front.json").read_text(encoding="utf-8"))["solutions"]
    except (OSError, ValueError, KeyError):
        return None


def finished(run: Path) -> bool:
    """Say whether there is a run whose search came to its end."""
    if not (run / "run.json").exists():
        return False
    return bool(json.loads((run / "run.json").read_text(encoding="utf-8"))["finished"])


def rows_of(out: Path) -> Counter[tuple[str, ...]] | None:
    """Return the rows of a release, in any order."""
    try:
        with out.open(encoding="utf-8", newline="") as file:
            return Counter(map(tuple, csv.reader(file)))
    except OSError:
        return None


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


COMMANDS = ("search", "release", "verify")


def kill_trials(
    folder: Path,
    *,
    moments: int,
    seed: int,
    rows: int = 10_000,
    commands: Collection[str] = COMMANDS,
) -> dict[str, Tally]:
    """Run the trials of commands in an empty folder."""
    trials = Trials(folder, seed=seed, rows=rows)
    found = {}
    if "search" in commands:
        found["search"] = trials.searches(moments)
    for name in ("release", "verify"):
        if name in commands:
            found[name] = trials.releases(moments, verifying=name == "verify")
    return found


def script() -> int:
    """Run the trials and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=30, help="kills of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=COMMANDS, help="try one command alone")
    arguments = parser.parse_args()
    commands = COMMANDS if arguments.only is None else (arguments.only,)
    with tempfile.TemporaryDirectory(prefix="kill-trials-") as folder:
        place = Path(folder)
        for variable in ("TMPDIR", "SFUMATO_STATE"):
            os.environ[variable] = str(place / variable)
            (place / variable).mkdir()
        tempfile.tempdir = os.environ["TMPDIR"]
        (place / "trials").mkdir()
        found = kill_trials(
            place / "trials", moments=arguments.moments, seed=arguments.seed, commands=commands
        )
    for name, tally in found.items():
        print(
            f"{name}: {tally.killed} killed, {tally.ended_before} had ended before; "
            f"{tally.left_folders} left a private folder, {tally.torn} were in the middle of their "
            f"moves; {len(tally.problems)} problems"
        )
        for problem in tally.problems:
            print(f"  {problem}")
    print(f"seed {arguments.seed}")
    return 1 if any(tally.problems for tally in found.values()) else 0


if __name__ == "__main__":
    sys.exit(script())
