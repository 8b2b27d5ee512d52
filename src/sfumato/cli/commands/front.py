"""``sfumato front``: the solutions of a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from sfumato.cli.output import Output
    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run

DESCRIPTION = """\
Show the solutions of a run: none of them is beaten by another in all objectives.

  sfumato front study-run
  sfumato front study-run --pick 'k>=5,normalized-loss<=0.2' --columns k,t,normalized-loss
  sfumato front study-run --pick knee --json
  sfumato front study-run --instead-of 7 --loss-tolerance 0.02
  sfumato front study-run --instead-of 'k=5,normalized-loss=0.3'

With --pick only the solutions that a rule allows are shown, which one of them
'sfumato release --pick' would take, and what it makes of every column. A rule is an id (7), bounds
on any measures (k>=5), the word knee (where more privacy begins to cost much more), the word flat
(stretches where it costs little), or several of them joined by commas. Quotes keep the shell from
taking > and < for itself.

With --instead-of the solutions are shown that could take the place of one of them, or of metrics
that you have in mind: those that are better at no cost, those that give more privacy for a
tolerable loss, and those that lose less for a tolerable part of the privacy.
"""

_SEPARATOR = re.compile(r",(?![^(]*\))")
"""A comma that is not inside parentheses, where parameters of a measure stand."""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", type=Path, metavar="RUN", help="the run folder")
    parser.add_argument("--pick", metavar="RULE", help="only the solutions that a rule allows")
    parser.add_argument(
        "--sort", metavar="MEASURE", help="the best in this measure first, or suppressed, or id"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--all-measures", action="store_true", help="show all measures, not the objectives alone"
    )
    shown.add_argument(
        "--columns", metavar="MEASURES", help="the measures to show, separated by commas"
    )
    parser.add_argument(
        "--instead-of",
        metavar="CHOICE",
        help="what there is instead of a solution (its id) or of metrics, as in 'k=5,loss=900'",
    )
    parser.add_argument(
        "--loss-tolerance",
        type=float,
        metavar="SHARE",
        help="with --instead-of: how much loss may be added for more privacy (default: 0.01)",
    )
    parser.add_argument(
        "--privacy-tolerance",
        type=float,
        metavar="SHARE",
        help="with --instead-of: what part of k and the like may go for less loss (default: 0.1)",
    )
    parser.add_argument("--json", action="store_true", help="print the solutions as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Show the solutions of a run, or those that a rule allows."""
    from sfumato.cli.level_meanings import level_meanings
    from sfumato.cli.solution_table import show_solutions, solution_record
    from sfumato.errors.listing import counted
    from sfumato.front.decisions.picking import pick, select
    from sfumato.study.runs.run_folder import read_run

    run = read_run(arguments.run)
    front, metrics = run.result.front, [detail.metrics for detail in run.details]
    columns = _columns(run, arguments)
    if arguments.instead_of is not None:
        return _instead(arguments, run, columns, output)
    for name in ("loss", "privacy"):
        if getattr(arguments, f"{name}_tolerance") is not None:
            raise SettingsError(f"--{name}-tolerance goes with --instead-of; add that")
    solutions: Sequence[Solution] = front.solutions
    picked = None
    if arguments.pick is not None:
        solutions = select(arguments.pick, front, metrics)
        picked = pick(arguments.pick, front, metrics)
    if arguments.sort is not None:
        solutions = _sorted(run, solutions, arguments.sort)
    show_solutions(output, run, solutions, columns)
    exact = "exact" if run.result.exact else "not proved exact"
    allowed = f"{len(solutions):,} of " if picked else ""
    output.show(f"{allowed}{counted(len(front), 'solution')}; the front is {exact}.")
    if picked is not None:
        output.show(f"sfumato release --pick would take {picked.reason}.")
        places = {column.name: column.place(picked.solution) for column in run.columns}
        output.show(level_meanings(run.columns, places, run.study_file.study))
    record: dict[str, object] = {
        "run": str(arguments.run),
        "objectives": {name: way.value for name, way in front.objectives.items()},
        "exact": run.result.exact,
        "rows": run.source.rows,
        "solutions": [
            {
                **solution_record(solution),
                "classes": run.details[solution.id].classes,
                "metrics": metrics[solution.id],
            }
            for solution in solutions
        ],
    }
    if picked is not None:
        record["pick"] = {"id": picked.solution.id, "reason": picked.reason}
    output.json(record)
    return DONE


def _instead(arguments: Namespace, run: Run, columns: Sequence[str], output: Output) -> int:
    from sfumato.cli.alternatives_text import alternatives_record, read_choice, show_alternatives
    from sfumato.front.decisions.alternatives import Tolerance, alternatives

    if arguments.pick is not None or arguments.sort is not None:
        raise SettingsError("--instead-of does not go with --pick or --sort; leave those out")
    front = run.result.front
    given = {"loss": arguments.loss_tolerance, "privacy": arguments.privacy_tolerance}
    tolerance = Tolerance(**{name: value for name, value in given.items() if value is not None})
    found = alternatives(front, read_choice(arguments.instead_of, front), tolerance=tolerance)
    show_alternatives(output, run, found, tolerance, columns)
    output.json({"run": str(arguments.run), **alternatives_record(found)})
    return DONE


def _columns(run: Run, arguments: Namespace) -> tuple[str, ...]:
    """Return the measures to show: the objectives come first among all of them."""
    objectives = tuple(run.result.front.objectives)
    if arguments.columns is not None:
        names = [name.strip() for name in _SEPARATOR.split(arguments.columns) if name.strip()]
        return tuple(dict.fromkeys(_known(run, name, option="--columns") for name in names))
    if arguments.all_measures:
        return tuple(dict.fromkeys((*objectives, *run.before.metrics)))
    return objectives


def _known(run: Run, name: str, *, option: str) -> str:
    """Return the text of a measure of the run, or refuse a name that is none of them."""
    from sfumato.measures.catalogue import measure

    if name in run.before.metrics:
        return name
    # Writes it as the run does, and says what is wrong with a name that is no measure's.
    text = str(measure(name))
    if text not in run.before.metrics:
        raise SettingsError(
            f"{option}: the run has no metrics of {text!r}; it has "
            f"{', '.join(run.before.metrics)}; name {text!r} among the objectives to have it"
        )
    return text


def _sorted(run: Run, solutions: Sequence[Solution], by: str) -> list[Solution]:
    from sfumato.front.decisions.metric import metric_named

    if by == "id":
        return list(solutions)
    if by == "suppressed":
        return sorted(solutions, key=lambda solution: solution.suppressed)
    name = _known(run, by, option="--sort")
    metric = metric_named(name)
    return sorted(solutions, key=lambda s: metric.cost(run.details[s.id].metrics[name]))


COMMAND = Command(
    name="front",
    order=30,
    summary="the solutions of a run, and what rules would pick",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
