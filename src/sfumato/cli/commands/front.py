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
    from sfumato.front.front import Front, Solution
    from sfumato.study.runs.run import Run
    from sfumato.views.run.front_view import AlternativesView

DESCRIPTION = """\
Show the Pareto-optimal solutions of a run: no other solution is at least as good in every objective
and better in one.

  sfumato front study-run
  sfumato front study-run --pick 'k>=5,normalized-loss<=0.2' --columns k,t,normalized-loss
  sfumato front study-run --pick knee --json
  sfumato front study-run --instead-of 7 --loss-tolerance 0.02
  sfumato front study-run --instead-of 'k=5,normalized-loss=0.3'

--pick shows the solutions that a rule allows, the one that 'sfumato release --pick' would take, and
what it makes of every column. A rule is an id (7), bounds on any metrics (k>=5), the word policy
(least information loss that meets the policy of the study, the default), the word knee (the best
balance of the objectives, which the answer names), the word flat (regions where more privacy costs
little), one of global, partitions and local (a freedom of recoding, where several spaces were
searched), or several of them joined by commas. Quote the rule: the shell gives > and < a meaning of
its own.

--instead-of shows alternatives to a solution, or to metrics that you have in mind: solutions that
are better at no cost, those with more privacy for a tolerable information loss, and those with less
information loss for a tolerable part of the privacy.
"""

MOST_SHOWN = 5
"""How many alternatives of a kind are shown."""

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
        help="alternatives to a solution (its id) or to metrics, for example 'k=5,loss=900'",
    )
    parser.add_argument(
        "--loss-tolerance",
        type=float,
        metavar="SHARE",
        help="with --instead-of: how much information loss may be added (default: 0.01)",
    )
    parser.add_argument(
        "--privacy-tolerance",
        type=float,
        metavar="SHARE",
        help="with --instead-of: what part of k and other privacy may be given up (default: 0.1)",
    )
    parser.add_argument(
        "--plot",
        action="store_true",
        help="draw privacy against loss also where it is not shown in a terminal",
    )
    parser.add_argument("--json", action="store_true", help="print the solutions as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Show the solutions of a run, or those that a rule allows."""
    from sfumato.cli.front_plot import show_plot
    from sfumato.cli.solution_table import column_table, show_freedoms, show_solutions
    from sfumato.errors.listing import counted
    from sfumato.front.decisions.picking import NO_POLICY
    from sfumato.study.runs.run_folder import read_run
    from sfumato.views.run.front_chart import front_chart
    from sfumato.views.run.front_view import front_view
    from sfumato.views.run.solution_view import folded_text, listed

    run = read_run(arguments.run, reads_source=False)
    metrics = _metrics(run, arguments)
    if arguments.instead_of is not None:
        return _instead(arguments, run, metrics, output)
    for name in ("loss", "privacy"):
        if getattr(arguments, f"{name}_tolerance") is not None:
            raise SettingsError(
                f"--{name}-tolerance needs --instead-of",
                code="conflicting-settings",
                key=f"--{name}-tolerance",
            )
    view = front_view(run, rule=arguments.pick, sort=arguments.sort)
    shown = listed(view.solutions)
    show_solutions(output, shown, metrics, thresholds=view.every_threshold)
    chart = front_chart(
        run,
        solutions=[solution.id for solution in shown],
        picked=None if view.pick is None else view.pick.id,
    )
    show_plot(output, chart, asked=arguments.plot)
    allowed = f"{len(view.solutions):,} of " if arguments.pick else ""
    output.show(f"{allowed}{counted(view.size, 'solution')}; the front is {view.exactness}.")
    if len(shown) < len(view.solutions):
        output.show(folded_text(len(view.solutions) - len(shown)))
    show_freedoms(output, view.freedoms)
    if view.pick is not None:
        option = " --pick" if arguments.pick else ""
        output.show(f"sfumato release{option} would take {view.pick.reason}.")
        bound = next((s.bound for s in view.solutions if s.id == view.pick.id), None)
        if bound is not None:
            output.show(f"It {bound.text}.")
        output.show(column_table(view.pick.columns))
    elif not view.policy:
        output.show(
            f"{NO_POLICY[0].upper()}{NO_POLICY[1:]}: pick one with a rule, as --pick 'k>=5'."
        )
    output.json(view)
    return DONE


def _instead(arguments: Namespace, run: Run, metrics: Sequence[str], output: Output) -> int:
    from sfumato.front.decisions.alternatives import Tolerance
    from sfumato.views.run.front_view import alternatives_view

    if arguments.pick is not None or arguments.sort is not None:
        raise SettingsError(
            "--instead-of cannot be combined with --pick or --sort",
            code="conflicting-settings",
            key="--instead-of",
        )
    given = {"loss": arguments.loss_tolerance, "privacy": arguments.privacy_tolerance}
    tolerance = Tolerance(**{name: value for name, value in given.items() if value is not None})
    choice = _choice(arguments.instead_of, run.result.front)
    view = alternatives_view(run, choice, tolerance=tolerance)
    _show_alternatives(output, view, metrics)
    output.json(view)
    return DONE


def _choice(text: str, front: Front) -> Solution | dict[str, float]:
    """Return the solution of an id, or the metrics that are wished for: ``k=5,loss=0.3``."""
    if text.strip().isdigit():
        return front[int(text)]
    wished: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = part.partition("=")
        try:
            if not equals:
                raise ValueError
            wished[name.strip()] = float(number)
        except ValueError:
            raise SettingsError(
                code="not-a-choice",
                key="--instead-of",
                found=repr(text),
                expected="the id of a solution, like 7, or the metrics that you wish for, like "
                "'k=5,normalized-loss=0.3'",
            ) from None
    return wished


def _show_alternatives(output: Output, found: AlternativesView, metrics: Sequence[str]) -> None:
    """Show what there is instead, the best of each kind first."""
    from sfumato.cli.solution_table import show_solutions
    from sfumato.views.run.solution_view import listed

    output.show(f"Instead of {found.choice}:")
    named = " that you named" if found.partial else ""
    loss, privacy = (100 * share for share in (found.tolerance.loss, found.tolerance.privacy))
    for what, alternatives in (
        (f"Better in something and worse in nothing{named}", found.at_no_cost),
        (f"More privacy, for at most {loss:g} % more loss", found.more_privacy),
        (f"Less loss, for at most {privacy:g} % less privacy", found.less_loss),
    ):
        solutions = listed(alternatives)
        if not solutions:
            output.show(f"\n{what}: nothing.")
            continue
        shown = solutions[:MOST_SHOWN]
        more = (
            f", the first {len(shown)} of {len(solutions)}" if len(shown) < len(solutions) else ""
        )
        output.show(f"\n{what}{more}:")
        show_solutions(output, shown, metrics, thresholds=found.every_threshold)
    if found.flat_region is not None:
        output.show(f"\nIt lies in a flat region: {found.flat_region.text}.")


def _metrics(run: Run, arguments: Namespace) -> tuple[str, ...]:
    """Return the metrics to show: the objectives come first among all of them."""
    from sfumato.views.run.front_view import known_measure

    objectives = tuple(run.result.front.objectives)
    if arguments.columns is not None:
        names = [name.strip() for name in _SEPARATOR.split(arguments.columns) if name.strip()]
        return tuple(dict.fromkeys(known_measure(run, name, option="--columns") for name in names))
    if arguments.all_measures:
        return tuple(dict.fromkeys((*objectives, *run.before.metrics)))
    return objectives


COMMAND = Command(
    name="front",
    order=30,
    summary="the solutions of a run, and what rules would pick",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
