"""``sfumato report``: one HTML file with the front and every solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Write the report of a run: one HTML file that opens offline in any browser, with the front to
explore, the trade-off between privacy and information loss in words, and what each solution does to
every column.

  sfumato report study-run
  sfumato report study-run --pick 'k>=5' -o report.html

The report is internal and not for publication: it holds metrics of the original table and the
number of suppressed records. Only you may read the file.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", type=Path, metavar="RUN", help="the run folder")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file (default: RUN/report.html)"
    )
    parser.add_argument(
        "--pick",
        metavar="RULE",
        help="the solution that the report opens with: 7, k>=5, knee or flat (default: the least "
        "loss that meets the policy of the study, or the knee if it has none)",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing HTML file")


def run(arguments: Namespace, output: Output) -> int:
    """Write the report and say where it is."""
    from sfumato.report.report import check_report_path, write_report
    from sfumato.study.runs.run_files import REPORT
    from sfumato.study.runs.run_folder import read_run

    run = read_run(arguments.run, reads_source=False)
    path = arguments.output or arguments.run / REPORT
    check_report_path(run, path, force=arguments.force)
    opened = run.opening() if arguments.pick is None else run.pick(arguments.pick)
    write_report(run, path, opening=opened)
    output.show(f"The report is in {path}")
    output.remark(f"it opens with {opened.reason}")
    output.remark("it is not for publication: it holds metrics of the original table")
    return DONE


COMMAND = Command(
    name="report",
    order=60,
    summary="one HTML file with the front and every solution",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
