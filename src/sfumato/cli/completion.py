"""Shell completion: scripts that know the commands and their options."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.cli.command import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ALWAYS = ("--quiet", "--traceback", "--help")
"""The options that every command has."""


@dataclass(frozen=True, kw_only=True)
class Completed:
    """A command with its options, and what can follow those that have choices."""

    name: str
    summary: str
    options: tuple[str, ...]
    choices: tuple[str, ...]


def completed_commands() -> tuple[Completed, ...]:
    """Return what can be completed, in the order of the commands."""
    found = []
    for command in commands():
        parser = ArgumentParser(add_help=False)
        command.arguments(parser)
        actions = parser._actions
        options = [o for action in actions for o in action.option_strings if o.startswith("--")]
        positional = [a for a in actions if not a.option_strings and a.choices is not None]
        found.append(
            Completed(
                name=command.name,
                summary=command.summary,
                options=(*options, *ALWAYS),
                choices=tuple(str(c) for action in positional for c in action.choices or ()),
            )
        )
    return tuple(found)


def bash(all_commands: Sequence[Completed]) -> str:
    """Return a script for bash: options after a dash, else files beside the choices."""
    cases = "\n".join(
        f"    {each.name}) options={shlex.quote(' '.join(each.options))}; "
        f"choices={shlex.quote(' '.join(each.choices))} ;;"
        for each in all_commands
    )
    names = shlex.quote(" ".join(each.name for each in all_commands))
    return f"""\
_sfumato() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" options= choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W {names} -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); fi ;;
  esac
}}
complete -o default -F _sfumato sfumato
"""


def zsh(all_commands: Sequence[Completed]) -> str:
    """Return a script for zsh, which can run that for bash."""
    start = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
    return start + bash(all_commands)


def fish(all_commands: Sequence[Completed]) -> str:
    """Return a script for fish."""
    lines = []
    for each in all_commands:
        summary = "'" + each.summary.replace("\\", "\\\\").replace("'", "\\'") + "'"
        lines.append(f"complete -c sfumato -n __fish_use_subcommand -f -a {each.name} -d {summary}")
        seen = f"-n '__fish_seen_subcommand_from {each.name}'"
        lines += [f"complete -c sfumato {seen} -l {o.removeprefix('--')}" for o in each.options]
        if each.choices:
            lines.append(f"complete -c sfumato {seen} -f -a '{' '.join(each.choices)}'")
    return "\n".join(lines) + "\n"


SHELLS: dict[str, Callable[[Sequence[Completed]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
