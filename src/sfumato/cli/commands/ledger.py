"""``sfumato ledger``: list the releases that are remembered, and forget some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.views.ledger_view import LedgerView

DESCRIPTION = """\
List the releases that were made here. Before a release is written, sfumato looks here for earlier
ones of the same people and computes what all of them show together; what misses the policy of the
study, or the least k that was promised, is not released (exit code 3).

  sfumato ledger
  sfumato ledger --forget 0123456789abcdef

Forget a release only if nobody got it. The ledger is in this user's folder for the state of
programs, or where SFUMATO_STATE says. It holds keyed hashes and sketches, no values of the data.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--forget",
        action="append",
        default=[],
        metavar="ID",
        help="forget a release, as if it had never been made (may be repeated)",
    )
    parser.add_argument("--json", action="store_true", help="print the releases as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Forget what is asked, and show what is remembered."""
    from sfumato.release.ledger.ledger import Ledger
    from sfumato.views.ledger_view import ledger_view

    ledger = Ledger.opened()
    for each in arguments.forget:
        ledger.forget(each)
    view = ledger_view(ledger.folder, ledger.entries(), forgotten=arguments.forget)
    _show(view, output)
    output.json(view)
    return DONE


def _show(view: LedgerView, output: Output) -> None:
    for each in view.forgotten:
        output.show(f"{each}  forgotten")
    for release in view.releases:
        accepted = ", accepted with what it shows together with others" if release.accepted else ""
        output.show(f"{release.id}  {release.created}  k = {release.k:,}  {release.file}{accepted}")
    if not view.releases:
        output.show(f"No release is remembered in {view.folder}.")


COMMAND = Command(
    name="ledger",
    order=72,
    summary="list the releases that are remembered, and forget some",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
