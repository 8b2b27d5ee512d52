"""``sfumato init``: look at a file, and propose a study of it."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.data.roles import Role

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.data.source import Source
    from sfumato.study.proposal import Proposal, ProposedColumn

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
    parser.add_argument("--table", metavar="NAME", help="the table of a DuckDB database")
    parser.add_argument(
        "--delimiter",
        metavar="CHARACTER",
        help="what separates the columns of a text file, such as ';' or tab (default: found out)",
    )
    parser.add_argument(
        "--quote",
        metavar="CHARACTER",
        help="what stands around fields of a text file, '' if nothing does (default: found out)",
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help="utf-8, latin-1 or utf-16 (default: found out)"
    )
    parser.add_argument(
        "--header",
        action=BooleanOptionalAction,
        help="whether the first line of a text file has the names (default: found out)",
    )
    parser.add_argument("--force", action="store_true", help="replace a study file that is there")
    parser.add_argument("--json", action="store_true", help="print the proposal as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Profile the data, propose a study, write it, and show it."""
    from rich.text import Text

    from sfumato.data.engines.duckdb_engine import DuckDBEngine
    from sfumato.study.proposal import propose
    from sfumato.study.proposed_study_file import check_study_path, write_proposal

    source = _source(arguments)
    path = arguments.output or arguments.data.with_name("study.toml")
    # What would fail at the end fails now.
    check_study_path(path, source=source, force=arguments.force)
    watched = output.error.is_terminal and not output.quiet
    with (
        output.error.status(Text(f"looking at {arguments.data.name}")) if watched else nullcontext()
    ):
        profiles = DuckDBEngine().profile(source)
    proposal = propose(profiles, where=str(source))
    write_proposal(path, proposal, source=source, force=arguments.force)
    _show(proposal, path, output)
    return DONE


def _source(arguments: Namespace) -> Source:
    from sfumato.data.source import DUCKDB_ENDINGS, CsvFile, source_of
    from sfumato.errors import SettingsError, SourceError

    data: Path = arguments.data
    if not data.exists():
        raise SourceError(f"there is no file {data}")
    of_text = {
        "--delimiter": arguments.delimiter,
        "--quote": arguments.quote,
        "--encoding": arguments.encoding,
        "--header": arguments.header,
    }
    given = [option for option, value in of_text.items() if value is not None]
    if arguments.table is None and data.name.lower().endswith(DUCKDB_ENDINGS) and not given:
        raise SourceError(f"{data} is a database; say which table of it to read: --table NAME")
    if not given:
        return source_of(data, table=arguments.table)
    source = None if arguments.table is None else source_of(data, table=arguments.table)
    if source is None and data.name.lower().endswith((".parquet", ".pq")):
        source = source_of(data)
    if source is not None:
        raise SettingsError(f"{given[0]} is about text files, and {source} is none; leave it out")
    tab = arguments.delimiter in ("tab", r"\t")
    return CsvFile(
        path=data,
        delimiter="\t" if tab else arguments.delimiter,
        quote=arguments.quote,
        encoding=arguments.encoding,
        header=arguments.header,
    )


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
