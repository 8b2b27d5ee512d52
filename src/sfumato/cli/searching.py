"""A search as commands run it: watched, stopped by Ctrl-C, and written to a run folder."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.cli.output import Output
    from sfumato.search.control import StopRule
    from sfumato.search.problem import Problem
    from sfumato.study.file.study_file import StudyFile
    from sfumato.study.runs.run import Run

MANY_BITS = 500


@dataclass(frozen=True, kw_only=True)
class Searched:
    """The run that was written, and whether a person stopped its search before it was finished."""

    run: Run
    interrupted: bool


def default_folder(study_file: StudyFile) -> Path:
    """Return the run folder of a study unless another is named."""
    return study_file.path.with_name(f"{study_file.path.stem}-run")


def search_to_folder(
    study_file: StudyFile,
    folder: Path,
    output: Output,
    *,
    threads: int | None = None,
    rules: Sequence[StopRule] = (),
    earlier: Run | None = None,
    force: bool = False,
    picked_by: Sequence[str] = (),
) -> Searched:
    """Search a study as its file says, and write the run folder; ``earlier`` is resumed.

    The rules ``picked_by`` which a solution is to be picked are checked before the search.
    """
    from sfumato.cli.interrupting import interruption
    from sfumato.search.control import any_of
    from sfumato.search.result import silent
    from sfumato.study.progress_bar import progress_bar
    from sfumato.study.runs.run import digest_of_rows
    from sfumato.study.runs.run_folder import check_free, write_run

    # What would fail at the end fails now.
    check_free(folder, force=force)
    study, search = study_file.study, study_file.search
    counted = digest_of_rows(study)
    started = time.perf_counter()
    bar = output.error.is_terminal and not output.quiet
    with progress_bar(console=output.error) if bar else nullcontext(silent) as listener:
        # Counting cannot be stopped half-way, a search can.
        for problem in study.problems:
            _warn_of_wide_columns(problem, output)
        for rule in picked_by:
            study.check_rule(rule)
        statements = study.problem.table.statements
        with interruption(output) as interrupted:
            result = study.search(
                method=search.method,
                settings=search.for_spaces(study.spaces),
                seed=search.seed,
                threads=threads,
                listener=listener,
                should_stop=any_of(interrupted, *rules),
                resume=earlier.result.state if earlier else None,
            )
    run = write_run(
        folder,
        study_file,
        result,
        seconds=time.perf_counter() - started + (earlier.seconds if earlier else 0),
        force=force,
        counted=counted,
    )
    for note in statements.notes if statements else ():
        output.warn(note)
    return Searched(run=run, interrupted=interrupted.asked and not result.finished)


def _warn_of_wide_columns(problem: Problem, output: Output) -> None:
    """Name the columns with so many possible cuts that an evolution gets lost among them."""
    from sfumato.search.space import Space

    if problem.space is not Space.PARTITIONS:
        return
    for column in problem.partitions.columns:
        if not column.constrained and column.bits > MANY_BITS:
            output.warn(
                f"column {column.name!r} has {column.bits:,} possible cuts, too many for a search; "
                "give its hierarchy a coarser unit, or set constrained = true"
            )
