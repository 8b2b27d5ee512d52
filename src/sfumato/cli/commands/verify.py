"""``sfumato verify``: whether a released file is what its public certificate says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, VERIFIED

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.views.verification_view import VerificationView

DESCRIPTION = """\
Verify a released file by its public certificate, without the study that it came from: for those
who got the data and have nothing else.

  sfumato verify released.csv released.csv.certificate.json
  sfumato verify released.csv released.csv.certificate.json --public-key publisher.key.pub

The file, or the folder of its parts, must have the SHA-256 of the certificate. Its rows, classes
and labels are counted, and every metric that the file alone shows is recomputed. What the file
does not show (information loss, people, confidential statements) is listed: that is the
publisher's word. With --public-key the certificate must be signed by that key; its signature is
the file beside it that ends with .sig. Without, anybody could have written both files.

The exit code is 0 if the release is intact, and else that of the first fault: 10 another key
signed; 11 the certificate was changed after it was signed; 12 it is not signed; 13 the certificate
is of another version; 14 it is broken or contradicts itself; 15 the file has other columns; 16
rows are missing or were added; 17 the file was changed; 18 the certificate has other metrics than
the file.
"""

_SIGNATURES = {
    "none": "none: anybody could have written the certificate",
    "not-checked": "by the key {}; give it with --public-key to check whose it is",
    "valid": "valid, by the key {}",
    "other-key": "by another key, {}",
    "does-not-fit": "does not fit the certificate (key {})",
}


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the released file, or the folder of its parts"
    )
    parser.add_argument(
        "certificate", type=Path, metavar="CERTIFICATE", help="its public certificate"
    )
    parser.add_argument(
        "--public-key", type=Path, metavar="FILE", help="the key that must have signed it"
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Compare a file with its certificate and say what does not agree."""
    from sfumato.release.received.verifying import verify_release
    from sfumato.views.verification_view import INTACT, verification_view

    check = verify_release(arguments.file, arguments.certificate, public_key=arguments.public_key)
    view = verification_view(check)
    _show(view, output)
    output.json(view)
    return DONE if view.verdict == INTACT else VERIFIED[view.verdict]


def _show(view: VerificationView, output: Output) -> None:
    from sfumato.errors.listing import counted

    for fault in view.faults:
        output.show(f"FAULT      {fault.code}: {fault.message}")
    output.show(f"signature  {_SIGNATURES[view.signature].format(view.signed_by)}")
    if view.compared:
        agree = sum(each.same for each in view.compared.values())
        output.show(f"recomputed {agree} of {counted(len(view.compared), 'number')} agree")
        output.show(_table(view))
    for name, reason in view.not_shown.items():
        output.show(f"not shown by the file  {name}: {reason}")
    if not view.faults:
        output.show(
            f"{view.file} is intact: it is the file that {view.certificate} is about, and has all "
            "that it shows of it"
        )


def _table(view: VerificationView) -> Table:
    from sfumato.cli.tables import text_table
    from sfumato.views.texts import metric_text

    return text_table(
        ("number", "certified", "in the file", ""),
        [
            (
                name,
                metric_text(each.certified),
                metric_text(each.found),
                "" if each.same else "differs",
            )
            for name, each in view.compared.items()
        ],
        right=("certified", "in the file"),
    )


COMMAND = Command(
    name="verify",
    order=55,
    summary="verify a released file by its certificate",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
