"""``sfumato sign``: sign the public certificate of a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Sign the public certificate of a release, and thereby the file whose SHA-256 it has. The signature
goes beside the certificate, with the ending .sig. 'sfumato release --sign KEY' does it at once.

  sfumato sign released.csv.certificate.json --key publisher.key

The key is one of 'sfumato key'. Its passphrase, if it has one, is asked for, or taken from the
environment variable SFUMATO_KEY_PASSPHRASE.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "certificate", type=Path, metavar="CERTIFICATE", help="the public certificate"
    )
    parser.add_argument("--key", type=Path, required=True, metavar="FILE", help="the private key")
    parser.add_argument("--force", action="store_true", help="overwrite an earlier signature")


def run(arguments: Namespace, output: Output) -> int:
    """Sign a certificate and tell where the signature is."""
    from sfumato.cli.signing_key import signing_key
    from sfumato.release.certificates.signing import sign_certificate

    key = signing_key(arguments.key)
    place = sign_certificate(arguments.certificate, key, force=arguments.force)
    output.show(f"signature    {place} (goes with the data)")
    output.show(f"fingerprint  {key.public.fingerprint}")
    return DONE


COMMAND = Command(
    name="sign",
    order=57,
    summary="sign the public certificate of a release",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
