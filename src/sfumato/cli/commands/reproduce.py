"""``sfumato reproduce``: the tables and figures of the papers, ours beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.papers.reproduced import Reproduced, ReproducedTable

DESCRIPTION = """\
Compute a table or a figure of a paper anew, and print our values beside the printed ones.

  sfumato reproduce                       list what there is
  sfumato reproduce pbg-table-1
  sfumato reproduce pbg-fig-1 -o pictures
  sfumato reproduce pbg-table-2a --runs 5 --seed 100 --json

The Adult file is found in the cache or downloaded once; --adult names a copy of it. Plots and
rank tests need an extra: pip install 'sfumato[papers]'.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the table or figure")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="write the plots into this folder, as SVG"
    )
    parser.add_argument(
        "--runs",
        type=int,
        metavar="N",
        help="runs to average over (default: mostly as many as the paper; the list says how many)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the seed of the first run (default: 1)"
    )
    parser.add_argument("--adult", type=Path, metavar="PATH", help="the Adult file")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep long runs in this folder as each finishes, and take those that are there; "
        "clear it when sfumato changes",
    )
    parser.add_argument("--json", action="store_true", help="print the values as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Reproduce, print and write the plots."""
    from sfumato.cli.output import shown_stages
    from sfumato.papers.catalogue import reproduction_named
    from sfumato.papers.plot import INSTALL, installed, require
    from sfumato.papers.reproduced import Conditions

    if arguments.name is None:
        _list(output)
        return DONE
    chosen = reproduction_named(arguments.name)
    folder: Path | None = arguments.output
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise SettingsError(
                f"{folder} is a file",
                code="is-a-file",
                file=folder,
                remedy="name a folder for the plots",
            )
        require("matplotlib", purpose="Plots (-o)")
    with shown_stages(output) as stage:
        conditions = Conditions(
            runs=chosen.runs if arguments.runs is None else arguments.runs,
            seed=arguments.seed,
            adult=arguments.adult,
            stage=stage,
            keep=arguments.keep,
        )
        reproduced = chosen.reproduce(conditions)
    written = [] if folder is None else _write(reproduced, folder)
    for table in reproduced.tables:
        _show(table, output)
    for remark in reproduced.remarks:
        output.show(remark)
    for path in written:
        output.show(f"The plot is in {path}.")
    if reproduced.plots and folder is None:
        hint = "" if installed("matplotlib") else f" It needs an extra: {INSTALL}"
        output.show(f"Name a folder with -o to get the plot.{hint}")
    output.json(
        {
            "name": chosen.name,
            "summary": chosen.summary,
            "runs": conditions.runs,
            "seed": conditions.seed,
            "tables": [
                {"title": table.title, "rows": table.records()} for table in reproduced.tables
            ],
            "remarks": reproduced.remarks,
            "plots": written,
        }
    )
    return DONE


def _list(output: Output) -> None:
    from sfumato.papers.catalogue import reproductions

    known = reproductions()
    widest = max(map(len, known))
    for each in known.values():
        runs = f" ({each.runs} runs)" if each.runs > 1 else ""
        output.show(f"{each.name:{widest}}  {each.summary}{runs}")
    output.json(
        [{"name": each.name, "summary": each.summary, "runs": each.runs} for each in known.values()]
    )


def _show(table: ReproducedTable, output: Output) -> None:
    from rich.table import Table

    shown = Table(title=table.title, title_justify="left")
    for name, form in table.columns:
        shown.add_column(name, justify="right" if form else "left")
    for row in table.written():
        shown.add_row(*row)
    output.show(shown)


def _write(reproduced: Reproduced, folder: Path) -> list[str]:
    paths = []
    for plot in reproduced.plots:
        path = folder / f"{plot.name}.svg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(plot.svg(), encoding="utf-8")
        except OSError as error:
            raise SettingsError.unwritable(path, error, remedy="name another folder") from None
        paths.append(str(path))
    return paths


COMMAND = Command(
    name="reproduce",
    order=70,
    summary="compute tables and figures of the papers anew",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
