"""What a command is. A command is one file in the folder ``commands`` that defines COMMAND."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.plugins.family import ValueFamily

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from sfumato.cli.output import Output


@dataclass(frozen=True, kw_only=True)
class Command:
    """A subcommand: its one line, the text that teaches it, its arguments, and what it does.

    ``order`` is its place in the list of commands: that of the workflow. ``run``
    returns the exit code; errors of the user's input are raised as `SfumatoError`.
    """

    name: str
    order: int
    summary: str
    description: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Output], int]


_COMMANDS = ValueFamily(noun="command", kind=Command, packages=("sfumato.cli.commands",))


def commands() -> tuple[Command, ...]:
    """Return all commands, in their order.

    >>> "search" in [command.name for command in commands()]
    True
    """
    found = _COMMANDS.built_in.values()
    return tuple(sorted(found, key=lambda command: (command.order, command.name)))
