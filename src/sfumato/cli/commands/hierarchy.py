"""``sfumato hierarchy``: the hierarchy of a column, its coverage, proposals, a file to edit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, NOT_MET

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.study.column_hierarchy import ColumnHierarchy
    from sfumato.views.hierarchy_view import HierarchyView

DESCRIPTION = """\
Show the hierarchy that a study gives a column, whether it covers all values, and what else would
suit it: known taxonomies, prefixes, and groups of values that behave alike.

  sfumato hierarchy study.toml occupation
  sfumato hierarchy study.toml occupation --proposal 2
  sfumato hierarchy study.toml occupation -o hierarchies/occupation.csv

With -o the hierarchy is written as a file to edit: a line for each value, its groups, the top. It
holds every value of the column, so keep it as you keep the data. The exit code is 3 if the
hierarchy of the study does not cover all values.
"""
MOST_SHOWN = 10


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", type=Path, metavar="STUDY", help="a study file")
    parser.add_argument("column", metavar="COLUMN", help="a column of the study")
    parser.add_argument(
        "--proposal",
        type=int,
        metavar="N",
        help="show, or write, a proposal in place of the hierarchy of the study",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write the hierarchy to a file to edit, for the study to name",
    )
    parser.add_argument("--all", action="store_true", help="show all values of the tree")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the coverage as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Show the hierarchy, check it, and write it if that was asked for."""
    from sfumato.study.column_hierarchy import column_hierarchy
    from sfumato.study.runs.run_folder import read_study
    from sfumato.views.hierarchy_view import hierarchy_view

    study = read_study(arguments.study, allow_paths=arguments.allow_path).study
    found = column_hierarchy(study, arguments.column)
    chosen = found.hierarchy if arguments.proposal is None else found.proposed(arguments.proposal)
    written = None
    if arguments.output is not None:
        chosen = chosen or found.proposed(1)
        _write(chosen, arguments.output, force=arguments.force)
        written = str(arguments.output)
    view = hierarchy_view(found, written=written)
    _show(view, found, chosen, output, everything=arguments.all)
    if arguments.output is not None:
        _tell_how_to_use(arguments, output)
    output.json(view)
    failed = found.role.value == "quasi-identifying" and not view.covered
    return NOT_MET if failed and arguments.output is None and arguments.proposal is None else DONE


def _write(hierarchy: Hierarchy, path: Path, *, force: bool) -> None:
    from sfumato.errors import SettingsError
    from sfumato.hierarchies.formats.hierarchy_csv import write_hierarchy_csv

    if path.exists() and not force:
        raise SettingsError(
            f"{path} exists, and may hold your edits",
            code="already-exists",
            file=path,
            remedy="write to another file with -o, or replace it with --force",
        )
    if not path.parent.is_dir():
        raise SettingsError(
            f"there is no folder {path.parent}",
            code="no-such-folder",
            file=path.parent,
            remedy="make it first",
        )
    write_hierarchy_csv(hierarchy, path)


def _show(
    view: HierarchyView,
    found: ColumnHierarchy,
    chosen: Hierarchy | None,
    output: Output,
    *,
    everything: bool,
) -> None:
    from sfumato.errors.listing import counted
    from sfumato.hierarchies.tree_view import tree_view

    if chosen is not None:
        most = max(chosen.leaf_count, 1) if everything else 20
        output.show(tree_view(chosen, most_children=most))
        output.show()
    missing = f", missing in {counted(view.missing_rows, 'row')}" if view.missing_rows else ""
    output.show(f"{view.column}: {view.role}, {counted(view.values, 'value')}{missing}")
    if found.error is not None:
        output.warn(str(found.error))
    elif found.hierarchy is None:
        output.show("The study gives it no hierarchy.")
    elif found.lacking:
        shown = ", ".join(map(repr, found.lacking[:MOST_SHOWN]))
        more = len(found.lacking) - MOST_SHOWN
        output.warn(
            f"{counted(view.lacking, 'value')} ({counted(view.lacking_rows, 'row')}) not in the "
            f"hierarchy: {shown}{f' and {more:,} more' if more > 0 else ''}"
        )
    else:
        unused = f"; {counted(view.unused, 'leaf', 'leaves')} without a row" if view.unused else ""
        output.show(f"coverage: every value is in the hierarchy{unused}")
        _show_levels(view, output)
    _show_proposals(found, output)


def _show_levels(view: HierarchyView, output: Output) -> None:
    from sfumato.cli.tables import text_table

    output.show(
        text_table(
            ("level", "blocks", "with rows", "remark"),
            [
                (
                    str(each.level),
                    f"{each.blocks:,}",
                    f"{each.occurring:,}",
                    "" if each.merges else "merges nothing: leave it out",
                )
                for each in view.levels
            ],
            right=("level", "blocks", "with rows"),
        )
    )


def _show_proposals(found: ColumnHierarchy, output: Output) -> None:
    if not found.proposals:
        return
    output.show("Proposals, to be checked by someone who knows what the values mean:")
    for number, each in enumerate(found.proposals, start=1):
        output.show(f"  {number}  hierarchy = {each}")
        output.show(f"     levels: {each.in_words}")
        for remark in each.remarks:
            output.show(f"     {remark}")


def _tell_how_to_use(arguments: Namespace, output: Output) -> None:
    from sfumato.study.file.toml_text import key_text, string_text

    folder = arguments.study.resolve().parent
    path = Path(os.path.relpath(arguments.output.resolve(), folder)).as_posix()
    output.show(
        f"Wrote {arguments.output}: edit it, then let the study name it, in place of the hierarchy "
        "that is there:"
    )
    output.show(f"  [columns.{key_text(arguments.column)}]")
    output.show(f"  hierarchy = {string_text(path)}")


COMMAND = Command(
    name="hierarchy",
    order=15,
    summary="show, check and edit the hierarchy of a column",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
