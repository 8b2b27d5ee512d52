"""``sfumato attack``: what intruders find in a written file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, NOT_MET
from sfumato.cli.source_options import add_source_options, source_given

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.views.attack_view import AttackView

DESCRIPTION = """\
Attack a written file with what intruders know, and count the people of whom they learn something.

  sfumato attack released.csv study.toml
  sfumato attack released.csv study.toml --register register.csv
  sfumato attack released.csv study.toml --with earlier.csv --exclude 2

Homogeneity: all of a class have the same sensitive value. Background knowledge: an intruder
excludes some values. Skewness: a value is far more probable in a class than in the file.
Similarity: all values of a class are in one group of the column's hierarchy. These are shown with
what chance would give: the same classes, with the sensitive values shuffled. Minimality: the policy
of the study bounds the share of a value, and no finer file was released. Composition and
differencing: other releases of the same people (--with) leave one value together, or their classes
differ by a few people. Linking: people of a register are looked up (--register). No value and no
name is shown.
The exit code is 3 if homogeneity, minimality, composition, differencing or linking is right about
somebody.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the table: CSV or Parquet")
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file or a run folder")
    parser.add_argument(
        "--register", type=Path, metavar="FILE", help="a table of people with an identifier"
    )
    parser.add_argument(
        "--with",
        dest="others",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="another release of the same people; can be repeated",
    )
    parser.add_argument(
        "--exclude",
        type=int,
        default=1,
        metavar="M",
        help="how many values the intruder excludes (default: 1)",
    )
    parser.add_argument(
        "--factor",
        type=float,
        default=2.0,
        metavar="X",
        help="skewness: how many times as probable a value must be (default: 2)",
    )
    parser.add_argument(
        "--draws", type=int, default=20, metavar="N", help="shuffles for chance (default: 20)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the shuffles (default: 0)")
    add_source_options(parser)
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the attacks as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Attack a file and show what is found."""
    from sfumato.risk.attacks.file_attacks import Intruder
    from sfumato.study.runs.run_folder import read_study
    from sfumato.views.attack_view import attack_view

    intruder = Intruder(
        excluded=arguments.exclude,
        factor=arguments.factor,
        register=arguments.register,
        others=tuple(source_given(path, arguments) for path in arguments.others),
        draws=arguments.draws,
        seed=arguments.seed,
    )
    study = read_study(arguments.study, allow_paths=arguments.allow_path).study
    file = source_given(arguments.file, arguments)
    found = study.attack(file, intruder)
    view = attack_view(str(arguments.file), found)
    _show(view, output)
    output.json(view)
    return NOT_MET if view.succeeds else DONE


def _show(view: AttackView, output: Output) -> None:
    from sfumato.errors.listing import counted

    output.show(
        f"{view.file}: {counted(view.rows, 'row')} in {counted(view.classes, 'class', 'classes')}; "
        f"intruders know {', '.join(view.known)}"
    )
    output.show(_table(view))
    for sentence in view.sentences:
        output.show(sentence)


def _table(view: AttackView) -> Table:
    from sfumato.cli.tables import text_table

    return text_table(
        ("attack", "sensitive", "rows", "share", "by chance", "worst class"),
        [
            (
                line.attack,
                line.sensitive,
                f"{line.learnt:,}",
                f"{line.share:.2%}",
                f"{line.by_chance:,.1f}",
                f"{line.worst[0].exposed:,} of {line.worst[0].rows:,}" if line.worst else "",
            )
            for line in view.attacks
        ],
        right=("rows", "share", "by chance", "worst class"),
    )


COMMAND = Command(
    name="attack",
    order=52,
    summary="count whom intruders find in a written file",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
