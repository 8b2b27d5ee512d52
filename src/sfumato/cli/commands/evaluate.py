"""``sfumato evaluate``: all measures of one recoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.study.evaluation import Evaluation

DESCRIPTION = """\
Measure one recoding: every value of privacy and loss that the study supports. A recoding is a
level for each quasi-identifier, 0 for the values themselves; 'sfumato front' shows the levels of
solutions in the form that is taken here.

  sfumato evaluate study.toml --levels 'age=3,sex=0,zip=2'
  sfumato evaluate study.toml --levels 'age=3,"marital, now"=1' --json
  sfumato evaluate study.toml --level age=3 --level 'a=b=1'
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
        "--threshold",
        type=int,
        metavar="N",
        help="the smallest class size that is kept, where the study allows every threshold "
        '(threshold = "every" under [suppression])',
    )
    parser.add_argument("--json", action="store_true", help="print the metrics as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Measure a recoding and show all its metrics."""
    from sfumato.cli.level_meanings import level_meanings
    from sfumato.cli.levels_text import read_levels
    from sfumato.study.runs.run_folder import read_study
    from sfumato.study.runs.solution_details import run_columns

    levels = read_levels(arguments.levels, arguments.level)
    study = read_study(arguments.study).study
    evaluation = study.evaluate(levels, threshold=arguments.threshold)
    statements = study.count_table.statements
    for note in statements.notes if statements else ():
        output.warn(note)
    output.show(_summary(evaluation))
    output.show(level_meanings(run_columns(study.count_table), evaluation.levels, study))
    output.show(_table(evaluation))
    output.json(
        {
            "levels": evaluation.levels,
            "values": evaluation.values,
            "rows": evaluation.rows,
            "suppressed": evaluation.suppressed,
            "classes": evaluation.classes,
            "threshold": evaluation.threshold,
            "empty": evaluation.empty,
            **({"meets": evaluation.meets} if evaluation.suppression.criteria else {}),
        }
    )
    return DONE


def _summary(evaluation: Evaluation) -> str:
    from sfumato.cli.levels_text import write_levels
    from sfumato.cli.metric_text import share_text
    from sfumato.errors.listing import counted

    share = share_text(evaluation.suppressed, evaluation.rows)
    kept = evaluation.rows - evaluation.suppressed
    lines = [
        f"levels      {write_levels(evaluation.levels)}",
        f"kept        {kept:,} of {counted(evaluation.rows, 'row')} in "
        f"{counted(evaluation.classes, 'class', 'classes')}",
        f"suppressed  {counted(evaluation.suppressed, 'row')} ({share})",
    ]
    if evaluation.suppression.criteria:
        said = ", ".join(map(str, evaluation.suppression.criteria))
        lines[-1] += ": classes that fail"
        lines.append(f"criteria    {said}: {'met' if evaluation.meets else 'not met'}")
    elif evaluation.suppressed:
        lines[-1] += f": classes of fewer than {evaluation.threshold:,}"
    if evaluation.empty:
        lines.append("Nothing is kept, so the metrics say nothing about a release.")
    return "\n".join(lines)


def _table(evaluation: Evaluation) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from sfumato.cli.metric_text import metric_text
    from sfumato.front.decisions.metric import metric_named

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("measure", "value", "unit", "better"):
        table.add_column(head, justify="right" if head == "value" else "left")
    # Privacy first, then loss, each by name.
    metrics = sorted(map(metric_named, evaluation.values), key=lambda f: (f.kind == "loss", f.name))
    for metric in metrics:
        value = metric_text(evaluation.values[metric.name])
        table.add_row(*map(Text, (metric.name, value, metric.unit, metric.direction.value)))
    return table


COMMAND = Command(
    name="evaluate",
    order=25,
    summary="all measures of one recoding",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
