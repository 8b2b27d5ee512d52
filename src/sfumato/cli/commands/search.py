"""``sfumato search``: find every recoding that none other beats."""

from __future__ import annotations

import shlex
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, INTERRUPTED
from sfumato.errors import SettingsError
from sfumato.search.space_size import size_record

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.search.problem import Problem
    from sfumato.search.stopping import StopRule
    from sfumato.study.file.search_settings import SearchSettings
    from sfumato.study.file.study_file import StudyFile
    from sfumato.study.runs.run import Run

MOST_LINES = 20
MANY_BITS = 500

DESCRIPTION = """\
Find every recoding that no other one beats in all objectives of the study, and write them to a
run folder together with all that is needed to release one of them, or to search again.

  sfumato search study.toml
  sfumato search study.toml -o runs/first --method sweep
  sfumato search study.toml -o runs/ea --method pbg-ea --seed 7 --seconds 60
  sfumato search study.toml -o runs/ea --resume
  sfumato search study.toml -o runs/any --method anytime --evaluations 5000
  sfumato search partitions.toml -o runs/cuts --method nsga-ii

Ctrl-C ends a search with what it has found so far, and a second one at once. A search that was
stopped is marked so. pbg-ea, nsga-ii, genitor and anytime can go on with --resume, to the same
result that they would have had without the break, and anytime says how far the best can still be
from what it has.

The folder is private: it holds metrics of the unpublished table. Look at the solutions with
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
    parser.add_argument(
        "--seed", type=int, metavar="N", help="the seed, instead of the one that the study names"
    )
    parser.add_argument(
        "--evaluations",
        type=int,
        metavar="N",
        help="stop when N different recodings are evaluated, at the end of the step",
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the search in the folder that was stopped"
    )
    parser.add_argument("--force", action="store_true", help="replace the run in the folder")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Search, write the run folder, and show what was found."""
    from sfumato.cli.interrupting import interruption
    from sfumato.search.result import silent
    from sfumato.search.stopping import any_of
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.progress_bar import progress_bar
    from sfumato.study.runs.run_folder import check_free, read_stopped_run, write_run
    from sfumato.study.runs.source_digest import digest_of_rows

    study_file = read_study_file(arguments.study)
    folder = arguments.output or study_file.path.with_name(f"{study_file.path.stem}-run")
    # What would fail at the end fails now.
    if arguments.resume and arguments.force:
        raise SettingsError("--resume goes on with a run and --force replaces it; choose one")
    earlier = read_stopped_run(folder) if arguments.resume else None
    search = _search(arguments, study_file, earlier)
    study_file = replace(study_file, search=search)
    rules = _stop_rules(arguments)
    replaces = arguments.force or arguments.resume
    check_free(folder, force=replaces)
    counted = digest_of_rows(study_file.study)
    started = time.perf_counter()
    bar = output.error.is_terminal and not output.quiet
    with progress_bar(console=output.error) if bar else nullcontext(silent) as listener:
        # Counting cannot be stopped half-way, a search can.
        _warn_of_wide_columns(study_file.study.problem, output)
        statements = study_file.study.problem.table.statements
        with interruption(output) as interrupted:
            result = study_file.study.search(
                method=search.method,
                settings=search.for_space(study_file.study.problem.space),
                seed=search.seed,
                threads=arguments.threads,
                listener=listener,
                should_stop=any_of(interrupted, *rules),
                resume=earlier.result.state if earlier else None,
            )
    found = write_run(
        folder,
        study_file,
        result,
        seconds=time.perf_counter() - started + (earlier.seconds if earlier else 0),
        force=replaces,
        counted=counted,
    )
    for note in statements.notes if statements else ():
        output.warn(note)
    _show(found, folder, arguments.study, output)
    return INTERRUPTED if interrupted.asked and not result.finished else DONE


def _search(arguments: Namespace, study_file: StudyFile, earlier: Run | None) -> SearchSettings:
    """Return which search runs: the command line counts first, then a run that goes on."""
    said = earlier.study_file.search if earlier else study_file.search
    return replace(
        study_file.search,
        method=said.method if arguments.method is None else arguments.method,
        seed=said.seed if arguments.seed is None else arguments.seed,
    )


def _warn_of_wide_columns(problem: Problem, output: Output) -> None:
    """Say which columns have so many places to cut that an evolution gets lost among them."""
    from sfumato.search.space import Space

    if problem.space is not Space.PARTITIONS:
        return
    for column in problem.partitions.columns:
        if not column.constrained and column.bits > MANY_BITS:
            output.warn(
                f"column {column.name!r} can be cut at {column.bits:,} places, among which a "
                "search finds little; give its hierarchy a coarser unit, or set "
                "constrained = true"
            )


def _stop_rules(arguments: Namespace) -> list[StopRule]:
    from sfumato.search.stopping import after_evaluations, after_seconds

    rules = []
    if arguments.evaluations is not None:
        rules.append(after_evaluations(arguments.evaluations))
    if arguments.seconds is not None:
        rules.append(after_seconds(arguments.seconds))
    return rules


def _show(run: Run, folder: Path, study: Path, output: Output) -> None:
    from sfumato.cli.run_summary import run_summary
    from sfumato.cli.solution_table import show_solutions, solution_record, spread
    from sfumato.study.runs.run_json import guarantee_record, minimal_record

    result, front = run.result, run.result.front
    shown = spread(front.solutions, MOST_LINES)
    output.show(run_summary(run))
    show_solutions(output, run, shown, tuple(front.objectives))
    if len(shown) < len(front):
        output.show(f"{len(shown)} of {len(front):,} solutions, evenly spread.")
    if result.state is not None:
        places = f"{shlex.quote(str(study))} -o {shlex.quote(str(folder))}"
        output.show(f"The search was stopped; it goes on with: sfumato search {places} --resume")
    output.show(
        f"The run is in {folder}; see all of it with: sfumato front {shlex.quote(str(folder))}"
    )
    output.json(
        {
            "objectives": {name: way.value for name, way in front.objectives.items()},
            "exact": result.exact,
            "finished": result.finished,
            "reason": result.reason,
            "method": result.method,
            "evaluations": result.evaluated,
            "nodes": size_record(result.nodes),
            "guarantee": guarantee_record(result.guarantee),
            **minimal_record(result.minimal),
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
