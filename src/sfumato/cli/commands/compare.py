"""``sfumato compare``: which of two anonymizations is better, and for whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.compare.verdict import Verdict
    from sfumato.front.front import Solution
    from sfumato.study.comparison import Comparison
    from sfumato.study.runs.run import Run
    from sfumato.study.study import Study
    from sfumato.views.comparison_view import ComparisonView, GroupView, PropertyView

DESCRIPTION = """\
Compare two anonymizations row by row: two solutions of a run, or tables that any tool made of the
source of a study.

  sfumato compare study-run 3 7
  sfumato compare study-run knee 'k>=20' --property class-size --by sex
  sfumato compare arx.csv ours.csv --study study.toml --key id
  sfumato compare study-run 3 arx.csv --key id --json
  sfumato compare study-run 3 7 --by sex --report comparison.html

A solution is an id or a rule, as in 'sfumato front --pick'. The rows of a table are matched with
the source by a key column that both have, or by their order; rows that are missing, or that have *
in every quasi-identifier, are suppressed and form one class. The comparison reads the original
records, so it is for the publisher only, and so is the page that --report writes: one HTML file
that opens offline.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what",
        nargs="+",
        metavar="RUN A B | FILE FILE",
        help="a run folder and two of its solutions, or, with --study, two anonymized tables",
    )
    parser.add_argument(
        "--study", type=Path, metavar="STUDY", help="the study whose source the tables come from"
    )
    parser.add_argument(
        "--key", metavar="COLUMN", help="match the rows of tables by this column, not by order"
    )
    parser.add_argument(
        "--property",
        action="append",
        dest="properties",
        metavar="PROPERTY",
        help="compare by this property only, for example class-size (may be repeated)",
    )
    parser.add_argument(
        "--comparator",
        action="append",
        dest="comparators",
        metavar="COMPARATOR",
        help="compare by this comparator only, for example coverage or 'rank(tolerance=2)' (may be "
        "repeated)",
    )
    parser.add_argument(
        "--by", metavar="COLUMN", help="show who gains and who loses by the values of a column"
    )
    parser.add_argument("--words", action="store_true", help="write every verdict as a sentence")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="also write a page: an HTML file that opens offline, not for publication",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing HTML file")
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Compare two anonymizations and show every verdict."""
    from sfumato.views.comparison_view import comparison_view

    study, first, second = _chosen(arguments)
    _check_report(arguments, study)
    found = study.compare(
        first,
        second,
        properties=arguments.properties,
        comparators=arguments.comparators,
        key=arguments.key,
    )
    view = comparison_view(found, by=arguments.by)
    for name, side in zip((view.first, view.second), view.sides, strict=True):
        output.show(f"{name}: {side.text}")
    for name, one in view.properties.items():
        output.show(f"\n{name}: {_who(view, one.gainers)}")
        _show_verdicts(output, view, one.verdicts, words=arguments.words)
        if view.by is not None:
            output.show(_group_table(view, view.by, one))
            if len(one.largest_groups) < len(one.by_value):
                output.show(
                    f"the {len(one.largest_groups)} largest of {len(one.by_value):,} groups"
                )
    if view.together.verdicts:
        output.show(f"\n{', '.join(view.together.properties)} together")
        _show_verdicts(output, view, view.together.verdicts, words=arguments.words)
    output.json(view)
    if arguments.report is not None:
        _write_report(arguments, study, found, output)
    return DONE


def _check_report(arguments: Namespace, study: Study) -> None:
    """Refuse a place for the page before anything is counted."""
    from sfumato.errors import SettingsError
    from sfumato.report.page import check_page_path
    from sfumato.sources.source import path_of, source_of

    if arguments.report is None:
        if arguments.force:
            raise SettingsError(
                "--force replaces a page, and no page is written without --report",
                code="conflicting-settings",
                key="--force",
            )
        return
    kept = {Path(text): "a table that is compared" for text in arguments.what}
    source = path_of(source_of(study.source))
    if source is not None:
        kept[source] = "the source of the study"
    if arguments.study is not None:
        kept[arguments.study] = "the study"
    check_page_path(
        arguments.report, force=arguments.force, kept=kept, what="comparison", option="--report"
    )


def _write_report(arguments: Namespace, study: Study, found: Comparison, output: Output) -> None:
    from sfumato.report.comparison import write_comparison
    from sfumato.sources.source import source_of
    from sfumato.study.matched_tables import table_label

    source = table_label(source_of(study.source))
    write_comparison(found, arguments.report, source=source, by=arguments.by)
    output.show(f"\nThe page is in {arguments.report}")
    output.remark("it is not for publication: it is computed from the original records")


def _chosen(
    arguments: Namespace,
) -> tuple[Study, Solution | Path, Solution | Path]:
    from sfumato.errors import SettingsError
    from sfumato.study.runs.run_files import is_run_folder
    from sfumato.study.runs.run_folder import read_run, read_study

    what: list[str] = arguments.what
    if arguments.study is None:
        if len(what) != 3 or not is_run_folder(what[0]):
            raise SettingsError(
                "there is nothing to compare",
                code="missing-setting",
                expected="a run folder and two of its solutions, like 'sfumato compare study-run 3 "
                "7', or two tables and the study they come from, like 'sfumato compare a.csv b.csv "
                "--study study.toml'",
            )
        place, what = Path(what[0]), what[1:]
    else:
        place = arguments.study
        if len(what) != 2:
            raise SettingsError(
                f"with --study two anonymizations are compared, and {len(what)} were given",
                code="wrong-length",
                found=str(len(what)),
            )
    if not is_run_folder(place):
        study = read_study(place, allow_paths=arguments.allow_path).study
        return study, Path(what[0]), Path(what[1])
    run = read_run(place, allow_paths=arguments.allow_path)
    run.check_source()
    return run.study_file.study, _solution(run, what[0]), _solution(run, what[1])


def _solution(run: Run, text: str) -> Solution | Path:
    """Return the table of a path that exists, or the solution that a rule picks."""
    if Path(text).is_file():
        return Path(text)
    return run.pick(text).solution


def _who(view: ComparisonView, everybody: GroupView) -> str:
    from sfumato.errors.listing import counted

    return (
        f"{counted(everybody.better_off_in_first, 'row')} better off in {view.first}, "
        f"{everybody.better_off_in_second:,} in {view.second}, {everybody.unchanged:,} unchanged"
    )


def _show_verdicts(
    output: Output, view: ComparisonView, verdicts: tuple[Verdict, ...], *, words: bool
) -> None:
    from sfumato.cli.tables import text_table
    from sfumato.views.texts import metric_text

    if words:
        for verdict in verdicts:
            output.show(f"  {verdict.sentence}")
        return
    winners = {"better": view.first, "worse": view.second}
    rows = [
        (
            verdict.comparator,
            metric_text(verdict.first),
            metric_text(verdict.second),
            winners.get(verdict.outcome.value, verdict.outcome.value),
        )
        for verdict in verdicts
    ]
    heads = ("comparator", view.first, view.second, "better")
    output.show(text_table(heads, rows, right=heads[1:3]))


def _group_table(view: ComparisonView, column: str, one: PropertyView) -> Table:
    from sfumato.cli.tables import text_table
    from sfumato.views.texts import share_text

    numbers = ("rows", f"better off in {view.first}", f"better off in {view.second}")
    rows = [
        (
            group.value,
            f"{group.rows:,}",
            share_text(group.better_off_in_first, group.rows),
            share_text(group.better_off_in_second, group.rows),
        )
        for group in one.largest_groups
    ]
    return text_table((column, *numbers), rows, right=numbers)


COMMAND = Command(
    name="compare",
    order=35,
    summary="two anonymizations row by row: which is better, for whom",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
