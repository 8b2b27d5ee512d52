"""``sfumato evaluate``: all metrics of one recoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.study.evaluation import Evaluation
    from sfumato.study.study import Study
    from sfumato.views.evaluation_view import EvaluationView

DESCRIPTION = """\
Evaluate one recoding: every metric of privacy, information loss and utility that the study
supports. A global recoding is a level for each quasi-identifier, 0 for original values; 'sfumato
front' shows the levels of solutions in the form that is expected here. Any solution of a run, also
a local recoding, is named by its id.

  sfumato evaluate study.toml --levels 'age=3,sex=0,zip=2'
  sfumato evaluate study.toml --levels 'age=3,"marital, now"=1' --json
  sfumato evaluate study.toml --level age=3 --level 'a=b=1'
  sfumato evaluate study-run --solution 7
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file or a run folder")
    parser.add_argument(
        "--levels",
        metavar="LEVELS",
        help="the level of each quasi-identifier, as in 'age=3,sex=0'; a name that holds a comma "
        "or an equals sign stands in quotes",
    )
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="NAME=N",
        help="the level of one quasi-identifier, whatever its name (may be repeated)",
    )
    parser.add_argument(
        "--solution",
        type=int,
        metavar="ID",
        help="a solution of the run folder, instead of levels",
    )
    parser.add_argument(
        "--threshold",
        type=int,
        metavar="N",
        help="the smallest class size that is kept, where the study allows every threshold "
        '(threshold = "every" under [suppression])',
    )
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the metrics as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Evaluate a recoding and show all its metrics."""
    from sfumato.cli.levels_text import read_levels
    from sfumato.cli.solution_table import column_table
    from sfumato.study.runs.run_folder import read_study
    from sfumato.views.evaluation_view import evaluation_view

    levels = read_levels(arguments.levels, arguments.level)
    if arguments.solution is None:
        study = read_study(arguments.study, allow_paths=arguments.allow_path).study
        evaluation = study.evaluate(levels, threshold=arguments.threshold)
    else:
        study, evaluation = _solution(arguments, levels)
    view = evaluation_view(study, evaluation)
    statements = study.count_table.statements
    for note in statements.notes if statements else ():
        output.warn(note)
    output.show(_summary(view))
    output.show(column_table(view.columns))
    output.show(_table(view))
    output.json(view)
    return DONE


def _solution(arguments: Namespace, levels: Mapping[str, int]) -> tuple[Study, Evaluation]:
    """Return the study of a run and the evaluation of one of its solutions."""
    from sfumato.study.runs.run_folder import read_run

    if levels:
        raise SettingsError(
            "--solution names a recoding, and --levels another one",
            code="conflicting-settings",
            key="--solution",
            remedy="choose one",
        )
    run = read_run(arguments.study, allow_paths=arguments.allow_path)
    run.check_source()
    study = run.study_file.study
    solution = run.result.front[arguments.solution]
    return study, study.evaluate(solution, threshold=arguments.threshold)


def _summary(view: EvaluationView) -> str:
    from sfumato.cli.levels_text import write_levels
    from sfumato.errors.listing import counted
    from sfumato.views.texts import share_text

    lines = [
        f"levels      {write_levels(view.levels)}"
        if view.levels
        else f"recoding    {view.freedom}",
        f"kept        {view.kept:,} of {counted(view.rows, 'row')} in "
        f"{counted(view.classes, 'class', 'classes')}",
        f"suppressed  {counted(view.suppressed, 'row')} ({share_text(view.suppressed, view.rows)})",
    ]
    if view.failing:
        lines[-1] += ": classes that do not meet the criteria"
    elif view.suppressed and view.threshold:
        lines[-1] += f": classes of fewer than {view.threshold:,}"
        lines[-1] += " people" if view.counts_people else ""
    if view.criteria:
        said = "met" if view.meets else "not met"
        lines.append(f"criteria    {', '.join(view.criteria)}: {said}")
    if view.empty:
        lines.append("All records are suppressed, so the metrics say nothing about a release.")
    return "\n".join(lines)


def _table(view: EvaluationView) -> Table:
    from sfumato.cli.tables import text_table
    from sfumato.views.texts import metric_text

    return text_table(
        ("metric", "value", "unit", "better"),
        [
            (each.name, metric_text(view.values[each.name]), each.unit, each.direction.value)
            for each in view.metrics
        ],
        right=("value",),
    )


COMMAND = Command(
    name="evaluate",
    order=25,
    summary="all metrics of one recoding",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
