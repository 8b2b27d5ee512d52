"""``sfumato schema``: the JSON Schema of the study file, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Print the JSON Schema of the study file. An editor that knows it completes keys, explains them and
marks what is wrong while you type.

  sfumato schema
  sfumato schema -o study.schema.json

It has the settings of all installed searches, also those of other packages. Beside a study file
that 'sfumato init' wrote, study.schema.json is found by the first line of the study.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write it to a file (default: print it)"
    )


def run(arguments: Namespace, output: Output) -> int:
    """Print the schema, or write it."""
    from sfumato.errors import SettingsError
    from sfumato.study.file.study_schema import study_schema

    text = study_schema()
    if arguments.output is None:
        output.out.file.write(text)
        return DONE
    try:
        arguments.output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SettingsError.unwritable(
            arguments.output, error, remedy="choose another place with -o"
        ) from None
    output.show(f"The schema is in {arguments.output}")
    return DONE


COMMAND = Command(
    name="schema",
    order=90,
    summary="the JSON Schema of the study file, for editors",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
