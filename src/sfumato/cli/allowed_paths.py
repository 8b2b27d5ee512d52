"""The option that lets a study name files outside its folder, and engines on other hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_allow_path(parser: ArgumentParser) -> None:
    """Add the option, which can be given several times."""
    parser.add_argument(
        "--allow-path",
        action="append",
        default=[],
        metavar="PATH",
        help="a file or folder outside the study's own folder, or the address of an engine on "
        "another host, that the study may name; can be given several times",
    )
