"""``sfumato init``: profile a file and propose a study."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.cli.source_options import add_source_options, source_given
from sfumato.cli.tables import text_table
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.views.proposal_view import ProposalView

DESCRIPTION = """\
Profile a table of microdata and propose a study: a role for every column, hierarchies for the
quasi-identifiers, and comments that help to edit them.

  sfumato init patients.csv
  sfumato init hospital.duckdb --table patients -o studies/patients.toml

DATA is a text file (.csv, .tsv, .txt, also .gz), a Parquet file or a DuckDB database. It is never
changed. The proposal follows names and shapes of the columns: read it before you search.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("data", type=Path, metavar="DATA", help="the file with the rows")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="STUDY",
        help="the study file to write (default: study.toml beside DATA)",
    )
    add_source_options(parser)
    parser.add_argument(
        "--person",
        action="append",
        default=[],
        metavar="COLUMN",
        help="the column that tells who a row is about, so that privacy counts people; repeat it "
        "for a key of several columns",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing study file")
    parser.add_argument("--json", action="store_true", help="print the proposal as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Profile the data, propose a study, write it, and show it."""
    from rich.text import Text

    from sfumato.cli.findings_text import tell_findings
    from sfumato.cli.left_behind import tell_what_was_left
    from sfumato.engines.duckdb.engine import DuckDBEngine
    from sfumato.engines.engine import joint_counts, profile
    from sfumato.sources.source import path_of
    from sfumato.study.proposal.proposal import propose
    from sfumato.study.proposal.proposal_findings import proposal_findings
    from sfumato.study.proposal.proposed_study_file import check_study_path, write_proposal
    from sfumato.views.proposal_view import proposal_view

    source = source_given(arguments.data, arguments)
    origin = path_of(source)
    folder = Path() if origin is None else arguments.data.parent
    path = arguments.output or folder / "study.toml"
    tell_what_was_left(output, path)
    # What would fail at the end fails now.
    check_study_path(path, source=source, force=arguments.force)
    watched = output.error.is_terminal and not output.quiet
    with (
        output.error.status(Text(f"looking at {arguments.data.name}")) if watched else nullcontext()
    ):
        engine = DuckDBEngine()
        proposal = propose(
            profile(engine, source),
            where=str(source),
            person=arguments.person,
            count=partial(joint_counts, engine, source),
        )
        findings = proposal_findings(source, engine, proposal)
    write_proposal(path, proposal, source=source, force=arguments.force)
    view = proposal_view(path, proposal, findings)
    _show(view, output)
    tell_findings(output, findings)
    output.json(view)
    return DONE


def _show(view: ProposalView, output: Output) -> None:
    output.show(
        text_table(
            ("column", "role", "why", "hierarchy"),
            [(each.name, each.role.value, each.why, each.hierarchy_text) for each in view.columns],
        )
    )
    if not view.has(Role.QUASI_IDENTIFYING):
        output.show(
            "No column looks quasi-identifying, and a study needs one: edit the file before you "
            "search."
        )
    if not view.has(Role.SENSITIVE):
        output.show("No column looks sensitive; the file explains how to mark one.")
    output.show(
        f"{view.rows:,} rows, {view.recodings:,} recodings to choose from. Wrote {view.study}: "
        "read it, change what is wrong, then:"
    )
    output.show(f"  sfumato search {shlex.quote(view.study)}")


COMMAND = Command(
    name="init",
    order=10,
    summary="profile a file and propose a study to edit",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
