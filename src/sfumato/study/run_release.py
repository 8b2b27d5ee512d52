"""A release from a run folder: its source must not have changed, and the run remembers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ReleaseError
from sfumato.release.release import Release, silent_stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.front.front import Solution
    from sfumato.study.run import Run

CERTIFICATES = "releases"


def release_from_run(
    run: Run,
    solution: Solution,
    destination: Path,
    *,
    suppressed_rows: str | None = None,
    certificate: Path | None = None,
    private_certificate: Path | None = None,
    force: bool = False,
    stage: Callable[[str], None] = silent_stage,
) -> Release:
    """Write a solution of a run; the private certificate stays in the run folder."""
    stage("checking that the source is still the one that was searched")
    run.check_source()
    if private_certificate is None:
        folder = run.folder / CERTIFICATES
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise ReleaseError(
                f"the private certificate cannot go to {folder}: {error.strerror}; say where, "
                "with --private-certificate"
            ) from None
        private_certificate = folder / f"{destination.name}.private.json"
    stage("counting the source")
    study_file = run.study_file
    return study_file.study.release(
        solution,
        destination,
        suppressed_rows=suppressed_rows or study_file.suppressed_rows,
        certificate=certificate,
        private_certificate=private_certificate,
        provenance={
            "search": {
                "run": str(run.folder),
                "created": run.created,
                "method": run.result.method,
                "exact": run.result.exact,
                "evaluations": run.result.evaluated,
                "nodes": run.result.nodes,
                "seed": study_file.search.seed,
                "solution": solution.id,
                "objectives": dict(solution.values),
            },
            "settings": study_file.text,
        },
        force=force,
        stage=stage,
    )
