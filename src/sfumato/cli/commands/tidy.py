"""``sfumato tidy``: find and remove what killed commands left behind."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.views.tidy_view import TidyView

DESCRIPTION = """\
Find what commands left behind that were killed (kill -9, a power failure): private folders with
rows of the source or of unfinished releases.

  sfumato tidy
  sfumato tidy releases runs --remove

It looks into the given folders, or into this one, and into that for temporary files. Nothing is
removed without --remove, and never what belongs to another user or to a process that is still
running. What a process on another machine or in another container made is removed only if its
folder itself is given. If a command was killed while it put its files in their places, --remove
first takes back those that had arrived, unless all had, and brings back what was there before.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folders",
        type=Path,
        nargs="*",
        metavar="FOLDER",
        help="where to look (default: the working folder)",
    )
    parser.add_argument("--remove", action="store_true", help="remove what was left behind")
    parser.add_argument("--json", action="store_true", help="print the folders as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Show what was left behind, and remove it if asked."""
    from sfumato.documents.leftovers import leftover_at, leftovers
    from sfumato.documents.running_process import Life
    from sfumato.errors import SettingsError
    from sfumato.views.tidy_view import TidyView, tidied

    folders = arguments.folders or [Path()]
    for folder in folders:
        if not folder.is_dir():
            raise SettingsError(f"there is no folder {folder}", code="no-such-folder", file=folder)
    named = {each.folder for each in map(leftover_at, folders) if each is not None}
    found = [each for each in map(leftover_at, folders) if each is not None]
    found += leftovers([*folders, Path(tempfile.gettempdir())])
    shown = []
    for each in dict.fromkeys(found):
        removable = each.life is Life.ENDED or (each.life is Life.UNKNOWN and each.folder in named)
        if removable and arguments.remove:
            each.remove()
        shown.append(tidied(each, removable=removable, removed=removable and arguments.remove))
    view = TidyView(folders=tuple(shown))
    _show(view, folders, output)
    output.json(view)
    return DONE


def _show(view: TidyView, folders: list[Path], output: Output) -> None:
    for each in view.folders:
        output.show(f"{each.folder}: {each.text}")
    if not view.folders:
        output.show("Nothing was left behind.")
    elif any(each.removable and not each.removed for each in view.folders):
        given = " ".join(shlex.quote(str(folder)) for folder in folders)
        output.show(f"Remove it with: sfumato tidy {given} --remove")


COMMAND = Command(
    name="tidy",
    order=75,
    summary="find and remove what killed commands left behind",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
