"""``sfumato search``: find the Pareto-optimal recodings."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, INTERRUPTED
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.search.control import StopRule
    from sfumato.study.file.search_table import SearchSettings
    from sfumato.study.file.study_file import StudyFile
    from sfumato.study.runs.run import Run
    from sfumato.views.run.front_chart import FrontChart
    from sfumato.views.run.run_view import RunView

MOST_LINES = 20

DESCRIPTION = """\
Find the Pareto-optimal recodings for the objectives of the study, and write them to a run folder
together with all that is needed to release one of them, or to search again. The study says which
recodings: space = "lattice", "partitions", "admissible" or "local" under [search], or several of
them, as in ["lattice", "partitions", "local"], which gives one front.

  sfumato search study.toml
  sfumato search study.toml -o runs/first --method sweep
  sfumato search study.toml -o runs/ea --method pbg-ea --seed 7 --seconds 60
  sfumato search study.toml -o runs/ea --resume
  sfumato search study.toml -o runs/any --method anytime --evaluations 5000
  sfumato search partitions.toml -o runs/cuts --method nsga-ii
  sfumato search local.toml -o runs/local --seconds 30

Ctrl-C stops a search with what it has found so far, a second Ctrl-C at once. A stopped search is
marked as stopped. Exact searches, anytime, pbg-ea, nsga-ii, genitor and ruin-and-recreate can be
resumed with --resume, with the same result as without the break ('sfumato methods' says which
can), and anytime bounds how far its front can be from the exact one. A search of several spaces
goes on in each of them where it was stopped; spaces that were finished are not searched again.

The folder is private: it holds metrics of the unpublished table. Show the solutions with 'sfumato
front', and release one with 'sfumato release'.
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
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="stop after S seconds of searching"
    )
    parser.add_argument(
        "--resume", action="store_true", help="resume the stopped search in the folder"
    )
    parser.add_argument("--force", action="store_true", help="replace the run in the folder")
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Search, write the run folder, and show what was found."""
    from sfumato.cli.findings_text import TOLD_BY_INIT, tell_findings
    from sfumato.cli.left_behind import tell_what_was_left
    from sfumato.cli.searching import default_folder, search_to_folder
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.proposal.study_template import is_proposed
    from sfumato.study.runs.run_folder import read_stopped_run
    from sfumato.views.run.front_chart import front_chart
    from sfumato.views.run.run_view import run_view

    study_file = read_study_file(arguments.study, allow_paths=arguments.allow_path)
    folder = arguments.output or default_folder(study_file)
    tell_what_was_left(output, folder)
    # What would fail at the end fails now.
    if arguments.resume and arguments.force:
        raise SettingsError(
            "--resume continues a run and --force replaces it",
            code="conflicting-settings",
            key="--resume",
            remedy="choose one",
        )
    earlier = (
        read_stopped_run(folder, allow_paths=arguments.allow_path) if arguments.resume else None
    )
    study_file = replace(study_file, search=_search(arguments, study_file, earlier))
    searched = search_to_folder(
        study_file,
        folder,
        output,
        threads=arguments.threads,
        rules=partial(_stop_rules, arguments),
        earlier=earlier,
        force=arguments.force or arguments.resume,
    )
    findings = study_file.study.findings(escape_formulas=study_file.escape_formulas)
    view = run_view(searched.run, findings=findings)
    _show(view, arguments.study, output, chart=front_chart(searched.run))
    tell_findings(
        output, findings, told=TOLD_BY_INIT if is_proposed(study_file.text) else frozenset()
    )
    output.json(view)
    return INTERRUPTED if searched.interrupted else DONE


def _search(arguments: Namespace, study_file: StudyFile, earlier: Run | None) -> SearchSettings:
    """Return which search runs: as the command line says, or else the run that is resumed."""
    said = earlier.study_file.search if earlier else study_file.search
    return replace(
        study_file.search,
        method=said.method if arguments.method is None else arguments.method,
        seed=said.seed if arguments.seed is None else arguments.seed,
    )


def _stop_rules(arguments: Namespace) -> list[StopRule]:
    from sfumato.search.control import after_evaluations, after_seconds

    rules = []
    if arguments.evaluations is not None:
        rules.append(after_evaluations(arguments.evaluations))
    if arguments.seconds is not None:
        rules.append(after_seconds(arguments.seconds))
    return rules


def _show(view: RunView, study: Path, output: Output, *, chart: FrontChart | None) -> None:
    from sfumato.cli.front_plot import show_plot
    from sfumato.cli.solution_table import show_freedoms, show_solutions
    from sfumato.views.run.solution_view import folded_text, listed, spread

    width = max(len(fact.term) for fact in view.facts) + 2
    for fact in view.facts:
        output.show(f"{fact.term.lower():{width}}{fact.text}")
    different = listed(view.solutions)
    shown = spread(different, MOST_LINES)
    show_solutions(output, shown, tuple(view.objectives), thresholds=view.every_threshold)
    if len(shown) < len(different):
        output.show(f"{len(shown)} of {len(different):,} solutions, evenly spread.")
    if len(different) < len(view.solutions):
        output.show(folded_text(len(view.solutions) - len(different)))
    show_plot(output, chart, asked=False)
    show_freedoms(output, view.freedoms)
    folder = shlex.quote(view.run)
    if view.resumable:
        output.show(
            f"The search was stopped; resume it with: sfumato search {shlex.quote(str(study))} "
            f"-o {folder} --resume"
        )
    output.show(f"The run is in {view.run}; see all of it with: sfumato front {folder}")


COMMAND = Command(
    name="search",
    order=20,
    summary="find the Pareto-optimal recodings",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
