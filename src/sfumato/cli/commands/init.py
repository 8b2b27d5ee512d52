"""``sfumato init``: look at a file, and propose a study of it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.cli.source_options import add_source_options, source_given
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.study.proposal.proposal import Proposal, ProposedColumn

DESCRIPTION = """\
Look at a table about people, and write a first study of it: a role for every column, hierarchies
for those that others may know, and comments to edit them by.

  sfumato init patients.csv
  sfumato init hospital.duckdb --table patients -o studies/patients.toml

DATA is a text file (.csv, .tsv, .txt, also .gz), a Parquet file or a DuckDB database. Nothing of
it is changed. The proposal follows names and shapes of the columns: read it before you search.
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
    parser.add_argument("--force", action="store_true", help="replace a study file that is there")
    parser.add_argument("--json", action="store_true", help="print the proposal as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Profile the data, propose a study, write it, and show it."""
    from rich.text import Text

    from sfumato.engines.duckdb.engine import DuckDBEngine
    from sfumato.engines.engine import profile
    from sfumato.study.proposal.proposal import propose
    from sfumato.study.proposal.proposed_study_file import check_study_path, write_proposal

    source = source_given(arguments.data, arguments)
    path = arguments.output or arguments.data.with_name("study.toml")
    # What would fail at the end fails now.
    check_study_path(path, source=source, force=arguments.force)
    watched = output.error.is_terminal and not output.quiet
    with (
        output.error.status(Text(f"looking at {arguments.data.name}")) if watched else nullcontext()
    ):
        profiles = profile(DuckDBEngine(), source)
    proposal = propose(profiles, where=str(source))
    write_proposal(path, proposal, source=source, force=arguments.force)
    _show(proposal, path, output)
    return DONE


def _show(proposal: Proposal, path: Path, output: Output) -> None:
    output.json(
        {
            "study": str(path),
            "rows": proposal.rows,
            "recodings": proposal.lattice,
            "missing_markers": proposal.markers,
            "columns": [_record(column) for column in proposal.columns],
        }
    )
    output.show(_table(proposal))
    quasi = proposal.of_role(Role.QUASI_IDENTIFYING)
    if not quasi:
        output.show(
            "No column looks quasi-identifying, and a study needs one: edit the file before you "
            "search."
        )
    if not proposal.of_role(Role.SENSITIVE):
        output.show("No column looks sensitive; the file tells how to mark one.")
    output.show(
        f"{proposal.rows:,} rows, {proposal.lattice:,} recodings to choose from. Wrote {path}: "
        "read it, change what is wrong, then:"
    )
    output.show(f"  sfumato search {_word(path)}")


def _table(proposal: Proposal) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("column", "role", "why", "hierarchy"):
        table.add_column(head, overflow="fold")
    for column in proposal.columns:
        hierarchy = str(column.hierarchy)[1:-1].strip() if column.hierarchy else ""
        cells = (column.name, column.role.value, column.proposed.reason, hierarchy)
        table.add_row(*map(Text, cells))
    return table


def _record(column: ProposedColumn) -> dict[str, object]:
    profile = column.profile
    return {
        "name": column.name,
        "role": column.role.value,
        "why": column.proposed.reason,
        "remarks": column.remarks,
        "hierarchy": column.hierarchy.settings if column.hierarchy else None,
        "levels": column.hierarchy.level_count if column.hierarchy else None,
        "distinct": profile.distinct,
        "distinct_exact": profile.distinct_exact,
        "missing": profile.rows - profile.present,
    }


def _word(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


COMMAND = Command(
    name="init",
    order=10,
    summary="look at a file, get a study to edit",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
