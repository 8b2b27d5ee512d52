"""``sfumato utility``: what analysts can still do with a solution of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.study.analysed_study import UtilityQuestion
    from sfumato.study.runs.run_utility import RunUtility

DESCRIPTION = """\
Say what analysts can still do with a solution of a run: distributions of all columns and
associations of pairs before and after, the groups of people whose picture is distorted most, the
errors of COUNT queries, and how well learners that are trained on the release predict originals
that they have not seen.

  sfumato utility study-run --pick 'k>=5'
  sfumato utility study-run --pick 'k>=5' --target salary --target job
  sfumato utility study-run --pick 'k>=5' --workload queries.toml
  sfumato utility study-run --pick 'k>=5' --target salary --along 2,5,10,50

--along looks at the solutions with the least loss at each k, in every space that was searched.
Targets are columns that are released as they are. A workload is a TOML file:

  queries = ['age between 30 and 40 and sex = "F"']
  [random]
  count = 1000

Without one, 1,000 queries are drawn. Nothing is released. The result is kept in the run folder
(utility.json), and sfumato report shows it. It is not for publication. Learning needs the extra
utility: pip install 'sfumato[utility]'.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", type=Path, metavar="RUN", help="the run folder")
    parser.add_argument(
        "--pick",
        metavar="RULE",
        help="an id, 'k>=5', 'knee', or several with commas (default: policy, the least loss that "
        "meets the policy of the study)",
    )
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a column that learners predict (may be repeated)",
    )
    parser.add_argument(
        "--workload", type=Path, metavar="FILE", help="COUNT queries in a TOML file"
    )
    parser.add_argument(
        "--along", metavar="KS", help="also the least loss at each of these k, like 2,5,10,50"
    )
    parser.add_argument(
        "--by",
        action="append",
        metavar="COLUMN",
        help="a column that makes groups of people (may be repeated; default: all categories with "
        "few values)",
    )
    parser.add_argument(
        "--learners", metavar="NAMES", help="the learners, separated by commas (default: all)"
    )
    parser.add_argument(
        "--folds", type=int, metavar="N", help="folds of cross-validation (default: 5)"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the folds (default: 1)")
    parser.add_argument(
        "--values",
        choices=["generalized", "microaggregated"],
        help="what stands in the cells (default: as the study says)",
    )
    parser.add_argument(
        "--no-save",
        dest="save",
        action="store_false",
        help="do not keep the result in the run folder",
    )
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Compute the utility of a solution, show it and keep it."""
    from sfumato.cli.output import shown_stages
    from sfumato.release.release_request import ReleasedValues
    from sfumato.study.runs.run_folder import read_run
    from sfumato.study.runs.run_utility import Along, utility_of_run, write_utility

    along = Along(marks=_marks(arguments.along))
    question = _question(arguments)
    found = read_run(arguments.run, allow_paths=arguments.allow_path)
    with shown_stages(output) as stage:
        utility = utility_of_run(
            found,
            question,
            rule=arguments.pick,
            values=None if arguments.values is None else ReleasedValues(arguments.values),
            along=along,
            told=stage,
        )
    _show(utility, output)
    if arguments.save:
        path = write_utility(found, utility)
        output.remark(f"kept in {path}, where sfumato report finds it; it is not for publication")
    output.json(utility.plain())
    return DONE


def _question(arguments: Namespace) -> UtilityQuestion:
    from sfumato.study.analysed_study import UtilityQuestion
    from sfumato.utility.learning import LearningSettings
    from sfumato.utility.workload import read_workload

    settings = LearningSettings()
    names = arguments.learners
    return UtilityQuestion.of(
        workload=None if arguments.workload is None else read_workload(arguments.workload),
        targets=tuple(dict.fromkeys(arguments.target)),
        learning=LearningSettings(
            learners=settings.learners
            if names is None
            else tuple(name.strip() for name in names.split(",") if name.strip()),
            folds=settings.folds if arguments.folds is None else arguments.folds,
            seed=settings.seed if arguments.seed is None else arguments.seed,
        ),
        by=arguments.by,
    )


def _marks(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise SettingsError(
            code="not-a-number",
            key="--along",
            found=repr(text),
            expected="values of k separated by commas, like 2,5,10,50",
        )
    return tuple(map(int, parts))


def _show(found: RunUtility, output: Output) -> None:
    from sfumato.cli.tables import text_table
    from sfumato.views.utility_view import errors_text, utility_tables

    utility = found.utility
    output.show(f"Solution {found.solution}: {found.reason}.")
    output.show(f"It releases {utility.released:,} of {utility.rows:,} rows.")
    for table in utility_tables(found):
        output.show(f"\n{table.title}")
        output.show(text_table(table.heads, table.rows, right=table.right))
        if table.note:
            output.show(table.note)
    output.show()
    for errors, what in ((utility.random, "Random"), (utility.asked, "Written")):
        if errors is not None:
            output.show(f"{what} queries: {errors_text(errors)}.")
    for name, values in utility.left_out.items():
        output.warn(f"column {name!r} is left out: it has about {values:,} different values")
    for each in found.unreached:
        output.warn(f"no solution reaches {each}")


COMMAND = Command(
    name="utility",
    order=35,
    summary="what analysts can still do with a solution",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
