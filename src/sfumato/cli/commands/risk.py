"""``sfumato risk``: how likely somebody is found, before and after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.cli.source_options import add_source_options, source_given
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.front.front import Solution
    from sfumato.sources.source import Source
    from sfumato.study.study import Study
    from sfumato.views.risk_view import RiskView, TableRiskView

DESCRIPTION = """\
Say how likely somebody is found: the distribution of risk over people, how identifying each column
and each combination is, the rows that few columns single out (SUDA2), and what follows for the
population.

  sfumato risk study.toml
  sfumato risk run --pick 'k>=5' -o risk.html
  sfumato risk released.csv study.toml

Of a run the risk is shown before and after, for the solution that --pick names; of a file beside
that of the source of the study. The population of the study ([population]) decides what is known
about journalist risk and uniqueness. No value of anybody is shown. The page that -o writes opens
offline and can be printed; it is internal, since it holds metrics of the original table.
"""


class Chosen(NamedTuple):
    """What the risk is asked of: a study, and a solution or a file besides."""

    study: Study
    after: Solution | Source | None
    kept: dict[Path, str]


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what", type=Path, metavar="FILE|RUN|STUDY", help="a table, a run folder or a study file"
    )
    parser.add_argument(
        "study", type=Path, nargs="?", metavar="STUDY", help="the study or run of a table"
    )
    parser.add_argument(
        "--pick",
        metavar="RULE",
        help="the solution of a run: an id, 'k>=5', 'knee', … (default: the least loss that meets "
        "the policy of the study, or the knee if it has none)",
    )
    parser.add_argument(
        "--largest",
        type=int,
        default=3,
        metavar="N",
        help="count combinations of up to so many columns (default: 3)",
    )
    parser.add_argument(
        "--above",
        type=float,
        action="append",
        metavar="RISK",
        help="count the people above this risk; can be repeated (default: 0.05, 0.1 and 0.2)",
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=100,
        metavar="N",
        help="bootstrap draws of the interval of an estimate, 0 for none (default: 100)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="also write a page: an HTML file"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing HTML file")
    add_source_options(parser)
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the risk as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Assess the risk and show it."""
    from sfumato.report.page import check_page_path
    from sfumato.report.risk import write_risk
    from sfumato.risk.assessment.table_risk import RiskSettings
    from sfumato.sources.source import source_of
    from sfumato.study.matched_tables import table_label
    from sfumato.views.risk_view import risk_view

    settings = RiskSettings(
        largest=arguments.largest,
        thresholds=tuple(arguments.above or RiskSettings().thresholds),
        draws=arguments.draws,
        seed=arguments.seed,
    )
    chosen = _chosen(arguments)
    if arguments.output is not None:
        check_page_path(
            arguments.output, force=arguments.force, kept=chosen.kept, what="page", option="-o"
        )
    elif arguments.force:
        raise SettingsError(
            "--force replaces a page, and no page is written without -o",
            code="conflicting-settings",
            key="--force",
        )
    found = chosen.study.risk(chosen.after, settings=settings)
    source = table_label(source_of(chosen.study.source))
    view = risk_view(found, source=source)
    _show(view, output)
    output.json(view)
    if arguments.output is not None:
        write_risk(found, arguments.output, source=source)
        output.show(f"\nThe page is in {arguments.output}")
        output.remark("it is not for publication: it holds metrics of the original table")
    return DONE


def _chosen(arguments: Namespace) -> Chosen:
    from sfumato.sources.source import path_of, source_of
    from sfumato.study.runs.run_files import is_run_folder
    from sfumato.study.runs.run_folder import read_run, read_study

    what: Path = arguments.what
    if arguments.study is not None:
        _no_pick(arguments, "a file is not picked from a front")
        file_study = read_study(arguments.study, allow_paths=arguments.allow_path).study
        after: Solution | Source | None = source_given(what, arguments)
        kept = {what: "the table", arguments.study: "the study"}
        study = file_study
    elif is_run_folder(what):
        run = read_run(what, allow_paths=arguments.allow_path)
        run.check_source()
        picked = run.opening() if arguments.pick is None else run.pick(arguments.pick)
        study, after, kept = run.study_file.study, picked.solution, {}
    elif what.suffix.lower() == ".toml" or what.is_dir():
        _no_pick(arguments, "a study alone has no solutions")
        study, after = read_study(what, allow_paths=arguments.allow_path).study, None
        kept = {what: "the study"}
    else:
        raise SettingsError(
            f"nobody knows the quasi-identifiers of {what}",
            code="missing-setting",
            key="STUDY",
            file=what,
            remedy=f"name the study, too: sfumato risk {what} study.toml",
        )
    source = path_of(source_of(study.source))
    if source is not None:
        kept[source] = "the source of the study"
    return Chosen(study, after, kept)


def _no_pick(arguments: Namespace, why: str) -> None:
    if arguments.pick is not None:
        raise SettingsError(
            f"--pick chooses a solution of a run, and {why}",
            code="conflicting-settings",
            key="--pick",
            remedy="leave it out, or name a run folder",
        )


def _show(view: RiskView, output: Output) -> None:
    from sfumato.views.risk_rows import band_rows, figure_rows, population_rows, subset_rows

    for side in view.sides:
        output.show(_headline(side))
    heads = tuple(side.label for side in view.sides)
    output.show(_table("risk", heads, figure_rows(view)))
    who = "people" if view.counts_people else "rows"
    output.show(_table(f"{who} in classes of", heads, band_rows(view)))
    output.show(f"Population: {view.population}")
    if population_rows(view):
        output.show(_table("population", heads, population_rows(view)))
    output.show("How identifying the columns are, by the share of rows that they single out:")
    output.show(
        _table(
            "columns",
            tuple(
                f"{name}, {label}" if len(heads) > 1 else name
                for label in heads
                for name in ("unique", "distinction", "separation")
            ),
            subset_rows(view),
        )
    )
    for side in view.sides:
        output.show(_special(side))
    for finding in view.findings:
        output.show(f"finding       {finding.message}")


def _headline(side: TableRiskView) -> str:
    from sfumato.errors.listing import counted

    gone = f", {counted(side.suppressed, 'row')} suppressed" if side.suppressed else ""
    return (
        f"{side.label}: {counted(side.rows, 'row')} in "
        f"{counted(side.classes, 'class', 'classes')}{gone}"
    )


def _special(side: TableRiskView) -> str:
    special = side.special
    if not special.rows:
        return (
            f"Special uniques of {side.label}: no row is singled out by up to {special.largest} "
            "columns."
        )
    sets = "; ".join(f"{' + '.join(names)} ({rows:,})" for names, rows in special.by_set[:4])
    return (
        f"Special uniques of {side.label}: up to {special.largest} columns single out "
        f"{special.rows:,} rows; the most by {sets}. The highest SUDA2 score is "
        f"{special.scores[0].score:,}."
    )


def _table(what: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    from sfumato.cli.tables import text_table

    return text_table((what, *heads), rows, right=heads)


COMMAND = Command(
    name="risk",
    order=51,
    summary="how likely somebody is found, before and after",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
