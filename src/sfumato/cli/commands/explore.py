"""``sfumato explore``: the whole workflow in a browser."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output

DESCRIPTION = """\
Open the explorer: a page in your browser for the whole workflow, from a file to a verified release.
It runs on this machine, listens on 127.0.0.1 only, and sends nothing anywhere. Whatever it changes
is in the study file, so that the command line can repeat it.

  sfumato explore
  sfumato explore patients.csv
  sfumato explore study.toml
  sfumato explore run

The address in the terminal signs one browser in, once. Closing the page stops nothing; Ctrl-C here
ends the explorer, and searches that run keep what they have found and can be resumed.

It needs the extra 'explorer': pip install 'sfumato[explorer]'
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "path",
        type=Path,
        nargs="?",
        metavar="FILE|STUDY|RUN",
        help="data, a study file or a run folder to open (default: choose one in the page)",
    )
    parser.add_argument(
        "--port", type=int, metavar="N", help="the port (default: one that is free)"
    )
    parser.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="only print the address, and open no browser",
    )
    add_allow_path(parser)


def run(arguments: Namespace, output: Output) -> int:
    """Serve the explorer until it is interrupted."""
    if importlib.util.find_spec("nicegui") is None:
        raise SettingsError(
            "the explorer needs NiceGUI, which is not installed",
            code="missing-package",
            remedy="install it: pip install 'sfumato[explorer]'",
        )
    from sfumato.explorer.serving import serve
    from sfumato.explorer.workplace import Workplace

    workplace = Workplace(home=Path.cwd(), allow_paths=tuple(map(Path, arguments.allow_path)))
    path = "/"
    if arguments.path is not None:
        workplace.open(arguments.path)
        path = "/data"
    serve(
        workplace,
        port=arguments.port,
        path=path,
        opens=arguments.browser,
        told=lambda address: output.show(f"Explorer: {address}"),
    )
    return DONE


COMMAND = Command(
    name="explore",
    order=5,
    summary="do all of it in a browser",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
