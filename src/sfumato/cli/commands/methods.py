"""``sfumato methods``: all search methods, also those of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.cli.tables import Record
    from sfumato.search.catalogue import SearchMethod

DESCRIPTION = """\
List all search methods: what each finds, where it searches, and which package defines it.

  sfumato methods
  sfumato methods --json

Name one in a study file, method = "sweep" under [search], or with 'sfumato search --method'. Its
settings are in the table [search.NAME].
"""

_COLUMNS = ("name", "finds", "spaces", "criteria", "resumable", "origin")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print the methods as JSON")


def run(arguments: Namespace, output: Output) -> int:  # noqa: ARG001
    """List the search methods."""
    from sfumato.cli.tables import show_members
    from sfumato.search.catalogue import SEARCHES

    found = SEARCHES.all()
    records = [_record(method) for method in found.members.values()]
    show_members(output, records, columns=_COLUMNS, problems=found.problems)
    return DONE


def _record(method: SearchMethod) -> Record:
    from sfumato.cli.tables import origin_record

    able = method.capabilities
    return {
        "name": method.name,
        "finds": method.summary,
        "spaces": tuple(space.value for space in able.spaces),
        "criteria": able.criteria.value,
        "resumable": able.resumable,
        "settings": _settings(method),
        **origin_record(method.origin),
    }


def _settings(method: SearchMethod) -> tuple[str, ...]:
    """Return the keys of ``[search.NAME]``."""
    from dataclasses import fields

    if method.settings is None:
        return ()
    # The settings of a method are a dataclass.
    return tuple(f.name.replace("_", "-") for f in fields(method.settings))  # type: ignore[arg-type]


COMMAND = Command(
    name="methods",
    order=64,
    summary="list all search methods, and what each can do",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
