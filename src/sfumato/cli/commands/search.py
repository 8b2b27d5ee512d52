"""``sfumato search``: find every recoding that none other beats."""

from __future__ import annotations

import shlex
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.study.run import Run

MOST_LINES = 20

DESCRIPTION = """\
Find every recoding that no other one beats in all objectives of the study, and write them to a
run folder together with all that is needed to release one of them, or to search again.

  sfumato search study.toml
  sfumato search study.toml -o runs/first --method sweep

The folder is private: it holds figures of the unpublished table. Look at the solutions with
'sfumato front', and write one out with 'sfumato release'.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="RUN",
        help="the run folder (default: the name of the study with -run, beside it)",
    )
    parser.add_argument(
        "--method", metavar="NAME", help="the search, instead of the one that the study names"
    )
    parser.add_argument(
        "--threads", type=int, metavar="N", help="threads to use (default: all cores)"
    )
    parser.add_argument("--force", action="store_true", help="replace the run in the folder")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Search, write the run folder, and show what was found."""
    from sfumato.search.catalogue import method_named
    from sfumato.search.result import silent
    from sfumato.study.progress_bar import progress_bar
    from sfumato.study.run_folder import check_free, write_run
    from sfumato.study.source_digest import source_digest
    from sfumato.study.study_copy import source_path
    from sfumato.study.study_file import read_study_file

    study_file = read_study_file(arguments.study)
    folder = arguments.output or study_file.path.with_name(f"{study_file.path.stem}-run")
    method = arguments.method or study_file.search.method
    # What would fail at the end fails now.
    method_named(method)
    check_free(folder, force=arguments.force)
    counted = source_digest(source_path(study_file))
    started = time.perf_counter()
    bar = output.error.is_terminal and not output.quiet
    with progress_bar(console=output.error) if bar else nullcontext(silent) as listener:
        result = study_file.study.search(
            method=method, threads=arguments.threads, listener=listener
        )
    found = write_run(
        folder,
        study_file,
        result,
        seconds=time.perf_counter() - started,
        force=arguments.force,
        counted=counted,
    )
    _show(found, folder, output)
    return DONE


def _show(run: Run, folder: Path, output: Output) -> None:
    from sfumato.cli.run_summary import run_summary
    from sfumato.cli.solution_table import show_solutions, solution_record, spread

    result, front = run.result, run.result.front
    shown = spread(front.solutions, MOST_LINES)
    output.show(run_summary(run))
    show_solutions(output, run, shown, tuple(front.objectives))
    if len(shown) < len(front):
        output.show(f"{len(shown)} of {len(front):,} solutions, evenly spread.")
    output.show(
        f"The run is in {folder}; see all of it with: sfumato front {shlex.quote(str(folder))}"
    )
    output.json(
        {
            "objectives": {name: way.value for name, way in front.objectives.items()},
            "exact": result.exact,
            "reason": result.reason,
            "method": result.method,
            "evaluations": result.evaluated,
            "nodes": result.nodes,
            "rows": run.source.rows,
            "solutions": [solution_record(solution) for solution in front],
            "run": str(folder),
        }
    )


COMMAND = Command(
    name="search",
    order=20,
    summary="find every recoding that none other beats",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
