"""``sfumato key``: make the keys that sign certificates and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Make a pair of Ed25519 keys. The private one (mode 0600) signs certificates and stays with you; the
public one, beside it with the ending .pub, is for everybody who checks them.

  sfumato key publisher.key
  sfumato key publisher.key --passphrase

With --passphrase the private key is encrypted. The passphrase is asked for, or taken from the
environment variable SFUMATO_KEY_PASSPHRASE.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("key", type=Path, metavar="FILE", help="where the private key goes")
    parser.add_argument(
        "--passphrase", action="store_true", help="encrypt the private key with a passphrase"
    )


def run(arguments: Namespace, output: Output) -> int:
    """Make the keys and tell where they are."""
    from sfumato.release.signatures.keys import SigningKey

    passphrase = _passphrase() if arguments.passphrase else None
    key = SigningKey.made()
    public = key.write(arguments.key, passphrase=passphrase)
    output.show(f"private key  {arguments.key} (keep it to yourself)")
    output.show(f"public key   {public} (for everybody who checks your releases)")
    output.show(f"fingerprint  {key.public.fingerprint}")
    return DONE


def _passphrase() -> str:
    from sfumato.cli.signing_key import VARIABLE, given_passphrase
    from sfumato.errors import SettingsError

    given = given_passphrase("Passphrase: ")
    if not given:
        raise SettingsError(
            "no passphrase was given",
            code="no-passphrase",
            remedy=f"set {VARIABLE}, or run the command in a terminal",
        )
    if given_passphrase("The same again: ") != given:
        raise SettingsError("the two passphrases differ", code="wrong-passphrase")
    return given


COMMAND = Command(
    name="key",
    order=56,
    summary="make the keys that sign certificates and check them",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
