"""``sfumato measures``: all measures, also those of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.cli.tables import Record
    from sfumato.measures.measure import Measure

DESCRIPTION = """\
List all measures: what each says, what it needs of the table, and which package defines it.

  sfumato measures
  sfumato measures --json

Each can be an objective of a study file, by its name or with its parameters:
objectives = ["recursive-l(c=3)", "loss"]. Parameters in brackets may be left out.
"""

_COLUMNS = ("measure", "kind", "better", "unit", "needs", "origin")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print the measures as JSON")


def run(arguments: Namespace, output: Output) -> int:  # noqa: ARG001
    """List the measures."""
    from sfumato.cli.tables import show_members
    from sfumato.measures.catalogue import MEASURES

    found = MEASURES.all()
    records = [_record(kind) for kind in found.members.values()]
    show_members(output, records, columns=_COLUMNS, problems=found.problems)
    return DONE


def _record(kind: type[Measure]) -> Record:
    from sfumato.cli.tables import origin_record
    from sfumato.measures.catalogue import MEASURES
    from sfumato.plugins.offers import origin_of

    return {
        "name": kind.name,
        "measure": MEASURES.parameters(kind.name).usage,
        "kind": kind.kind.value,
        "better": kind.direction.value,
        "unit": kind.unit,
        "needs": _needs(kind),
        "reference": kind.reference,
        **origin_record(origin_of(kind)),
    }


def _needs(kind: type[Measure]) -> tuple[str, ...]:
    """Return what of a study not every study has."""
    needed = {
        "a sensitive column": kind.needs_sensitive,
        "a class label": kind.needs_label,
        "confidential statements": kind.needs_statements,
        "levels": kind.needs_levels,
    }
    return tuple(what for what, is_needed in needed.items() if is_needed)


COMMAND = Command(
    name="measures",
    order=62,
    summary="list all measures, and what each needs",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
