"""``sfumato report``: one HTML file with the front and every solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.study.runs.run import Run
    from sfumato.views.attack_view import AttackView

DESCRIPTION = """\
Write the report of a run: one HTML file that opens offline in any browser, with the front to
explore, the trade-off between privacy and information loss in words, and what each solution does to
every column.

  sfumato report study-run
  sfumato report study-run --pick 'k>=5' -o report.html
  sfumato report study-run --attack released.csv --register register.csv

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
    parser.add_argument(
        "--attack",
        type=Path,
        metavar="FILE",
        help="attack this released file, and show in the report what intruders find",
    )
    parser.add_argument(
        "--register",
        type=Path,
        metavar="FILE",
        help="with --attack: a table of people with an identifier, to look them up",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing HTML file")
    add_allow_path(parser)


def run(arguments: Namespace, output: Output) -> int:
    """Write the report and say where it is."""
    from sfumato.report.report import check_report_path, write_report
    from sfumato.study.runs.run_files import REPORT
    from sfumato.study.runs.run_folder import read_run

    _check_register(arguments)
    run = read_run(
        arguments.run,
        allow_paths=arguments.allow_path,
        reads_source=arguments.attack is not None,
    )
    path = arguments.output or arguments.run / REPORT
    check_report_path(run, path, force=arguments.force)
    opened = run.opening() if arguments.pick is None else run.pick(arguments.pick)
    attacks = None if arguments.attack is None else _attacked(run, arguments)
    write_report(run, path, opening=opened, attacks=attacks)
    output.show(f"The report is in {path}")
    output.remark(f"it opens with {opened.reason}")
    output.remark("it is not for publication: it holds metrics of the original table")
    return DONE


def _check_register(arguments: Namespace) -> None:
    from sfumato.errors import SettingsError

    if arguments.register is not None and arguments.attack is None:
        raise SettingsError(
            "a register is looked up in a released file, and none is named",
            code="missing-setting",
            key="--attack",
            remedy="name it: --attack released.csv",
        )


def _attacked(run: Run, arguments: Namespace) -> AttackView:
    from sfumato.risk.attacks.file_attacks import Intruder
    from sfumato.views.attack_view import attack_view

    run.check_source()
    intruder = Intruder(register=arguments.register)
    found = run.study_file.study.attack(arguments.attack, intruder)
    return attack_view(arguments.attack.name, found)


COMMAND = Command(
    name="report",
    order=60,
    summary="one HTML file with the front and every solution",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
