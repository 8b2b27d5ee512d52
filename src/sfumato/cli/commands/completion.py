"""``sfumato completion``: the script that completes commands and options in a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Print a script that completes the commands and options of sfumato with the Tab key.

  sfumato completion bash

Where it goes:
  bash   echo 'eval "$(sfumato completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(sfumato completion zsh)"' >> ~/.zshrc
  fish   sfumato completion fish > ~/.config/fish/completions/sfumato.fish
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell")


def run(arguments: Namespace, output: Output) -> int:
    """Print the script."""
    from sfumato.cli.completion import SHELLS, completed_commands

    output.out.file.write(SHELLS[arguments.shell](completed_commands()))
    return DONE


COMMAND = Command(
    name="completion",
    order=95,
    summary="a script that completes commands and options in a shell",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
