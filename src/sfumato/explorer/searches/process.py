"""The process of a search: it reports its progress as lines of JSON, and stops when it is asked.

``python -m sfumato.explorer.searches.process STUDY RUN [--resume] [--allow-path PATH]``. A line on
its input asks it to stop, and so does the end of its input, when the server has gone: what was
found until then is written to the run folder, from which the search can be resumed.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run import digest_of_rows
from sfumato.study.runs.run_folder import check_free, read_stopped_run, write_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.search.result import Progress

SECONDS_BETWEEN = 0.2


class Reporter:
    """Writes a line for the progress, at most so many times a second, and says when to stop."""

    def __init__(self) -> None:
        """Begin to listen for the request to stop."""
        self.asked = threading.Event()
        self._last = 0.0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        sys.stdin.readline()
        self.asked.set()

    def heard(self, progress: Progress) -> None:
        """Report the progress."""
        now = time.monotonic()
        if now - self._last < SECONDS_BETWEEN:
            return
        self._last = now
        steps = progress.steps
        tell(
            {
                "phase": "searching" if steps is None else steps.name,
                "done": progress.settled if steps is None else steps.done,
                "total": float(progress.nodes if steps is None else steps.total),
                "evaluated": progress.evaluated,
                "front": progress.front_size,
            }
        )

    def stops(self, progress: Progress) -> bool:  # noqa: ARG002
        """Say whether somebody asked to stop."""
        return self.asked.is_set()


def tell(line: Mapping[str, object]) -> None:
    """Write a line for the server."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def search(study: Path, folder: Path, *, allow_paths: list[Path], resume: bool) -> bool:
    """Search and write the run; return whether the search came to its end."""
    reporter = Reporter()
    study_file = read_study_file(study, allow_paths=allow_paths)
    check_free(folder, force=resume)
    earlier = read_stopped_run(folder, allow_paths=allow_paths) if resume else None
    settings, described = study_file.search, study_file.study
    started = time.perf_counter()
    tell({"phase": "counting"})
    counted = digest_of_rows(described)
    for problem in described.problems:
        assert problem.table
    tell({"phase": "searching"})
    result = described.search(
        method=settings.method,
        settings=settings.for_spaces(described.spaces),
        seed=settings.seed,
        listener=reporter.heard,
        should_stop=reporter.stops,
        resume=earlier.result.state if earlier else None,
    )
    tell({"phase": "writing the run", "front": len(result.front)})
    write_run(
        folder,
        study_file,
        result,
        seconds=time.perf_counter() - started + (earlier.seconds if earlier else 0),
        force=resume,
        counted=counted,
    )
    return result.finished


def main() -> int:
    """Search as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("study", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--allow-path", type=Path, action="append", default=[])
    given = parser.parse_args()
    try:
        finished = search(
            given.study, given.folder, allow_paths=given.allow_path, resume=given.resume
        )
    except SfumatoError as error:
        tell({"phase": "failed", "error": str(error)})
        return 1
    except Exception as error:
        tell({"phase": "failed", "error": f"internal error ({type(error).__name__})"})
        return 70
    tell({"phase": "finished" if finished else "stopped"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
